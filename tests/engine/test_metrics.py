import numpy as np
import pytest

from cacviz.engine.metrics import (
    METRICS,
    auc,
    auprc_macro,
    auprc_positive,
    resample_weights,
    resampled_scores,
    score_with_intervals,
    share_of,
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


def _patients(n_classes, n=200):
    rng = np.random.default_rng(n_classes)
    y = rng.integers(0, n_classes, n)
    proba = rng.random((n, n_classes)).round(1) + 0.3 * np.eye(n_classes)[y]  # ties on purpose
    return y, proba / proba.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_resampled_scores_equal_the_metrics_on_the_drawn_patients(n_classes):
    y, proba = _patients(n_classes)
    weights = resample_weights(len(y), n_boot=5)
    draws = resampled_scores(y, proba, weights)
    for b in range(5):
        rows = np.repeat(np.arange(len(y)), weights[b].astype(int))
        for name, metric in METRICS.items():
            assert draws[name][b] == pytest.approx(metric(y[rows], proba[rows]), abs=1e-6)


def test_interval_holds_its_value_and_is_seeded():
    y, proba = _patients(2)
    first, second = (
        score_with_intervals(y, proba, resample_weights(len(y), n_boot=50, seed=1))
        for _ in range(2)
    )
    assert first == second
    assert first["auc"].low < first["auc"].value < first["auc"].high


def test_encounters_of_a_patient_are_drawn_together():
    weights = resample_weights(6, groups=np.array([5, 5, 5, 7, 8, 8]), n_boot=20)
    assert np.array_equal(weights[:, 0], weights[:, 2])
    assert np.array_equal(weights[:, 4], weights[:, 5])


def test_wilson_interval_of_no_event_in_ten_reaches_28_percent():
    share = share_with_interval(0, 10)
    assert (share.value, share.low) == (0, 0)
    assert share.high == pytest.approx(0.2775, abs=1e-3)


def test_rows_of_one_patient_widen_the_interval_of_a_share():
    flags = np.repeat([True, False, False, True, False], 8)  # five patients, eight stays each
    alone, together = share_of(flags), share_of(flags, np.repeat(np.arange(5), 8))
    assert together.value == alone.value == 0.4
    five = share_with_interval(2, 5)
    assert (together.low, together.high) == pytest.approx((five.low, five.high))
    assert together.high - together.low > 2 * (alone.high - alone.low)


def test_stays_that_differ_within_patients_are_as_good_as_patients():
    flags = np.tile([True, False], 20)
    assert share_of(flags, np.repeat(np.arange(20), 2)) == share_of(flags)


@pytest.mark.parametrize("flag", [0, 1])
def test_a_share_of_none_or_all_is_as_sure_as_there_are_patients_and_not_rows(flag):
    rows, patients = np.full(100, flag), np.repeat(np.arange(20), 5)
    assert share_of(rows, patients) == share_of(np.full(20, flag))
    assert share_of(rows, np.arange(100)) == share_of(rows)
