"""How good the risks are, in words that do not promise more than the figures."""

import pytest

from cacviz.engine.insights.judged.types import Calibration
from cacviz.engine.types import Scored
from cacviz.wording.performance import (
    TAKE_BACK,
    TAUGHT,
    brier_sentence,
    calibration_sentence,
    flag_sentence,
    lead,
)
from tests.wording.grammar import assert_sentence

FLAT = Scored(1.0, 0.8, 1.2)


@pytest.mark.parametrize(("chance", "worse"), [(0.224, True), (0.3, False)])
def test_risks_that_are_no_better_than_one_for_everybody_are_called_so(chance, worse):
    said = brier_sentence(Calibration(FLAT, FLAT, Scored(0.23, 0.213, 0.248), chance, ()))
    assert_sentence(said)
    assert f"the same risk for everybody gives {chance:.3f}" in said
    assert ("no better than that" in said) == worse


@pytest.mark.parametrize("said", [TAUGHT, TAKE_BACK])
def test_why_risks_are_not_recalibrated_is_said_in_sentences(said):
    assert_sentence(said)


def test_those_found_and_those_missed_add_up_to_those_who_have_it():
    said = flag_sentence({"found": 228, "missed": 237, "false": 321, "clear": 597}, "x")
    assert "34 have x: 16 of them are flagged and 18 are missed." in said


@pytest.mark.parametrize(
    ("slope", "words"),
    [
        (Scored(-0.14, -0.37, 0.19), "Higher risks do not clearly go with more events"),
        (Scored(0.43, 0.30, 0.58), "The risks are too extreme"),
        (Scored(1.0, 0.6, 1.4), "1 and 0 are right."),
    ],
)
def test_risks_that_go_with_no_more_events_are_not_called_extreme(slope, words):
    said = calibration_sentence(Calibration(Scored(0.0, -0.2, 0.2), slope, FLAT, 0.2, ()))
    assert_sentence(said)
    assert words in said
    assert ("extreme" in said) == ("extreme" in words)


def test_recalibration_is_spoken_of_once_there_was_one():
    assert "recalibrated" in lead(recalibrated=True)
    assert "recalibrated" not in lead(recalibrated=False)
    assert_sentence(lead(recalibrated=False))
