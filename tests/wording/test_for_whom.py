"""Whom the risks serve worse is said where it is shown, and only there."""

import math

from cacviz.engine.insights.judged.types import Calibration
from cacviz.engine.scoring.shares import difference
from cacviz.engine.types import Scored
from cacviz.wording.for_whom import Missed, more_missed, too_low_or_high, unequal
from tests.wording.grammar import assert_sentence

ONE, TWO = Missed("Subtype 1", 11, 15), Missed("Subtype 2", 8, 40)


def test_newcombes_own_example_of_two_shares():
    """56 of 70 against 48 of 80: .20, .0524 to .3339 (Statistics in Medicine 1998, table II a)."""
    found = difference((56, 70), (48, 80))
    assert [round(v, 4) for v in (found.value, found.low, found.high)] == [0.2, 0.0524, 0.3339]
    wider = difference((56, 70), (48, 80), pairs=6)
    assert wider.low < found.low < found.high < wider.high


def test_groups_of_whom_clearly_more_are_missed_than_of_everybody_are_named():
    everybody = Missed("Everybody", 30, 100)
    said = more_missed([ONE, TWO], everybody, "death")
    assert_sentence(said)
    assert "30% of those with death are missed, but 73% (11 of 15) in Subtype 1 (clear" in said
    assert more_missed([TWO, Missed("Subtype 3", 6, 12)], everybody, "death") == ""


def test_an_unequal_threshold_is_told_with_its_interval_and_a_chance_one_as_not_clear():
    groups = [Missed("race: 1", 30, 60, "race"), Missed("race: 0", 10, 80, "race"), ONE]
    (said,) = unequal(groups, "death")
    assert_sentence(said)
    assert said.startswith("By race: of those with death 50% (30 of 60) are missed in race: 1, ")
    assert "38 points more (95% interval 22 to 51)" in said
    few = [Missed("race: 1", 3, 10, "race"), Missed("race: 0", 2, 10, "race")]
    (said,) = unequal(few, "death")
    assert "no clear difference in who is missed" in said
    assert unequal([few[0]], "death") == []


def test_groups_whose_risks_are_not_right_in_size_are_named():
    def calibrated(low, high):
        return Calibration(
            Scored((low + high) / 2, low, high), *[Scored(1, 1, 1)] * 2, math.nan, ()
        )

    groups = [("Subtype 1", calibrated(0.2, 1.2)), ("race: 0", calibrated(-0.9, -0.1))]
    said = too_low_or_high([*groups, ("Subtype 2", calibrated(-0.3, 0.3))])
    assert said == (
        "On the whole the risks are too low in Subtype 1 and too high in race: 0 (95% intervals, "
        "each by itself)."
    )
    assert too_low_or_high([("Subtype 2", calibrated(-0.3, 0.3))]) == ""
