"""A study's statistics, by hand and against scikit-learn and statsmodels."""

import math

import numpy as np
import pytest
from scipy.stats import ttest_rel
from sklearn.metrics import adjusted_rand_score
from statsmodels.stats.multitest import multipletests

from cacviz.engine import study_statistics as statistics
from cacviz.engine.study_statistics import OVERLAP, corrected_test, crossing, differences, holm


def rows(**scores):
    """Rows of a study from `method_k=[score a split, …]`."""
    found = []
    for name, values in scores.items():
        method, k = name.rsplit("_", 1)
        for split, value in enumerate(values):
            row = {"method": method, "clusters": int(k), "split": split}
            found.append(row | dict.fromkeys(("auprc_macro", "auc"), value))
    return found


def test_the_variance_grows_by_test_over_training_patients():
    """Differences 1, 2, 3: mean 2, sd 1, so t = 2 / sqrt(1/3 + 4/9) with two degrees."""
    assert pytest.approx(4 / 9) == OVERLAP
    value, p = corrected_test([1.0, 2.0, 3.0])
    t = 2 / math.sqrt(1 / 3 + 4 / 9)
    assert value.value == 2
    assert p == pytest.approx(1 - t / math.sqrt(t * t + 2))  # Student's t with 2 degrees
    assert value.high - value.value == pytest.approx(4.302653 * math.sqrt(7 / 9), rel=1e-6)


def test_the_corrected_test_is_more_careful_than_the_plain_one():
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.5, 1, 10), rng.normal(0, 1, 10)
    assert corrected_test(a - b)[1] > ttest_rel(a, b).pvalue


def test_no_variation_and_too_few_splits():
    assert corrected_test([0.0, 0.0, 0.0])[1] == 1
    assert math.isnan(corrected_test([0.1, 0.1])[1])  # two equal figures prove nothing
    assert math.isnan(corrected_test([0.1])[1])
    assert math.isnan(corrected_test([])[0].value)


def test_holm_equals_statsmodels_and_leaves_gaps():
    p = [0.01, 0.04, 0.03, 0.5]
    np.testing.assert_allclose(holm(p), multipletests(p, method="holm")[1])
    adjusted = holm([0.01, math.nan, 0.04])
    assert adjusted[0] == pytest.approx(0.02)
    assert math.isnan(adjusted[1])
    assert adjusted[2] == pytest.approx(0.04)


def test_differences_pair_the_splits_that_both_have():
    found = rows(lr_1=[0.5, 0.6, 0.7], cac_1=[0.4] * 3, cac_3=[0.61, 0.69, 0.81])
    found += [{"method": "cac", "clusters": 3, "split": 9, "auprc_macro": 0.0, "auc": 0.0}]
    (against,) = differences(found, "lr")
    assert against.entry == ("cac", 3)
    assert against.n == 3
    assert against.value.value == pytest.approx(0.31 / 3)
    assert against.word == "better"
    (own,) = differences(found, "k=1")
    assert own.control == ("cac", 1)
    assert not differences(found, "gbm")


def test_an_undefined_score_is_left_out():
    found = rows(lr_1=[0.5, math.nan, 0.7])
    assert statistics.means(found)[("lr", 1)].n == 2


BASE = [0.70, 0.71, 0.69, 0.72, 0.70]


def shifted(by):
    jitter = np.random.default_rng(round(1e4 * by)).normal(0, 0.001, len(BASE))
    return [x + by + d for x, d in zip(BASE, jitter, strict=True)]


def test_the_verdict_says_when_subtypes_help():
    said = statistics.verdict(
        rows(lr_1=BASE, gbm_1=shifted(0.001), deepcac_1=shifted(0), deepcac_3=shifted(0.05)),
        "death",
    )
    assert "DeepCAC with 3 subtypes has a mean AUPRC for death" in said
    assert "better than the same method with one subtype (+0.0" in said
    assert "95 % interval +0.0" in said
    assert "does not help" not in said


def test_the_verdict_says_when_they_do_not():
    said = statistics.verdict(
        rows(lr_1=BASE, gbm_1=shifted(0.05), deepcac_1=shifted(0), deepcac_3=shifted(0.0002))
    )
    assert "worse than gradient boosting (-0.0" in said
    assert "no clear difference to" in said
    assert said.endswith(
        "Clustering does not help prediction here; the subtypes may still describe patients."
    )


def test_the_verdict_does_not_credit_subtypes_with_what_one_subtype_does_as_well():
    said = statistics.verdict(
        rows(lr_1=BASE, gbm_1=BASE, deepcac_1=shifted(0.05), deepcac_3=shifted(0.0502))
    )
    assert "better than logistic regression" in said
    assert "over one subtype it is not shown" in said


def test_few_splits_that_show_no_gain_do_not_rule_it_out():
    said = statistics.verdict(
        rows(lr_1=[0.6, 0.7], gbm_1=[0.6, 0.7], cac_1=[0.6, 0.7], cac_3=[0.64, 0.79])
    )
    assert "not shown here, nor ruled out" in said


def test_a_control_that_ranks_nobody_is_no_yardstick():
    found = rows(lr_1=BASE, gbm_1=BASE, actpc_1=[0.5] * 5, actpc_3=shifted(0))
    assert not differences(found, "k=1")
    said = statistics.verdict(found)
    assert "one subtype" not in said
    assert "Clustering does not help prediction here" in said


def test_one_split_gives_no_verdict_yet():
    said = statistics.verdict(rows(lr_1=[0.6], gbm_1=[0.6], cac_1=[0.6], cac_3=[0.7]))
    assert "two splits or more" in said
    assert statistics.verdict(rows(lr_1=[0.6])) == ""


@pytest.mark.parametrize("seed", range(5))
def test_agreement_equals_scikit_learns(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 3, 60), rng.integers(0, 4, 60)
    counts = crossing(a, b)
    assert counts.sum() == 60
    assert counts[1, 2] == np.count_nonzero((a == 1) & (b == 2))
    assert statistics.adjusted_rand_index(counts) == pytest.approx(adjusted_rand_score(a, b))
    assert statistics.adjusted_rand_index(crossing(a, a)) == pytest.approx(1)


def test_agreement_of_one_cluster_with_itself():
    ones = np.zeros(10, dtype=int)
    assert statistics.adjusted_rand_index(crossing(ones, ones)) == 1


def test_limits_over_patients_are_averaged_over_splits():
    rows = [
        {
            "method": "cac",
            "clusters": 3,
            "split": s,
            "auprc_macro_low": low,
            "auprc_macro_high": 0.8,
        }
        for s, low in enumerate((0.6, 0.7))
    ]
    assert statistics.limits_text(rows, ("cac", 3)) == "0.650 to 0.800"
    assert statistics.limits_text(rows, ("cac", 2)) == ""
