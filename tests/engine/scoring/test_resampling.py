"""Scores over splits: the corrected test by hand, and a bootstrap's p."""

import math

import numpy as np
import pytest
from scipy.stats import norm, ttest_rel

from cacviz.engine.running.study_statistics import OVERLAP
from cacviz.engine.scoring.resampling import corrected_test, drawn_p, mean_of


def test_the_variance_grows_by_test_over_training_patients():
    """Differences 1, 2, 3: mean 2, sd 1, so t = 2 / sqrt(1/3 + 4/9) with two degrees."""
    assert pytest.approx(4 / 9) == OVERLAP
    value, p = corrected_test([1.0, 2.0, 3.0], OVERLAP)
    t = 2 / math.sqrt(1 / 3 + 4 / 9)
    assert value.value == 2
    assert p == pytest.approx(1 - t / math.sqrt(t * t + 2))  # Student's t with 2 degrees
    assert value.high - value.value == pytest.approx(4.302653 * math.sqrt(7 / 9), rel=1e-6)


def test_without_overlap_it_is_the_plain_paired_test():
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.5, 1, 10), rng.normal(0, 1, 10)
    assert corrected_test(a - b, 0.0)[1] == pytest.approx(ttest_rel(a, b).pvalue)
    assert corrected_test(a - b, OVERLAP)[1] > ttest_rel(a, b).pvalue


def test_no_variation_and_too_few_splits():
    assert corrected_test([0.0, 0.0, 0.0], OVERLAP)[1] == 1
    assert math.isnan(corrected_test([0.1, 0.1], OVERLAP)[1])  # two equal figures prove nothing
    assert math.isnan(corrected_test([0.1], OVERLAP)[1])
    assert math.isnan(corrected_test([], OVERLAP)[0].value)


def test_a_mean_of_one_split_has_no_spread():
    one = mean_of([0.7], OVERLAP)
    assert (one.n, one.mean) == (1, 0.7)
    assert math.isnan(one.sd)
    assert math.isnan(one.low)


def test_p_of_draws_is_that_of_a_normal_of_their_spread():
    draws = np.random.default_rng(0).normal(0.02, 0.01, 500)
    expected = 2 * norm.sf(0.02 / draws.std(ddof=1))
    assert drawn_p(0.02, draws) == pytest.approx(expected)
    assert drawn_p(-0.02, draws) == pytest.approx(expected)
    gaps = np.r_[draws, math.nan]  # a draw without an event has no score
    assert drawn_p(0.02, gaps) == pytest.approx(expected)


def test_two_models_that_always_agree_do_not_differ():
    assert drawn_p(0.0, np.zeros(100)) == 1
    assert math.isnan(drawn_p(0.1, np.full(100, 0.1)))
    assert math.isnan(drawn_p(math.nan, np.zeros(100)))


def test_models_that_differ_by_rounding_only_do_not_differ():
    draws = np.random.default_rng(0).normal(0, 2e-17, 100)
    assert drawn_p(1.1e-16, draws) == 1
