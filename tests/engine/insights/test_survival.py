"""Survival by subtype on held-out patients: by hand, its limits, and log-rank."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.insights.described.evidence import held_out_tests
from cacviz.engine.insights.described.survival import _kaplan_meier, survival_by_subtype
from cacviz.engine.types import Column, Outcome
from cacviz.wording import tables


@pytest.fixture
def followed():
    """Two arms; in the second one events come three times as fast."""
    rng = np.random.default_rng(0)
    arm = np.repeat([0, 1], 100)
    days = rng.exponential(np.where(arm == 0, 300.0, 100.0))
    frame = pd.DataFrame({"days": np.minimum(days, 365), "event": (days < 365).astype(int)})
    frame["died"] = frame["event"]
    columns = [
        Column("days", "number", role="time", label="Days", unit="d"),
        Column("event", "yesno", role="event", label="Death"),
        Column("died", "yesno"),
    ]
    return make_cohort("f", frame, columns, Outcome("died")), arm


def test_kaplan_meier_by_hand():
    frame = pd.DataFrame(
        {"days": [1.0, 2, 2, 3, 4, 5], "event": [1, 1, 0, 1, 0, 1], "died": [1, 1, 0, 1, 0, 1]}
    )
    columns = [Column("days", "number", role="time"), Column("event", "yesno", role="event")]
    cohort = make_cohort("h", frame, [*columns, Column("died", "yesno")], Outcome("died"))
    made = survival_by_subtype(cohort, np.zeros(6, dtype=int), 1, np.arange(6))
    (curve,) = made.curves
    expected = [1, 5 / 6, 5 / 6 * 4 / 5, 5 / 6 * 4 / 5 * 2 / 3, 0]
    assert curve.survival == pytest.approx(expected)
    assert curve.high[-1] > 0 == curve.low[-1]  # nobody is left, which proves little of so few
    assert dict(zip(made.ticks, curve.at_risk, strict=True)) == {
        t: sum(d >= t for d in frame["days"]) for t in made.ticks
    }
    assert np.isnan(made.p)


def test_a_subtype_without_events_is_drawn_to_its_last_follow_up():
    frame = pd.DataFrame({"days": np.arange(1.0, 21), "event": [0] * 10 + [1] * 10})
    frame["died"] = frame["event"]
    columns = [Column("days", "number", role="time"), Column("event", "yesno", role="event")]
    cohort = make_cohort("n", frame, [*columns, Column("died", "yesno")], Outcome("died"))
    made = survival_by_subtype(cohort, np.repeat([0, 1], 10), 2, np.arange(20))
    assert made.curves[0].times == (0.0, 10.0)
    assert made.curves[0].survival == (1.0, 1.0)


def test_limits_of_survival_cover_the_truth_with_few_patients():
    """80% are alive at 1; twenty patients a cohort, 300 cohorts."""
    rng, covered = np.random.default_rng(0), 0
    for _ in range(300):
        days = rng.exponential(-1 / np.log(0.8), size=20)
        times, _, low, high = _kaplan_meier(np.minimum(days, 3), (days < 3).astype(int))
        at = np.searchsorted(times, 1.0, side="right") - 1
        covered += low[at] <= 0.8 <= high[at]
    assert covered / 300 > 0.92


def test_log_rank_finds_faster_events_and_joins_the_adjusted_tests(followed):
    cohort, arm = followed
    made = survival_by_subtype(cohort, arm, 2, np.arange(200))
    assert made.p < 1e-4
    tests = held_out_tests(cohort, arm, np.arange(200), survival=made)
    assert [t.test for t in tests] == ["chi-square", "log-rank"]
    words = tables.test_sentence(tests[1])
    assert words.startswith("Time to the event (Death) differs between the subtypes on 200")
    assert "adjusted p < 0.001" in words


def test_numbers_at_risk_below_five_are_shown_and_hidden_where_that_is_asked_for(followed):
    cohort, arm = followed
    made = survival_by_subtype(cohort, arm, 2, np.arange(200))
    few = [n for c in made.curves for n in c.at_risk if 0 < n < 5]
    assert few
    shown = tables.at_risk_table(made, ("A", "B")).to_numpy().ravel().tolist()
    hidden = tables.at_risk_table(made, ("A", "B"), hide=True).to_numpy().ravel().tolist()
    assert shown == [f"{n:,}" for c in made.curves for n in c.at_risk]
    assert [h for s, h in zip(shown, hidden, strict=True) if s != h] == ["hidden"] * len(few)


def test_without_time_and_event_there_is_no_survival(wards):
    cohort, ward = wards
    assert survival_by_subtype(cohort, ward, 2, np.arange(120)) is None
