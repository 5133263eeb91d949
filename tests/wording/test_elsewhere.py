"""A validation in words: every answer has a sentence."""

from dataclasses import replace

import pytest

from cacviz.engine.insights.elsewhere.types import ColumnMatch, Verdict
from cacviz.engine.types import Note
from cacviz.wording.elsewhere import (
    HEADS,
    RECALIBRATE,
    match_table,
    match_words,
    reason,
    verdict_parts,
)
from tests.wording.grammar import assert_sentence


@pytest.mark.parametrize("code", ["groups", "outcome", "risk"])
@pytest.mark.parametrize("answer", ["yes", "partly", "no", "unknown"])
def test_each_answer_is_a_sentence(code, answer):
    values = {"answer": answer, "ari": 0.5, "held": 1, "pairs": 2, "auc": 0.7, "home": 0.8}
    assert_sentence(reason(Note(code, "hint", values)))


@pytest.mark.parametrize("p", [0.4, float("nan")])
@pytest.mark.parametrize("pairs", [0, 2])
def test_a_cut_that_nothing_bears_out_is_said_to_be_one(p, pairs):
    said = reason(Note("cut only", "warning", {"p": p, "pairs": pairs}))
    assert_sentence(said)
    assert "one cloud cut in two" in said
    assert ("not checked" in said) == (p != p)


def test_risks_are_told_with_their_interval_and_the_limit():
    values = {"answer": "no", "auc": 0.51, "low": 0.48, "high": 0.54, "limit": 0.55, "home": 0.8}
    assert "0.51 (0.48 to 0.54)" in reason(Note("risk", "hint", values))
    assert "below 0.55" in reason(Note("risk", "hint", values))
    unknown = reason(Note("risk", "hint", values | {"answer": "unknown", "high": 0.85}))
    assert "too few events to tell" in unknown
    assert_sentence(unknown)


@pytest.mark.parametrize("answer", ["yes", "no", "unknown"])
@pytest.mark.parametrize("slope", [0.4, 2.5])
def test_calibration_is_a_sentence(answer, slope):
    values = {"answer": answer, "slope": slope, "low": 0.3, "high": 3.0, "observed": 0.6}
    values |= {"slope_off": True, "level_off": True}
    assert_sentence(reason(Note("calibration", "hint", values)))


def test_calibration_that_is_not_known_has_its_figures_and_its_band():
    values = {"answer": "unknown", "slope": 0.45, "low": -0.15, "high": 1.05, "observed": 0.62}
    values |= {"observed_low": 0.35, "observed_high": 1.09, "near_low": 0.8, "near_high": 1.25}
    said = reason(Note("calibration", "hint", values | {"slope_off": False, "level_off": False}))
    assert_sentence(said)
    assert "cannot be told" in said
    assert "0.62 (0.35 to 1.09) events" in said
    assert "between 0.8 and 1.25" in said


def test_what_is_replicated_with_wrong_risks_needs_recalibration():
    verdict = Verdict("replicated", "yes", "yes", "yes", (), "no")
    assert verdict_parts(verdict)[-1].endswith(RECALIBRATE)
    assert RECALIBRATE not in verdict_parts(replace(verdict, calibration="yes"))[-1]


def test_grave_reasons_come_first_and_the_verdict_last():
    reasons = (
        Note("few events", "grave", {"events": 1}),
        Note("columns lost", "grave", {"share": 0.4}),
    )
    parts = verdict_parts(Verdict("cannot be told", "yes", "yes", "yes", reasons))
    assert parts[-1] == HEADS["cannot be told"]
    for part in parts:
        assert_sentence(part)


def test_columns_that_need_a_look_stand_first():
    matches = (
        ColumnMatch("age", "Age", "years", "matched", "age", 1.0, (20, 60, 90), 61.0),
        ColumnMatch(
            "crea",
            "Creatinine",
            "mg/dL",
            "another unit",
            "crea",
            0.9,
            units="µmol/L instead of mg/dL",
        ),
        ColumnMatch("ph", "pH", "", "absent"),
    )
    table = match_table(matches)
    assert table["Column"].tolist() == ["pH", "Creatinine", "Age"]
    assert "µmol/L" in table[""].iloc[1]
    assert_sentence(match_words(matches))
