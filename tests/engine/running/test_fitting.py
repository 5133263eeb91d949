"""One run through the one door: nothing from held-out patients, controls beside it, words."""

from dataclasses import replace

import numpy as np
import pytest

from cacviz.engine.cac.critical import expected_critical_alpha
from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.exceptions import CohortError, ConfigError
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running.controls import control_configs
from cacviz.engine.running.fitting import fit_run
from cacviz.engine.running.methods import METHODS, build_model
from cacviz.engine.types import TEST, TRAIN, RunConfig, Split
from cacviz.wording.notes import sentence
from cacviz.wording.verdicts import verdict_sentence

LIGHT = [m for m in METHODS if not METHODS[m].deep]  # the deep ones have own tests


@pytest.fixture(scope="module")
def split():
    return split_cohort(make_demo(600), seed=0)


@pytest.fixture(scope="module")
def reported():
    """The rows that the run reported while it was fitted."""
    return []


@pytest.fixture(scope="module")
def run(split, reported):
    return fit_run(split, RunConfig(n_clusters=2), on_step=reported.append)


def test_the_controls_stand_beside_the_result(run):
    assert [c.key for c in run.summary.controls] == ["k=1", "kmeans", "lr", "gbm"]
    for control in run.summary.controls:
        gap = run.summary.test["auprc_macro"].value - control.scores["auprc_macro"].value
        assert control.difference.value == pytest.approx(gap)


def test_every_patient_has_a_cluster_and_probabilities(run, split):
    n = split.cohort.n_patients
    assert run.clusters.shape == (n,)
    assert run.proba.sum(axis=1) == pytest.approx(np.ones(n))
    assert run.map2d.shape == (n, 2)


def test_cluster_counts_add_up_to_the_training_and_test_patients(run, split):
    assert sum(c.n for c in run.summary.clusters) == np.count_nonzero(split.part == TRAIN)
    assert sum(c.n_test for c in run.summary.clusters) == np.count_nonzero(split.part == TEST)


def test_same_seed_gives_the_same_run(split, run):
    again = fit_run(split, RunConfig(n_clusters=2))
    assert np.array_equal(again.proba, run.proba)
    assert again.summary.test == run.summary.test


def test_changing_test_patients_changes_nothing_that_was_fitted(split, run):
    cohort, test = split.cohort, split.rows(TEST)
    frame = cohort.frame.copy()
    shuffled = np.random.default_rng(0).permutation(test)
    features = cohort.names("feature")
    frame.loc[frame.index[test], features] = frame.loc[frame.index[shuffled], features].to_numpy()
    y = cohort.y.copy()
    y[test] = y[shuffled]
    other = Split(replace(cohort, frame=frame, y=y), split.part, split.seed)
    again = fit_run(other, RunConfig(n_clusters=2))
    assert np.array_equal(again.model.centroids_, run.model.centroids_)
    assert np.array_equal(again.clusters[split.part != TEST], run.clusters[split.part != TEST])
    assert np.array_equal(again.proba[split.part != TEST], run.proba[split.part != TEST])


def test_the_verdict_weighs_the_run_against_its_controls(run):
    verdict = run.summary.verdict
    assert [s.control for s in verdict.standings] == ["k=1", "kmeans", "lr", "gbm"]
    assert verdict.score == run.summary.test["auprc_macro"].value
    held_out = [c.test_counts for c in run.summary.clusters]
    assert verdict.events == min(np.sum(held_out, axis=0))
    assert (verdict.n_splits, verdict.n_clusters, verdict.method) == (1, 2, "cac")


def test_below_forty_events_the_verdict_claims_nothing(run):
    assert run.summary.verdict.events < 40
    assert run.summary.verdict.conclusion == "too few"
    assert "held-out patients" in verdict_sentence(run.summary.verdict)


def test_a_method_without_subtypes_has_no_verdict_on_them(split):
    assert fit_run(split, RunConfig("lr")).summary.verdict is None


def test_alpha_beyond_critical_is_said_in_words(split):
    note = fit_run(split, RunConfig(n_clusters=2, alpha=0.6)).summary.notes[0]
    assert (note.code, note.severity) == ("collapsed", "grave")
    assert note.values["alpha"] == 0.6 > note.values["critical"]
    words = sentence(note)
    assert "beyond its critical value" in words
    assert "collapsed" in words


def test_the_critical_value_before_a_run_is_that_of_the_run(split, run):
    config = RunConfig(n_clusters=2)
    assert expected_critical_alpha(split, config) == pytest.approx(run.summary.critical_alpha)


def test_too_many_subtypes_are_refused_with_a_number_that_works(split):
    with pytest.raises(CohortError, match="Use 33 or fewer"):
        fit_run(split, RunConfig(n_clusters=80))


def test_an_unknown_method_lists_those_there_are():
    with pytest.raises(ConfigError, match="cac, kmeans"):
        build_model(RunConfig(method="magic"))


@pytest.mark.parametrize("name", LIGHT)
def test_every_light_method_fits_through_the_door(split, name):
    summary = fit_run(split, RunConfig(method=name, n_clusters=2)).summary
    assert 0.5 < summary.test["auc"].value < 1


def test_a_control_that_gives_everyone_the_same_risk_is_no_yardstick():
    beside = {m: control_configs(RunConfig(method=m)) for m in ("actpc", "grasp", "cac")}
    assert [c.key for c in beside["actpc"]] == ["lr", "gbm"]
    assert [c.key for c in beside["grasp"]] == ["k=1", "lr", "gbm"]
    assert [c.key for c in beside["cac"]] == ["k=1", "kmeans", "lr", "gbm"]


def test_a_run_is_never_its_own_control():
    for name in ("cac", "kmeans", "lr", "gbm", "plain"):
        config = RunConfig(method=name, n_clusters=2)
        assert config not in [c.config for c in control_configs(config)]
        assert config.method not in [c.key for c in control_configs(config)]


def test_cac_with_other_risk_models_stands_beside_its_own_k_of_one():
    found = control_configs(RunConfig("cac", 3, expert="xgb", alpha=0.1))
    assert [c.key for c in found] == ["k=1", "kmeans", "lr", "gbm"]
    one, kmeans, lr, _ = (c.config for c in found)
    assert (one.n_clusters, one.get("expert")) == (1, "xgb")
    assert (kmeans.n_clusters, kmeans.get("expert"), kmeans.get("alpha")) == (3, "xgb", None)
    assert lr.get("alpha") is None


def test_progress_is_reported_by_phase(run, reported):
    phases = list(dict.fromkeys(row["phase"] for row in reported))
    assert phases == ["prepare", "cluster", "controls", "describe"]


@pytest.mark.parametrize(
    ("file", "settings", "least_auc"),
    [
        ("cohorts/uci_heart.csv.gz", {"outcome": "y"}, 0.8),
        ("cohorts/uci_saheart.csv.gz", {"outcome": "y"}, 0.6),
        ("cohorts/gbsg2.csv.gz", {"outcome": "y_730", "drop": ["time", "cens"]}, 0.55),
    ],
)
def test_small_real_cohorts_give_sensible_figures(shared_data, file, settings, least_auc):
    from cacviz.engine.cohorts.making import read_cohort

    cohort = read_cohort(shared_data / file, **settings)
    summary = fit_run(split_cohort(cohort), RunConfig(n_clusters=2)).summary
    assert summary.test["auc"].value > least_auc


def test_patients_without_id_do_not_stop_a_run(split):
    cohort = split.cohort
    frame = cohort.frame.assign(RecordID=cohort.frame["RecordID"].astype(object))
    frame.loc[frame.index % 5 == 0, "RecordID"] = None
    gaps = make_cohort("gaps", frame, cohort.columns, cohort.outcome)
    run = fit_run(split_cohort(gaps, 0), RunConfig(method="kmeans", n_clusters=2))
    assert sum(c.n_test for c in run.summary.clusters) == (run.part == TEST).sum()
