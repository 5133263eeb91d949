"""A run in another cohort: the same population holds, a shuffled one does not, and why is told."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.exceptions import CohortError, ConfigError
from cacviz.engine.insights.elsewhere.anew import found_anew
from cacviz.engine.insights.elsewhere.calibrating import calibration_slope, observed_ratio
from cacviz.engine.insights.elsewhere.deciding import (
    Risks,
    calibration_answer,
    decide,
    groups_answer,
    pairs_of,
    risk_answer,
)
from cacviz.engine.insights.elsewhere.outcomes import classes_of
from cacviz.engine.insights.elsewhere.types import Home, Pair
from cacviz.engine.insights.elsewhere.validating import correlation, patients_of, validate
from cacviz.engine.metrics import resample_weights
from cacviz.engine.running.applying.predicting import Instrument
from cacviz.engine.types import ClusterSummary, Outcome, RunConfig, Scored

DEATH = "In-hospital_death"
SURE, GOOD = Scored(0.8, 0.75, 0.85), Scored(0.79, 0.76, 0.82)
RIGHT = Scored(1.0, 0.9, 1.1)


@pytest.fixture(scope="module")
def run(demo, demo_run):
    summary = demo_run.summary
    made = (summary.config, demo.choices, summary.classes, 1, demo_run.preparation, demo_run.model)
    home = Home(summary, demo_run.clusters, demo_run.part, demo, structure=0.02)
    return Instrument(*made), home


@pytest.fixture(scope="module")
def other():
    """Other patients of the same population."""
    return make_demo(1000, seed=7).frame


@pytest.fixture(scope="module")
def same(run, other):
    return validate(*run, other, DEATH)


def test_the_same_population_is_replicated(same):
    assert same.verdict.word == "replicated"
    assert same.ari > 0.8
    assert same.verdict.groups == "yes"
    assert sum(s.n for s in same.subtypes) == same.n == 1000
    assert sum(s.share for s in same.subtypes) == pytest.approx(1)
    assert all(s.profile_correlation > 0.95 for s in same.subtypes)
    assert {m.state for m in same.matches} == {"matched"}


def test_a_cohort_with_shuffled_columns_is_not_replicated_though_its_profiles_agree(run, other):
    rng = np.random.default_rng(0)
    shuffled = other.apply(lambda column: column.to_numpy()[rng.permutation(len(column))])
    found = validate(*run, shuffled, DEATH)
    assert found.verdict.word == "not replicated"
    assert found.verdict.groups == "no"
    # routing alone makes profiles alike: they are no evidence
    assert min(s.profile_correlation for s in found.subtypes) > 0.7
    assert all(abs(s.profile_correlation - s.profile_chance) < 0.1 for s in found.subtypes)


def test_a_cohort_with_a_shuffled_outcome_is_never_called_replicated(run, other):
    died = other[DEATH].to_numpy()[np.random.default_rng(1).permutation(len(other))]
    found = validate(*run, other.assign(**{DEATH: died}), DEATH)
    assert found.verdict.groups == "yes"
    assert found.pairs == ()  # at home no rates clearly differed: none can fail there
    assert found.auc.low < 0.5
    assert found.verdict.risk == ("no" if found.auc.high < 0.55 else "unknown")
    assert found.verdict.word == "in part"


def test_a_column_in_another_unit_and_one_that_is_missing_are_told(run, other):
    changed = other.assign(Creatinine_last=other["Creatinine_last"] * 88.4).drop(columns="Age")
    found = validate(*run, changed.rename(columns={"HR_median": "hr median"}), DEATH)
    states = {m.name: m.state for m in found.matches}
    assert states["Creatinine_last"] == "another unit"
    assert states["Age"] == "absent"
    assert states["HR_median"] == "another name"
    assert found.verdict.word in ("replicated", "in part")


def test_with_many_columns_lost_nothing_can_be_told(run, other):
    names = [c.name for c in run[0].choices.columns if c.role == "feature"]
    found = validate(*run, other.drop(columns=names[:10]), DEATH)
    assert found.verdict.word == "cannot be told"


def test_an_exported_run_is_validated_without_its_patients(run, other, same):
    instrument, home = run
    found = validate(instrument, home._replace(cohort=None), other, DEATH)
    assert found.verdict.word == same.verdict.word
    assert found.subtypes[0].profile_correlation > 0.9


def test_what_cannot_be_validated_is_said(run, other):
    with pytest.raises(CohortError, match="no column"):
        validate(*run, other, "Death")
    with pytest.raises(CohortError, match="at least 30"):
        validate(*run, other.head(20), DEATH)


@pytest.mark.parametrize(
    ("values", "classes", "codes"),
    [
        ([0.0, 1.0, np.nan], ("0", "1"), [0, 1, -1]),
        (["no", "yes", None], ("0", "1"), [0, 1, -1]),
        ([0, 1, 1], ("no", "yes"), [0, 1, 1]),
        (["B", "a", "x", "b", "a", "a", "a"], ("A", "B"), [1, 0, -1, 1, 0, 0, 0]),
    ],
)
def test_outcomes_written_otherwise_are_the_same_classes(values, classes, codes):
    assert classes_of(pd.Series(values), Outcome("y"), classes).tolist() == codes


def test_outcomes_are_cut_where_the_run_cut_them():
    found = classes_of(pd.Series([7, 8, 14, np.nan]), Outcome("los", (7, 13)), ("a", "b", "c"))
    assert found.tolist() == [0, 1, 2, -1]
    with pytest.raises(ConfigError, match="equal parts"):
        classes_of(pd.Series([7.0]), Outcome("los", quantiles=3), ("a", "b", "c"))
    with pytest.raises(CohortError, match="other values"):
        classes_of(pd.Series(["red", "blue"]), Outcome("y"), ("0", "1"))


def test_the_slope_of_true_risks_is_one_and_of_stretched_ones_a_half():
    rng = np.random.default_rng(0)
    logit = rng.normal(-1, 1, 20_000)
    y = (rng.random(20_000) < 1 / (1 + np.exp(-logit))).astype(int)

    def slope(times):
        risk = 1 / (1 + np.exp(-times * logit))
        return calibration_slope(y, np.column_stack([1 - risk, risk]))

    assert slope(1).value == pytest.approx(1, abs=0.06)
    assert slope(2).value == pytest.approx(0.5, abs=0.03)
    assert slope(1).low < 1 < slope(1).high


def test_intervals_of_repeated_patients_are_those_of_the_patients():
    """Each of 150 patients written four times: as wide as of 150, not as of 600."""
    rng = np.random.default_rng(0)
    risk = 1 / (1 + np.exp(-rng.normal(-1, 1, 150)))
    y, proba = (rng.random(150) < risk).astype(int), np.column_stack([1 - risk, risk])
    four, groups = np.repeat(np.arange(150), 4), np.repeat(np.arange(150), 4)
    drawn = resample_weights(600, groups=groups)

    def width(found):
        return found.high - found.low

    once, naive = calibration_slope(y, proba), calibration_slope(y[four], proba[four])
    fair = calibration_slope(y[four], proba[four], drawn)
    assert fair.value == pytest.approx(once.value, abs=1e-6)
    assert width(naive) < 0.6 * width(once)
    assert 0.8 * width(once) < width(fair) < 1.4 * width(once)
    level = observed_ratio(y[four], proba[four], 1, drawn)
    assert width(level) > 1.3 * width(observed_ratio(y[four], proba[four], 1))


def test_patients_with_several_rows_widen_every_interval_there(run, other):
    """Everybody stands in the file three times, with one id or with three."""
    thrice = pd.concat([other.head(300)] * 3, ignore_index=True)
    found = validate(*run, thrice, DEATH)
    naive = validate(*run, thrice.assign(RecordID=np.arange(900)), DEATH)
    pairs = [(found.auc, naive.auc), (found.calibration_slope, naive.calibration_slope)]
    pairs += [(a.rates[1], b.rates[1]) for a, b in zip(found.subtypes, naive.subtypes, strict=True)]
    for fair, narrow in pairs:
        assert fair.value == pytest.approx(narrow.value)
        assert fair.high - fair.low > 1.3 * (narrow.high - narrow.low)


def test_a_row_without_an_id_is_a_patient_of_its_own():
    ids = pd.Series(["a", None, "b", None, "a"])
    codes = patients_of(ids, np.arange(5))
    assert codes[0] == codes[4]
    assert len(set(codes)) == 4
    assert patients_of(ids, np.arange(4)) is None
    assert patients_of(None, np.arange(4)) is None


def cluster(j, n, events):
    return ClusterSummary(j, n, (n - events, events), n, (n - events, events), ())


def test_rates_that_differed_at_home_are_looked_for_there():
    home = [cluster(0, 200, 60), cluster(1, 200, 10), cluster(2, 200, 12)]
    held = pairs_of(home, np.array([[700, 300], [950, 50], [940, 60]]))
    assert [(p.first, p.second, p.state) for p in held] == [(0, 1, "held"), (0, 2, "held")]
    turned = pairs_of(home, np.array([[950, 50], [700, 300], [940, 60]]))
    assert turned[0].state == "reversed"
    flat = pairs_of(home, np.array([[900, 100], [900, 100], [900, 100]]))
    assert {p.state for p in flat} == {"weaker"}
    few = pairs_of(home, np.array([[14, 3], [13, 2], [15, 1]]))
    assert {p.state for p in few} == {"unclear"}


@pytest.mark.parametrize(
    ("events", "lost", "ari", "states", "auc", "word"),
    [
        (100, 0.0, 0.8, ["held"], GOOD, "replicated"),
        (100, 0.0, 0.8, [], GOOD, "in part"),  # a cut, and nothing that bears it out
        (100, 0.0, 0.5, ["held"], GOOD, "in part"),
        (100, 0.0, 0.8, ["held", "weaker"], GOOD, "in part"),
        (100, 0.0, 0.8, ["held"], Scored(0.65, 0.6, 0.7), "in part"),
        (100, 0.0, 0.1, ["held"], GOOD, "not replicated"),
        (100, 0.0, 0.8, ["reversed"], Scored(0.5, 0.45, 0.54), "not replicated"),
        (100, 0.0, 0.8, ["unclear"], Scored(0.5, 0.45, 0.54), "in part"),
        (12, 0.0, 0.85, ["unclear"], Scored(0.68, 0.49, 0.85), "in part"),
        (5, 0.0, 0.8, ["held"], GOOD, "cannot be told"),
        (100, 0.4, 0.8, ["held"], GOOD, "cannot be told"),
        (100, 0.0, float("nan"), ["held"], GOOD, "cannot be told"),
    ],
)
def test_the_verdict_follows_from_the_answers(events, lost, ari, states, auc, word):
    gap = Scored(0.1, 0.05, 0.15)
    pairs = [Pair(0, 1, 1, gap, gap, state) for state in states]
    risks = Risks(SURE, auc, RIGHT, RIGHT)
    found = decide(events=events, lost=lost, ari=ari, pairs=pairs, risks=risks)
    assert found.word == word
    assert found.calibration == "yes"


@pytest.mark.parametrize(("p", "word"), [(0.01, "replicated"), (0.4, "in part")])
def test_a_cut_without_an_outcome_is_replicated_only_where_its_check_found_structure(p, word):
    risks = Risks(SURE, GOOD, RIGHT, RIGHT)
    found = decide(events=100, lost=0.0, ari=0.85, pairs=[], risks=risks, structure=p)
    assert found.word == word
    assert ("cut only" in [note.code for note in found.reasons]) == (word == "in part")


@pytest.mark.parametrize(
    ("slope", "observed", "answer"),
    [
        (Scored(0.43, 0.39, 0.47), RIGHT, "no"),
        (RIGHT, Scored(0.6, 0.5, 0.7), "no"),
        (Scored(0.7, 0.3, 1.1), RIGHT, "unknown"),
        (Scored(0.45, -0.15, 1.05), Scored(0.62, 0.35, 1.09), "unknown"),
        (RIGHT, Scored(1.0, 0.7, 1.4), "unknown"),
        (Scored(0.85, 0.75, 0.95), RIGHT, "unknown"),
        (Scored(0.9, 0.85, 0.95), RIGHT, "yes"),
        (Scored(*[float("nan")] * 3), RIGHT, "unknown"),
    ],
)
def test_risks_that_are_clearly_and_far_off_need_recalibration(slope, observed, answer):
    assert calibration_answer(slope, observed) == answer


@pytest.mark.heavy
def test_a_remedy_learned_at_home_is_what_is_judged_there(run, other, same):
    found = validate(*run, other, DEATH, remedy=(0.5, (0.0, 0.0)))
    assert found.recalibrated
    assert not same.recalibrated
    assert found.calibration_slope.value == pytest.approx(2 * same.calibration_slope.value)
    assert found.auc == same.auc


def test_subtypes_of_deepcac_are_looked_for_anew_and_the_time_is_told():
    config = RunConfig("deepcac", 3, 0).having(pretrain_epochs=1, epochs=2)
    found = found_anew(make_demo(400, seed=7), np.zeros(400, dtype=int), config)
    assert found.n == 400
    assert found.seconds > 0
    assert -1 <= found.ari <= 1


def test_answers_have_their_limits():
    assert [groups_answer(a) for a in (0.9, 0.5, 0.1)] == ["yes", "partly", "no"]
    assert risk_answer(SURE, Scored(0.6, 0.4, 0.85)) == "unknown"
    assert risk_answer(Scored(0.86, 0.8, 0.9), Scored(0.68, 0.49, 0.85)) == "unknown"
    assert risk_answer(SURE, Scored(0.5, 0.46, 0.54)) == "no"
    assert risk_answer(SURE, Scored(0.65, 0.6, 0.7)) == "partly"
    assert risk_answer(Scored(0.8, 0.65, 0.95), Scored(0.65, 0.6, 0.7)) == "yes"  # home is unsure
    assert np.isnan(correlation(np.zeros(5), np.arange(5.0)))
