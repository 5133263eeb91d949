"""Insights as tables: what is hidden is said, heads are unique, twins tell the figures' numbers."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.insights.described.profiles import profile_groups
from cacviz.engine.insights.described.small_cells import without_small
from cacviz.engine.insights.names import told_apart
from cacviz.engine.insights.types import HeldOutTest, RiskFactor, Silhouettes, Student, View
from cacviz.engine.types import Column, Outcome
from cacviz.wording import factor_tables, tables

ODD = ("Feature", "Overall", "Overall")
TWO = ("Subtype 1: First", "Subtype 2: Second")


@pytest.fixture(scope="module")
def profiles():
    """Two subtypes; in the first the blood groups are 3, 70 and 90 patients."""
    blood = np.repeat(["A", "B", "0", "A", "B", "0"], [3, 70, 90, 40, 50, 60])
    frame = pd.DataFrame({"blood": blood, "age": np.arange(313.0), "died": np.arange(313) % 2})
    frame.loc[5, "age"] = np.nan
    columns = [Column("blood", "category"), Column("age", "number"), Column("died", "yesno")]
    cohort = make_cohort("blood", frame, columns, Outcome("died"))
    return profile_groups(cohort, np.repeat([0, 1], [163, 150]), 2, n_boot=0)


def by_row(table):
    return table.set_index("")


def test_small_counts_are_shown_unless_they_are_to_be_hidden(profiles):
    table = by_row(tables.table_one(profiles, TWO))
    assert table.loc["blood = A", TWO[0]] == "3 (1.8%)"


def test_a_count_hidden_for_the_sake_of_another_is_not_called_small(profiles):
    table = by_row(tables.table_one(without_small(profiles), TWO))
    hidden = [table.loc[f"blood = {level}", TWO[0]] for level in ("A", "B")]
    assert hidden == ["hidden", "hidden"]
    assert table.loc["blood = 0", TWO[0]].startswith("90 ")
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


def test_the_papers_table_has_a_row_a_feature_and_level_and_no_p(profiles):
    table = tables.paper_table(profiles, TWO)
    assert len(table) == sum(tables.n_rows(f) for f in profiles.features) == 4
    age = next(f for f in profiles.features if f.name == "age")
    row = table.set_index("Feature").loc["age"]
    assert row[list(TWO)].tolist() == [c.mean for c in age.cells]
    assert not [c for c in table.columns if c.startswith(("p", "q"))]


def test_table_one_begins_with_the_patients_and_can_say_more(profiles):
    plain = tables.table_one(profiles, TWO)
    assert plain.iloc[0][["Overall", *TWO]].tolist() == ["313", "163", "150"]
    assert set(plain["Statistic"]) == {"", "mean (SD)", "median [IQR]", "n (%)"}
    form = tables.TableOneForm(
        variables=("age",), statistics=("range", "missing"), overall=False, tests=False
    )
    wanted = tables.table_one(profiles, TWO, form)
    assert wanted["Statistic"].tolist() == ["", "range", "missing"]
    assert wanted.iloc[1][TWO[0]] == "0 to 162"
    assert wanted.iloc[2][list(TWO)].tolist() == ["1 (0.6%)", "0 (0.0%)"]
    assert not {"Overall", "SMD", "Test"} & set(wanted.columns)


@pytest.mark.parametrize("order", tables.ORDERS)
def test_table_one_has_the_order_that_is_asked_for(profiles, order):
    form = tables.TableOneForm(statistics=("mean (SD)",), order=order)
    titles = [t for t in tables.table_one(profiles, TWO, form)[""].tolist()[1:] if t]
    first = {"as in the file": "blood", "by name": "age"}.get(order, profiles.features[0].title)
    assert titles[0].split(" =")[0] == first


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (-0.001, "0.00"),
        (4.9, "4.90"),
        (5.0, "5 or more"),
        (-5.0, "5 or more, reversed"),
        (np.nan, "too few measured"),
    ],
)
def test_a_difference_in_words(value, words):
    assert tables.difference_word(value) == words


FACTORS = (
    RiskFactor("age", "Age", "years", 0.6, 0.2, "all", 0.9, "", 1.0, 0.0001),
    RiskFactor("sex", "Sex", "", 0.3, 0.1, "unique", -0.8, "Sex = F", 0.5, 0.004),
    RiskFactor("bun", "BUN", "", 0.1, 0.0, "", 0.1),
)
VIEW = View(
    1,
    (Student(0, 90, 40, "explains", 0.9, factors=FACTORS), Student(1, 90, 40, "hints", 0.5)),
    (),
    0.7,
)


def test_risk_factors_stand_side_by_side_with_direction_and_mark():
    table = factor_tables.risk_factor_table(VIEW, TWO)
    assert table[TWO[0]].tolist() == [
        "Age (raises, shared by all)",
        "Sex = F (lowers, unique)",
        "BUN (both ways)",
    ]
    assert table[TWO[1]].tolist() == ["", "", ""]
    assert table.index.tolist() == [1, 2, 3]


def test_the_twin_of_the_bars_has_their_numbers():
    table = factor_tables.importance_table(VIEW.students[0])
    assert table["Importance"].tolist() == [0.6, 0.3, 0.1]
    assert table["Feature"].tolist() == ["Age", "Sex = F", "BUN"]
    assert table["p (beats shuffled copies)"].tolist() == ["< 0.001", "0.004", ""]


@pytest.mark.parametrize(
    ("direction", "word"), [(0.9, "raises"), (-0.9, "lowers"), (0.29, "both ways")]
)
def test_which_way_a_factor_moves_the_risk(direction, word):
    assert factor_tables.direction_word(direction) == word


TEST = HeldOutTest("sex", "Sex", "sensitive", "chi-square", 1200, 0.02, 0.04, True, 0.2, "V")


def test_a_held_out_test_is_a_row_and_a_sentence():
    table = tables.tests_table([TEST, replace(TEST, significant=False, effect=np.nan)])
    assert table["Effect"].tolist() == ["V 0.20", ""]
    assert table[""].tolist() == ["differs", "no clear difference"]
    assert tables.test_sentence(TEST) == (
        "Sex differs between the subtypes on 1,200 held-out patients (chi-square, adjusted p = "
        "0.040)."
    )
    unclear = tables.test_sentence(replace(TEST, significant=False, p_adjusted=1e-5))
    assert "does not clearly differ" in unclear
    assert "adjusted p < 0.001" in unclear


def test_silhouettes_are_counted_and_averaged_by_subtype():
    scores = Silhouettes(
        np.arange(4), np.array([0, 0, 1, 1]), np.array([0.2, -0.2, 0.5, 0.7]), 0.3, 0.3, 4
    )
    table = tables.silhouette_table(scores, [*TWO, "Subtype 3: nobody"])
    assert table["Patients"].tolist() == [2, 2]
    assert table["Mean"].tolist() == pytest.approx([0.0, 0.6])
    assert table["Nearer to another subtype"].tolist() == [0.5, 0.0]
