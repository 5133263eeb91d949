"""The paper's table as the page shows it."""

import math
from dataclasses import replace

import pandas as pd
import pytest

from cacviz.engine.insights import tables
from cacviz.engine.insights.types import Cell, FeatureProfile
from cacviz.ui.difference_table import formats, shown_table

NAN = math.nan
LACTATE = FeatureProfile(
    *("lactate", "Lactate", "mmol/L", "number", "feature", ()),
    (Cell(9, 0, 2.34567), Cell(3, 0)),
    Cell(12, 0, 2.5),
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


@pytest.fixture
def shown():
    frame = pd.DataFrame(
        {
            "Feature": ["Lactate (mmol/L)", "Ventilated = yes"],
            "A": [2.34567, 25 / 97],
            "B": [NAN, NAN],
            tables.EFFECT: [1.234, 5.0],
            tables.HELD_OUT: [-0.5, NAN],
            "Stability": [0.876, NAN],
        }
    )
    return shown_table(frame, [LACTATE, VENTILATED])


def test_shares_are_in_per_cent_and_hidden_cells_say_so(shown):
    assert shown.data["A"].tolist() == ["2.346", "25.8%"]
    assert shown.data["B"].tolist() == ["not shown", "not shown"]
    assert shown.data["Stability"].tolist() == ["88%", ""]


def test_differences_stay_numbers_and_are_shown_in_words_where_they_are_none(shown):
    assert shown.data[tables.EFFECT].tolist() == [1.234, 5.0]
    html = shown.to_html()
    for words in ("1.23", "no overlap", "-0.50", "too few"):
        assert words in html


@pytest.mark.parametrize(
    ("value", "words"),
    [(-0.001, "0.00"), (-5.0, "no overlap, reversed"), (4.9, "4.90"), (NAN, "too few")],
)
def test_a_difference_in_words(value, words):
    assert tables.difference_word(value) == words


def test_columns_are_headed_by_numbers_with_the_names_as_help():
    heads = formats(["Old, high *BUN*", "Young"])
    assert heads["Old, high *BUN*"]["label"] == "Subtype 1"
    assert heads["Old, high *BUN*"]["help"] == r"Old\, high \*BUN\*"
