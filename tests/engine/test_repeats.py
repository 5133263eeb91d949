import numpy as np
import pandas as pd

from cacviz.engine.cohorts import make_cohort
from cacviz.engine.repeats import repeat_notes
from cacviz.engine.types import Column, Outcome


def cohort_of(ward):
    frame = pd.DataFrame(
        {"ward": ward, "age": np.arange(len(ward)), "died": [0, 1] * (len(ward) // 2)}
    )
    columns = [
        Column("ward", "category", label="Ward"),
        Column("age", "number"),
        Column("died", "yesno"),
    ]
    return make_cohort("c", frame, columns, Outcome("died"))


def test_subtypes_that_are_the_levels_of_a_column_are_said_to_be():
    clusters = np.repeat([0, 1, 2], 20)
    (note,) = repeat_notes(cohort_of(np.repeat(["A", "B", "C"], 20)), clusters, np.arange(60))
    assert "little more than the levels of “Ward”" in note
    assert "1.00" in note


def test_subtypes_of_their_own_need_no_word():
    clusters = np.tile([0, 1, 2], 20)
    assert not repeat_notes(cohort_of(np.repeat(["A", "B", "C"], 20)), clusters, np.arange(60))
    assert not repeat_notes(cohort_of(np.repeat(["A", "B", "C"], 20)), 0 * clusters, np.arange(60))
