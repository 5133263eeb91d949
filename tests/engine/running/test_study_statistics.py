"""What a study says: pairs of splits, limits, and the verdict over them, typed and in words."""

import math

import numpy as np
import pytest

from cacviz.engine.running.study_statistics import (
    METRIC_NAMES,
    compared,
    differences,
    entries,
    limits_of,
    means,
    verdict,
    verdicts,
)
from cacviz.wording.verdicts import verdict_sentence


def rows(**scores):
    """Rows of a study from `method_k=[score a split, …]`."""
    found = []
    for name, values in scores.items():
        method, k = name.rsplit("_", 1)
        for split, value in enumerate(values):
            row = {"method": method, "clusters": int(k), "split": split}
            found.append(row | dict.fromkeys(METRIC_NAMES, value))
    return found


def test_differences_pair_the_splits_that_both_have():
    found = rows(lr_1=[0.5, 0.6, 0.7], cac_1=[0.4] * 3, cac_3=[0.61, 0.69, 0.81])
    found += [{"method": "cac", "clusters": 3, "split": 9, "auprc_macro": 0.0, "auc": 0.0}]
    (against,) = differences(found, "lr", 2)
    assert against.entry == ("cac", 3)
    assert against.n == 3
    assert against.value.value == pytest.approx(0.31 / 3)
    assert against.word == "better"
    (own,) = differences(found, "k=1", 2)
    assert own.control == ("cac", 1)
    assert not differences(found, "gbm", 2)


def test_differences_from_one_control_are_adjusted_for_their_number():
    many = rows(lr_1=BASE, cac_2=shifted(0.002), cac_3=shifted(0.003), cac_4=shifted(0.004))
    one = [r for r in many if (r["method"], r["clusters"]) in (("lr", 1), ("cac", 2))]
    (alone,) = differences(one, "lr", 2)
    beside = next(d for d in differences(many, "lr", 2) if d.entry == ("cac", 2))
    assert alone.adjusted == alone.p == beside.p
    assert beside.adjusted > beside.p


def test_an_undefined_score_is_left_out():
    found = rows(lr_1=[0.5, math.nan, 0.7])
    assert means(found)[("lr", 1)].n == 2


def test_the_limits_of_a_mean_are_scores_too():
    found = rows(lr_1=[0.99, 0.8, 0.99], gbm_1=[0.01, 0.2, 0.01])
    high, low = (means(found)[entry, 1] for entry in ("lr", "gbm"))
    assert high.low < high.mean < high.high == 1.0
    assert low.high > low.mean > low.low == 0.0


BASE = [0.70, 0.71, 0.69, 0.72, 0.70]


def shifted(by):
    jitter = np.random.default_rng(round(1e4 * by)).normal(0, 0.001, len(BASE))
    return [x + by + d for x, d in zip(BASE, jitter, strict=True)]


def test_the_verdict_says_when_subtypes_help():
    found = verdict(
        rows(lr_1=BASE, gbm_1=shifted(0.001), deepcac_1=shifted(0), deepcac_3=shifted(0.05)), 2
    )
    assert (found.conclusion, found.method, found.n_clusters) == ("helps", "deepcac", 3)
    assert (found.n_splits, len(found.standings)) == (5, 3)
    said = verdict_sentence(found, "death")
    assert said.startswith(
        "Over 5 splits DeepCAC with 3 subtypes predicts death with an AUPRC of 0.75"
    )
    assert "splits): clearly better than the same method with one subtype (k = 1) by +0.0" in said
    assert said.endswith("Clustering helps prediction here.")


def test_the_verdict_says_when_they_do_not():
    found = verdict(
        rows(lr_1=BASE, gbm_1=shifted(0.05), deepcac_1=shifted(0), deepcac_3=shifted(0.0002)), 2
    )
    assert found.conclusion == "no help"
    said = verdict_sentence(found)
    assert "clearly worse than gradient boosting by 0.0" in said
    assert "no clear difference from" in said
    assert said.endswith(
        "Clustering does not help prediction here. The subtypes may still describe patients."
    )


@pytest.mark.parametrize(("spread", "conclusion"), [(0.0, "no help"), (0.03, "method")])
def test_the_verdict_does_not_credit_subtypes_with_what_one_subtype_does_as_well(
    spread, conclusion
):
    """Where the splits agree, a gain over one subtype is ruled out; else it is not shown."""
    wobble = np.array([1, -1, 1, -1, 0]) * spread
    three = [float(a + b) for a, b in zip(shifted(0.0702), wobble, strict=True)]
    found = verdict(rows(lr_1=BASE, gbm_1=BASE, deepcac_1=shifted(0.07), deepcac_3=three), 2)
    assert found.conclusion == conclusion
    said = verdict_sentence(found)
    assert "better than logistic regression" in said
    assert "Clustering helps prediction" not in said


def test_few_splits_that_show_no_gain_do_not_rule_it_out():
    found = verdict(
        rows(
            lr_1=[0.6, 0.7, 0.65],
            gbm_1=[0.6, 0.7, 0.65],
            cac_1=[0.6, 0.7, 0.65],
            cac_3=[0.64, 0.79, 0.64],
        ),
        2,
    )
    assert found.conclusion == "not shown"
    assert "not shown here, nor is it ruled out" in verdict_sentence(found)


def test_a_control_that_ranks_nobody_is_no_yardstick():
    found = rows(lr_1=BASE, gbm_1=BASE, actpc_1=[0.5] * 5, actpc_3=shifted(0))
    assert not differences(found, "k=1", 2)
    assert verdict(found, 2).conclusion == "untested"
    assert [s.control for s in verdict(found, 2).standings] == ["lr", "gbm"]


def test_one_split_gives_no_verdict_yet():
    found = verdict(rows(lr_1=[0.6], gbm_1=[0.6], cac_1=[0.6], cac_3=[0.7]), 2)
    assert found.conclusion == "one split"
    assert "0.700: +0.100 against the same method" in verdict_sentence(found)
    assert "Three splits or more" in verdict_sentence(found)
    assert verdict(rows(lr_1=[0.6]), 2) is None


def test_two_splits_that_happen_to_agree_give_no_verdict_and_no_interval():
    """On 68 held-out patients a gain of .005 in both of two splits was once certain."""
    twice = rows(lr_1=[0.95, 0.94], gbm_1=[0.94, 0.93], cac_1=[0.95, 0.94], cac_3=[0.955, 0.9452])
    assert verdict(twice, 2).conclusion == "one split"
    (found,) = differences(twice, "lr", 2)
    assert found.word == "not known"
    assert found.value.value == pytest.approx(0.0051)
    assert np.isnan(found.value.low)


def test_limits_over_patients_are_averaged_over_splits():
    found = [
        {
            "method": "cac",
            "clusters": 3,
            "split": s,
            "auprc_macro_low": low,
            "auprc_macro_high": 0.8,
        }
        for s, low in enumerate((0.6, 0.7))
    ]
    assert limits_of(found, ("cac", 3)) == pytest.approx((0.65, 0.8))
    assert limits_of(found, ("cac", 2)) is None


def test_every_entry_with_subtypes_has_a_verdict_of_its_own_the_best_first():
    found = rows(gbm_1=[0.9, 0.9], cac_1=[0.8, 0.8], cac_2=[0.6, 0.7], cac_3=[0.7, 0.7])
    assert [v.n_clusters for v in verdicts(found, 2)] == [3, 2]
    assert verdict(found, 2) == verdicts(found, 2)[0]
    assert verdict(rows(gbm_1=[0.9]), 2) is None


def test_everything_at_once_is_each_part_by_itself():
    found = rows(lr_1=BASE, gbm_1=BASE, cac_1=shifted(0), cac_3=shifted(0.01))
    whole = compared(found, 2)
    assert list(whole.entries) == entries(found)
    assert dict(whole.means["auc"]) == means(found, "auc")
    assert list(whole.differences["k=1"]["auc"]) == differences(found, "k=1", 2, "auc")
    assert whole.verdict == verdict(found, 2)
