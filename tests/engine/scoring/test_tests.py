"""The house's one Holm, one chi-square and one way to compare groups, against their twins."""

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from cacviz.engine.scoring.tests import (
    anova_p,
    association_p,
    chi_square,
    chi_square_p,
    compare_counts,
    compare_numbers,
    cramers_v,
    holm,
)


def test_holm_equals_statsmodels_and_leaves_gaps():
    p = [0.01, 0.04, 0.03, 0.5]
    np.testing.assert_allclose(holm(p), multipletests(p, method="holm")[1])
    adjusted = holm([0.01, math.nan, 0.04])
    assert adjusted[0] == pytest.approx(0.02)
    assert math.isnan(adjusted[1])
    assert adjusted[2] == pytest.approx(0.04)


def test_chi_square_equals_scipys():
    counts = np.array([[30.0, 20, 10], [12, 25, 33]])
    chi2, freedom = chi_square(counts)
    found = stats.chi2_contingency(counts, correction=False)
    assert chi2 == pytest.approx(found.statistic)
    assert freedom == found.dof
    assert chi_square_p(chi2, freedom) == pytest.approx(found.pvalue)
    assert cramers_v(counts) == pytest.approx(stats.contingency.association(counts.astype(int)))


def test_a_column_that_is_the_outcome_goes_with_it_and_noise_does_not():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    assert association_p(y == 1, y) < 1e-12
    assert association_p(rng.random(400) < 0.5, y) > 0.01


def test_a_class_that_only_the_missing_have_is_counted():
    y = np.array([0, 1] * 20 + [2] * 3)
    gone = np.r_[np.arange(40) % 3 == 0, [True] * 3]
    counts = np.array([np.bincount(y[side], minlength=3) for side in (gone, ~gone)])
    expected = stats.chi2_contingency(counts, correction=False).pvalue
    assert association_p(gone, y) == pytest.approx(expected)
    unknown = np.r_[y, -1, -1]
    assert association_p(np.r_[gone, True, False], unknown) == pytest.approx(expected)
    assert association_p(np.zeros(43, dtype=bool), y) == 1


def test_analysis_of_variance_from_moments_equals_scipys():
    rng = np.random.default_rng(0)
    groups = [rng.normal(m, 1, 40) for m in (0, 0.3, 0.5)]
    n = np.array([[[40.0]] * 3]).reshape(1, 3, 1)
    mean = np.array([g.mean() for g in groups]).reshape(1, 3, 1)
    variance = np.array([g.var(ddof=1) for g in groups]).reshape(1, 3, 1)
    assert float(anova_p(n, mean, variance)[0, 0]) == pytest.approx(stats.f_oneway(*groups).pvalue)


def test_small_counts_take_fisher_and_its_p():
    counts = np.array([[8.0, 2.0], [1.0, 9.0]])
    tested = compare_counts(counts)
    assert tested.test == "Fisher"
    assert tested.p == pytest.approx(stats.fisher_exact(counts).pvalue)


def test_larger_tables_with_small_counts_are_permuted_and_agree_with_scipy():
    counts = np.array([[9, 1, 4], [2, 7, 5]])
    method = stats.PermutationMethod(n_resamples=4999, rng=np.random.default_rng(0))
    expected = stats.chi2_contingency(counts, correction=False, method=method).pvalue
    tested = compare_counts(counts)
    assert tested.test == "chi-square by permutation"
    assert tested.p == pytest.approx(expected, abs=0.02)


def test_skewed_numbers_take_ranks():
    rng = np.random.default_rng(0)
    groups = np.repeat([0, 1], 50)
    assert compare_numbers(rng.normal(size=100), groups).test == "Welch's ANOVA"
    assert compare_numbers(rng.lognormal(0, 2, size=100), groups).test == "Welch's ANOVA of ranks"


@pytest.mark.parametrize("draw", [np.random.Generator.normal, np.random.Generator.laplace])
def test_a_small_subtype_of_wide_spread_is_not_called_different_by_chance(draw):
    """Same centre, 35 patients with three times the spread of 300: classical ANOVA calls 37%."""
    rng, groups = np.random.default_rng(0), np.repeat([0, 1], [35, 300])
    spread = np.where(groups == 0, 3.0, 1.0)
    p = [compare_numbers(draw(rng, size=335) * spread, groups).p for _ in range(400)]
    assert np.mean(np.array(p) < 0.05) < 0.08


def test_two_groups_give_welchs_t_test():
    rng, groups = np.random.default_rng(0), np.repeat([0, 1], [40, 60])
    values = rng.normal(size=100) + 0.5 * groups
    expected = stats.ttest_ind(values[:40], values[40:], equal_var=False).pvalue
    assert compare_numbers(values, groups).p == pytest.approx(expected)


def test_groups_without_any_spread_are_compared_by_ranks():
    assert compare_numbers(np.repeat([1.0, 2.0], 10), np.repeat([0, 1], 10)).p < 0.001
