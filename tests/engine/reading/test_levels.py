"""The order of levels: by the number they carry, else by how many patients have them."""

import pytest

from cacviz.engine.reading.levels import ordered_levels


@pytest.mark.parametrize(
    "order",
    [
        ["I", "II", "III", "IV"],
        ["NYHA I", "NYHA II", "NYHA IV"],
        ["IIa", "IIb", "IIIa", "IX", "X"],
        ["2", "9", "10"],
        ["Stage 1", "Stage 2", "Stage 10"],
        ["[0-10)", "[50-60)", "[100-110)"],
        ["-1", "0", "1.5"],
    ],
)
def test_levels_that_carry_a_number_stand_in_its_order(order):
    counts = {level: len(level) + place for place, level in enumerate(reversed(order))}
    assert ordered_levels(counts) == order


@pytest.mark.parametrize("levels", [["mild", "severe"], ["ward 1", "ICU 2"], ["A", "I"]])
def test_other_levels_stand_by_frequency(levels):
    assert ordered_levels({levels[0]: 1, levels[1]: 5}) == levels[::-1]
    assert ordered_levels({levels[1]: 3, levels[0]: 3}) == sorted(levels)
