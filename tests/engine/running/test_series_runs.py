"""Methods of series through the one door: hours reach them, and only where there are some."""

import csv
import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch

from cacviz.commands.main import main
from cacviz.engine.cohorts.choosing import first_choices, with_outcome, with_roles
from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.cohorts.making import changed, cohort_of
from cacviz.engine.exceptions import CohortError
from cacviz.engine.insights.elsewhere.types import Home
from cacviz.engine.insights.elsewhere.validating import validate
from cacviz.engine.insights.material import Material
from cacviz.engine.metrics import score
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.preparation.stays import grid_of, stays_of
from cacviz.engine.running.applying.predicting import Instrument, apply_run
from cacviz.engine.running.fitting import fit_run
from cacviz.engine.running.methods import METHODS, methods_for
from cacviz.engine.running.studies import comparable_methods, run_study, study_plan
from cacviz.engine.series.aligning import with_variables
from cacviz.engine.series.summaries import STATISTICS
from cacviz.engine.series.tables import series_table
from cacviz.engine.types import TEST, Outcome, RunConfig, Series, Window
from cacviz.store import cohorts, paths, runs
from tests.engine.deep.sequences.courses import courses
from tests.engine.series.record_files import records_of

pytestmark = pytest.mark.heavy
QUICK = {"pretrain_epochs": 1, "epochs": 2, "hidden": 8}
SERIES = [name for name, method in METHODS.items() if method.reads == "series"]


def records_frame(seed=0):
    """160 stays of 8 hours, a row an hour."""
    X, y, _ = courses(160, seed=seed)
    frame = pd.DataFrame(X.reshape(-1, 3), columns=["HR", "Lactate", "Temp"])
    frame["patient"], frame["hour"] = np.repeat(np.arange(160), 8), np.tile(np.arange(8), 160)
    frame["died"] = np.repeat(y, 8)
    return frame


@pytest.fixture(scope="module")
def cohort():
    table = series_table(records_of(records_frame()), Window(8))
    choices = with_outcome(first_choices(table.columns), Outcome("died"))
    return cohort_of("stays", table, choices)


@pytest.fixture(scope="module")
def run(cohort):
    return fit_run(split_cohort(cohort, 0), RunConfig("deepcac_ts", 2, **QUICK))


def test_the_registry_says_who_reads_hours():
    assert SERIES == ["deepcac_ts", "grasp_ts", "actpc_ts"]
    assert not set(SERIES) & set(methods_for(series=False))
    assert set(SERIES) < set(comparable_methods(series=True))
    assert not set(SERIES) & set(study_plan(["all"]).methods)
    assert set(SERIES) < set(study_plan(["all"], series=True).methods)


def test_a_run_on_hours_has_controls_clusters_and_a_map(run, cohort):
    assert [c.key for c in run.summary.controls] == ["k=1", "lr", "gbm"]
    assert run.proba.shape == (160, 2)
    assert sum(c.n for c in run.summary.clusters) == len(run.model.labels_)
    material = Material(cohort, run)
    assert material.space.shape == (160, 32)
    np.testing.assert_array_equal(material.routed[run.part == 0], run.clusters[run.part == 0])


@pytest.mark.parametrize("method", [pytest.param("grasp_ts", marks=pytest.mark.slow), "actpc_ts"])
def test_the_baselines_run_too(cohort, method):
    found = fit_run(split_cohort(cohort, 0), RunConfig(method, 2, **QUICK))
    assert found.summary.config.method == method
    assert np.isfinite(found.proba).all()


def test_hours_of_test_patients_change_nothing_that_was_fitted(run, cohort):
    values = cohort.series.values.copy()
    test = split_cohort(cohort, 0).rows(TEST)
    values[test] *= -3
    other = replace(cohort, series=replace(cohort.series, values=values))
    again = fit_run(split_cohort(other, 0), run.summary.config)
    np.testing.assert_array_equal(again.model.labels_, run.model.labels_)
    for name, array in run.model.get_state()[0].items():
        np.testing.assert_array_equal(again.model.get_state()[0][name], array)
    assert not np.array_equal(again.proba[test], run.proba[test])


def test_a_cohort_without_hours_is_refused_in_words():
    with pytest.raises(CohortError, match="reads hourly records"):
        fit_run(split_cohort(make_demo(200), 0), RunConfig("deepcac_ts", 2))
    with pytest.raises(CohortError, match="reads hourly records"):
        run_study(make_demo(200), study_plan(["grasp_ts"], [2], 1), on_row=lambda row: None)


def test_a_variable_whose_summaries_are_left_out_is_not_read_in_hours_either(cohort):
    static = np.zeros((160, 1))
    assert stays_of(cohort, static).hours.shape == (160, 8, 3)
    some = {f"Lactate_{s}": "left out" for s in list(STATISTICS)[1:]}
    part = changed(cohort, with_roles, some)
    assert stays_of(part, static).hours.shape == (160, 8, 3)
    without = changed(part, with_roles, {"Lactate_first": "left out"})
    found = stays_of(without, static).hours
    np.testing.assert_array_equal(found, stays_of(cohort, static).hours[:, :, [0, 2]])
    everything = {f"{v}_{s}": "left out" for v in ("HR", "Lactate", "Temp") for s in STATISTICS}
    with pytest.raises(CohortError, match="No variable"):
        stays_of(changed(cohort, with_roles, everything), static)


def test_hours_do_not_tell_an_outcome_that_is_a_summary_of_them(cohort):
    told = changed(cohort, with_outcome, Outcome("Lactate_last", cuts=(0.0,)))
    assert grid_of(told).variables == ("HR", "Temp")


def test_a_stored_model_predicts_the_same_bits(run, cohort, tmp_path, monkeypatch):
    monkeypatch.setenv(paths.DATA_DIR, str(tmp_path))
    run_id = runs.create_run(cohorts.save_cohort(cohort), run.summary.config)
    runs.save_result(runs.run_folder(run_id), run, {})
    model = runs.load_model(run_id).model
    stays = Material(cohort, run).inputs
    np.testing.assert_array_equal(model.predict_proba(stays), run.proba)


@pytest.fixture(scope="module")
def instrument(run, cohort):
    about = run.summary.config, cohort.choices, cohort.classes, torch.get_num_threads()
    return Instrument(*about, run.preparation, run.model)


def test_a_run_speaks_of_its_own_patients_with_its_own_bits(run, cohort, instrument):
    applied = apply_run(instrument, cohort.frame, cohort.series)
    np.testing.assert_array_equal(applied.proba, run.proba)
    np.testing.assert_array_equal(applied.routed.clusters, Material(cohort, run).routed)


def test_a_patient_alone_who_lacks_a_variable_is_the_patient_of_the_file(cohort, instrument):
    """Nobody measured Temp in patient 3, so a file of its own does not know the variable."""
    X, _, _ = courses(160)
    frame = pd.DataFrame(X[3], columns=["HR", "Lactate", "Temp"])
    frame["patient"], frame["hour"], frame["Temp"] = 3, np.arange(8), np.nan
    known = series_table(records_of(frame), Window(8))
    alone = with_variables(records_of(frame.drop(columns="Temp")), instrument.preparation.grid_[1])
    other = series_table(alone, Window(8))
    one, same = (apply_run(instrument, t.frame, t.series) for t in (known, other))
    np.testing.assert_array_equal(one.proba, same.proba)


def test_other_windows_and_tables_without_hours_are_refused(cohort, instrument):
    series = cohort.series
    part = Series(series.variables, *(a[:, :6] for a in (series.values, series.measured)), None)
    with pytest.raises(CohortError, match="first 8 hours"):
        apply_run(instrument, cohort.frame, part)
    with pytest.raises(CohortError, match="Give their records"):
        apply_run(instrument, cohort.frame)


def test_predict_reads_records_and_gives_the_bits_of_the_run(
    run, cohort, tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv(paths.DATA_DIR, str(tmp_path / "data"))
    run_id = runs.create_run(cohorts.save_cohort(cohort), run.summary.config)
    runs.save_result(runs.run_folder(run_id), run, {})
    file = tmp_path / "stays.csv"
    records_frame().to_csv(file, index=False)
    assert main(["predict", run_id, str(file), "--time", "hour", "--id", "patient"]) == 0
    said = capsys.readouterr()
    assert "160 patients predicted" in said.err
    rows = list(csv.reader(said.out.splitlines()))
    assert rows[0][:3] == ["patient", "subtype", "margin"]
    assert [[float(v) for v in r[3:]] for r in rows[1:]] == run.proba.tolist()
    assert main(["predict", run_id, str(file), "--time", "hour", "--window", "6"]) == 2
    assert "--window 8" in capsys.readouterr().err


def test_other_stays_are_judged_with_their_hours(run, cohort, instrument):
    other = series_table(records_of(records_frame(seed=5)), Window(8))
    home = Home(run.summary, run.clusters, run.part, cohort)
    found = validate(instrument, home, other.frame, "died", series=other.series)
    applied = apply_run(instrument, other.frame, other.series)
    assert found.auc.value == score(other.frame["died"].to_numpy(int), applied.proba)["auc"]
    assert found.n_anew == 160
    assert -1 <= found.ari <= 1
    with pytest.raises(CohortError, match="Give their records"):
        validate(instrument, home, other.frame, "died")


def test_validate_reads_records_in_the_window_of_the_run(
    run, cohort, tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv(paths.DATA_DIR, str(tmp_path / "data"))
    run_id = runs.create_run(cohorts.save_cohort(cohort), run.summary.config)
    runs.save_result(runs.run_folder(run_id), run, {})
    file = tmp_path / "other.csv"
    records_frame(seed=5).to_csv(file, index=False)
    given = ["--outcome", "died", "--time", "hour", "--id", "patient", "--json"]
    assert main(["validate", run_id, str(file), *given]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["n"] == 160
    assert "first 8 hours" in said.err
