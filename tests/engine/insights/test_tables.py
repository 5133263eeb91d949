import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts import make_cohort
from cacviz.engine.insights import tables
from cacviz.engine.insights.names import told_apart
from cacviz.engine.insights.profiles import profile_groups
from cacviz.engine.types import Column, Outcome

ODD = ("Feature", "Overall", "Overall")


@pytest.fixture(scope="module")
def profiles():
    """Two subtypes; in the first the blood groups are 3, 70 and 90 patients."""
    blood = np.repeat(["A", "B", "0", "A", "B", "0"], [3, 70, 90, 40, 50, 60])
    frame = pd.DataFrame({"blood": blood, "age": np.arange(313.0), "died": np.arange(313) % 2})
    columns = [Column("blood", "category"), Column("age", "number"), Column("died", "yesno")]
    cohort = make_cohort("blood", frame, columns, Outcome("died"))
    return profile_groups(cohort, np.repeat([0, 1], [163, 150]), 2, n_boot=0)


def test_a_count_hidden_for_the_sake_of_another_is_not_called_small(profiles):
    table = tables.table_one(profiles, ("First", "Second")).set_index("")
    hidden = [table.loc[f"blood = {level}", "First"] for level in ("A", "B")]
    assert hidden == ["not shown", "not shown"]
    assert table.loc["blood = 0", "First"].startswith("90 ")
    assert not (table == "< 5").any(axis=None)


def test_names_of_subtypes_never_take_a_column_of_the_table(profiles):
    for table in (tables.paper_table(profiles, ODD[:2]), tables.table_one(profiles, ODD[1:])):
        assert table.columns.is_unique
    assert tables.paper_table(profiles, ODD[:2])["Feature"].str.contains("age").any()
    assert tables.table_one(profiles, ODD[1:])["Overall"].iloc[0] == "313"
    twin = tables.heatmap_table(profiles.features, ODD[:2])
    assert twin.columns.tolist() == ["Feature", "Feature (1)", "Overall (2)"]


def test_names_alike_are_told_apart_by_their_place():
    assert told_apart(["A", "B", "A"]) == ["A", "B", "A (3)"]
    assert told_apart(["A", "A (2)", "A (2)"], taken=("A",)) == ["A (1)", "A (2)", "A (2) (3)"]


def test_long_names_alike_stay_within_what_a_figure_shows():
    found = told_apart(["x" * 60] * 12)
    assert len({name[:60] for name in found}) == 12
    assert max(map(len, found)) <= 60
