"""Curves by hand and against scikit-learn; a weight of n is n copies of a patient."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from cacviz.engine.scoring import curves

RNG = np.random.default_rng(0)
EVENT = (RNG.random(300) < 0.3).astype(float)
RISK = np.round(np.clip(0.3 * EVENT + RNG.random(300) * 0.7, 0.01, 0.99), 2)
ORDER = curves.order_of(RISK)
ONES = np.ones(300)


def test_areas_are_those_of_scikit_learn_ties_included():
    counts = curves.counts_of(EVENT, ORDER, ONES)
    assert curves.auc(counts) == pytest.approx(roc_auc_score(EVENT, RISK))
    assert curves.average_precision(counts) == pytest.approx(average_precision_score(EVENT, RISK))


def test_a_weight_of_n_is_n_copies():
    weights = RNG.integers(0, 4, 300).astype(float)
    counts = curves.counts_of(EVENT, ORDER, weights)
    rows = np.repeat(np.arange(300), weights.astype(int))
    assert curves.auc(counts) == pytest.approx(roc_auc_score(EVENT[rows], RISK[rows]))
    again = curves.counts_of(EVENT[rows], curves.order_of(RISK[rows]), np.ones(len(rows)))
    at = np.array([0.1, 0.3, 0.5])
    assert curves.net_benefit(counts, at) == pytest.approx(curves.net_benefit(again, at))


def test_net_benefit_by_hand():
    event, risk = np.array([1.0, 0, 1, 0]), np.array([0.9, 0.6, 0.5, 0.1])
    counts = curves.counts_of(event, curves.order_of(risk), np.ones(4))
    # at 0.5 three are treated: two events, one other at odds 1
    assert curves.net_benefit(counts, np.array([0.5])) == pytest.approx([2 / 4 - 1 / 4])
    assert curves.net_benefit(counts, np.array([0.95])) == pytest.approx([0.0])
    everybody = curves.net_benefit(counts, np.array([0.1]))
    assert everybody == pytest.approx(curves.treat_all(0.5, np.array([0.1])))


def test_a_perfect_risk_and_one_outcome_only():
    event = np.array([1.0, 1, 0, 0])
    counts = curves.counts_of(event, curves.order_of(event), np.ones(4))
    at = np.array([0.0, 0.5, 1.0])
    assert curves.roc(counts, at).tolist() == [1, 1, 1]
    assert curves.precision_at(counts, at).tolist() == [1, 1, 1]
    alone = curves.counts_of(np.ones(4), curves.order_of(event), np.ones(4))
    assert np.isnan(curves.auc(alone))
    assert np.isnan(curves.roc(alone, at)).all()
