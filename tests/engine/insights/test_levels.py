"""Every level of a category in a profile: by hand, and as the strongest level is described."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.insights.described.levels import every_level
from cacviz.engine.insights.described.profiles import profile_subtypes
from cacviz.engine.types import Column, Outcome


@pytest.fixture(scope="module")
def grade():
    """Three subtypes that are the grades of a tumour."""
    frame = pd.DataFrame({"grade": np.repeat(["I", "II", "III"], [20, 60, 40]), "age": 1.0})
    frame["age"], frame["died"] = np.arange(120.0), np.arange(120) % 2
    columns = [Column("grade", "category"), Column("age", "number"), Column("died", "yesno")]
    cohort = make_cohort("c", frame, columns, Outcome("died"))
    clusters = np.repeat([0, 1, 2], [20, 60, 40])
    made = profile_subtypes(cohort, clusters, 3, np.arange(0, 120), np.arange(0, 120, 3), seed=0)
    return next(f for f in made.features if f.name == "grade")


def test_each_level_has_its_own_row_and_tells_the_subtypes_apart(grade):
    rows = every_level([grade])
    assert [r.standing_level for r in rows] == ["I", "II", "III"]
    spread = np.sqrt(1 / 6 * 5 / 6)
    assert rows[0].standing == pytest.approx((5 / 6 / spread, -1 / 6 / spread, -1 / 6 / spread))
    assert np.array([r.standing for r in rows]).argmax(axis=0).tolist() == [0, 1, 2]


def test_the_strongest_level_stands_as_it_was_described(grade):
    row = next(r for r in every_level([grade]) if r.standing_level == grade.standing_level)
    assert row.standing == pytest.approx(grade.standing)


def test_hidden_counts_and_many_levels_leave_a_category_as_it_is(grade):
    hidden = replace(grade, overall=replace(grade.overall, counts=(None, 60, 40)))
    many = replace(grade, levels=tuple("abcdef"))
    assert every_level([hidden, many]) == [hidden, many]
