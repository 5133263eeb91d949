"""Calibration: what was planted is found, and the remedy mends it on other patients."""

import numpy as np
import pytest

from cacviz.engine.scoring import calibration as cal


def patients(seed, n=4000, slope=1.0, shift=0.0):
    """Risks that say log odds z, where the truth is shift + slope · z."""
    rng = np.random.default_rng(seed)
    z = rng.normal(-1, 1.2, n)
    truth = 1 / (1 + np.exp(-(shift + slope * z)))
    return (rng.random(n) < truth).astype(float), 1 / (1 + np.exp(-z))


def line(event, risk):
    return cal.calibration_lines(event, cal.log_odds(risk), [np.ones(len(risk))])[0]


def test_true_risks_have_slope_1_and_intercept_0():
    found = line(*patients(0))
    assert found.slope == pytest.approx(1, abs=0.1)
    assert found.intercept == pytest.approx(0, abs=0.1)


def test_risks_that_are_too_extreme_have_a_slope_below_1():
    assert line(*patients(1, slope=0.5)).slope == pytest.approx(0.5, abs=0.07)


def test_the_remedy_learned_from_some_mends_others():
    event, risk = patients(2, n=20_000, slope=0.5, shift=0.7)
    proba = np.column_stack([1 - risk, risk])
    slope, shifts = cal.fit_recalibration(event[:10_000].astype(int), proba[:10_000])
    assert slope == pytest.approx(0.5, abs=0.1)
    assert shifts[1] == pytest.approx(0.7, abs=0.2)
    after = cal.recalibrated(proba, slope, shifts)
    assert after.sum(axis=1) == pytest.approx(1)
    found = line(event[10_000:], after[10_000:, 1])
    assert found.slope == pytest.approx(1, abs=0.15)
    assert found.intercept == pytest.approx(0, abs=0.15)
    ones = np.ones(10_000)
    assert cal.brier(event[10_000:], after[10_000:, 1], ones) < cal.brier(
        event[10_000:], risk[10_000:], ones
    )


def test_three_classes_are_recalibrated_together():
    rng = np.random.default_rng(3)
    proba = rng.dirichlet([2, 2, 2], 3000)
    y = np.array([rng.choice(3, p=p) for p in proba])
    sharp = proba**2 / (proba**2).sum(axis=1, keepdims=True)
    slope, _ = cal.fit_recalibration(y, sharp)
    assert slope == pytest.approx(0.5, abs=0.06)


def test_what_cannot_be_fitted_is_no_number():
    event, risk = np.array([0.0, 0, 1, 1]), np.array([0.1, 0.2, 0.8, 0.9])
    assert np.isnan(line(event, risk).slope)  # told apart without a fault: no finite slope
    assert cal.fit_recalibration(np.zeros(4, int), np.column_stack([1 - risk, risk])) is None


def test_bins_hold_everybody_once_and_equal_risks_stay_together():
    event, risk = patients(4, n=400)
    bins = cal.bins_of(event, risk)
    assert len(bins) == 10
    assert sum(b.n for b in bins) == 400
    assert sum(b.events for b in bins) == event.sum()
    (alone,) = cal.bins_of(event, np.full(400, 0.25))
    assert alone.n == 400
