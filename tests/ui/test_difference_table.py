"""The paper's table as the page shows it."""

import math
from dataclasses import replace

import pandas as pd
import pytest

from cacviz.engine.insights.types import Cell, FeatureProfile
from cacviz.ui.differences.table import formats, shown_table
from cacviz.wording import tables

NAN = math.nan
LACTATE = FeatureProfile(
    *("lactate", "Lactate", "mmol/L", "number", "feature", ()),
    (Cell(9, 0, 2.34567), Cell(0, 3)),
    Cell(9, 3, 2.5),
    *(1.234, (0, 1), 0.1, (0.1, NAN), "", -0.5, 0.876, "one-way ANOVA", NAN, NAN),
)
VENTILATED = replace(
    LACTATE,
    title="Ventilated",
    unit="",
    shape="yesno",
    levels=("no", "yes"),
    cells=(Cell(97, 0, counts=(72, 25)), Cell(20, 0, counts=(None, None))),
    effect=5.0,
    effect_held_out=NAN,
    stability=NAN,
)
FRAME = pd.DataFrame(
    {
        "Feature": ["Lactate (mmol/L)", "Ventilated = yes"],
        "A": [2.34567, 25 / 97],
        "B": [NAN, NAN],
        tables.EFFECT: [1.234, 5.0],
        tables.HELD_OUT: [-0.5, NAN],
        "Stability": [0.876, NAN],
    }
)


@pytest.fixture
def shown():
    return shown_table(FRAME, [LACTATE, VENTILATED])


def test_shares_are_in_per_cent_and_what_is_not_there_says_so(shown):
    assert shown.data["A"].tolist() == ["2.346", "25.8%"]
    assert shown.data["B"].tolist() == ["not measured", "not measured"]
    assert shown.data["Stability"].tolist() == ["88%", ""]


def test_where_small_counts_are_hidden_an_empty_cell_is_called_hidden():
    hidden = shown_table(FRAME, [LACTATE, VENTILATED], hide=True)
    assert hidden.data["B"].tolist() == ["hidden", "hidden"]


def test_differences_stay_numbers_and_are_shown_in_words_where_they_are_none(shown):
    assert shown.data[tables.EFFECT].tolist() == [1.234, 5.0]
    html = shown.to_html()
    for words in ("1.23", "5 or more", "-0.50", "too few measured"):
        assert words in html


def test_the_frame_that_is_saved_keeps_its_numbers(shown):
    assert FRAME["A"].tolist() == [2.34567, 25 / 97]


def test_columns_are_headed_by_the_number_which_is_never_cut_with_the_name_as_help():
    title = "Subtype 1: Old, high *BUN*"
    heads = formats([title, "Subtype 2: Young"])
    assert heads[title]["label"] == "Subtype 1"
    assert heads[title]["help"] == r"Subtype 1\: Old, high \*BUN\*"
