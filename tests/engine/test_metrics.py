import numpy as np
import pytest

from cacviz.engine.metrics import (
    auc,
    auprc_macro,
    auprc_positive,
    score_with_intervals,
    share_with_interval,
)

Y = np.array([0, 0, 1, 1])
PROBA = np.array([[0.9, 0.1], [0.4, 0.6], [0.6, 0.4], [0.2, 0.8]])


def test_four_patients_score_as_a_pencil_says():
    # positive ranked .8+ .6- .4+ .1-: precision 1 and 2/3; negative ranked .9+ .6- .4+ .2-: alike
    assert auprc_positive(Y, PROBA) == pytest.approx(5 / 6)
    assert auprc_macro(Y, PROBA) == pytest.approx(5 / 6)
    assert auc(Y, PROBA) == pytest.approx(3 / 4)


def test_a_class_that_nobody_has_is_left_out_not_counted_as_zero():
    proba = np.column_stack([PROBA, np.zeros(4)])
    assert auc(Y, proba) == pytest.approx(auc(Y, PROBA))


def test_one_class_only_has_no_auc():
    assert np.isnan(auc(np.zeros(4, dtype=int), PROBA))


def test_interval_holds_its_value_and_is_seeded():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    risk = np.clip(0.3 * y + rng.random(200) * 0.7, 0, 1)
    proba = np.column_stack([1 - risk, risk])
    first, second = (score_with_intervals(y, proba, n_boot=50, seed=1) for _ in range(2))
    assert first == second
    assert first["auc"].low < first["auc"].value < first["auc"].high


def test_wilson_interval_of_no_event_in_ten_reaches_28_percent():
    share = share_with_interval(0, 10)
    assert (share.value, share.low) == (0, 0)
    assert share.high == pytest.approx(0.2775, abs=1e-3)
