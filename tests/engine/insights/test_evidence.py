import numpy as np
import pandas as pd
import pytest
from scipy import stats

from cacviz.engine.cohorts import make_cohort
from cacviz.engine.insights.evidence import (
    compare_counts,
    compare_numbers,
    held_out_tests,
    independent_rows,
)
from cacviz.engine.insights.survival import _kaplan_meier, survival_by_subtype
from cacviz.engine.types import Column, Outcome


def test_features_that_made_the_subtypes_are_never_tested(wards):
    cohort, ward = wards
    names = [t.name for t in held_out_tests(cohort, ward, np.arange(120))]
    assert names == ["died", "height"]


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
    """Same centre, 35 patients with three times the spread of 300: classical ANOVA calls 37 %."""
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


def test_rows_without_patient_id_are_patients_of_their_own():
    frame = pd.DataFrame({"id": ["a", "a", None, None, "b"], "died": [0, 1, 0, 1, 0]})
    columns = [Column("id", "category", role="patient id"), Column("died", "yesno")]
    cohort = make_cohort("c", frame, columns, Outcome("died"))
    assert independent_rows(cohort, np.arange(5)).tolist() == [0, 2, 3, 4]


def test_encounters_of_one_patient_count_once():
    frame = pd.DataFrame({"id": np.repeat(np.arange(20), 10), "died": np.repeat([0, 1], 100)})
    columns = [Column("id", "number", role="patient id"), Column("died", "yesno")]
    cohort = make_cohort("c", frame, columns, Outcome("died"))
    (test,) = held_out_tests(cohort, np.repeat([0, 1], 100), np.arange(200))
    assert test.n == 20


def test_adjusted_p_is_holms_over_all_tests(wards):
    cohort, ward = wards
    tests = held_out_tests(cohort, ward, np.arange(120))
    smaller, larger = sorted(tests, key=lambda t: t.p)
    assert smaller.p_adjusted == pytest.approx(min(1, 2 * smaller.p))
    assert larger.p_adjusted == pytest.approx(max(larger.p, smaller.p_adjusted))


def test_noise_is_seldom_called_significant():
    """Held-out patients of random subtypes: any of four tests, below 6 % over 200 cohorts."""
    found = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        frame = pd.DataFrame(rng.normal(size=(150, 3)), columns=["a", "b", "c"])
        frame["died"] = rng.integers(0, 2, 150)
        columns = [Column(n, "number", role="external check") for n in "abc"]
        cohort = make_cohort("n", frame, [*columns, Column("died", "yesno")], Outcome("died"))
        tests = held_out_tests(cohort, rng.integers(0, 3, 150), np.arange(150))
        found += any(t.significant for t in tests)
    assert found / 200 <= 0.06


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
    assert curve.at_risk[0] == 6
    assert None in curve.at_risk  # fewer than five are left
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
    """80 % are alive at 1; twenty patients a cohort, 300 cohorts."""
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
    assert "Time to Death differs" in tests[1].sentence


def test_without_time_and_event_there_is_no_survival(wards):
    cohort, ward = wards
    assert survival_by_subtype(cohort, ward, 2, np.arange(120)) is None
