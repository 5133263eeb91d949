"""Studies: paired splits, the controls always in, nothing computed twice."""

import pytest

from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.exceptions import CohortError, ConfigError, Stopped
from cacviz.engine.metrics import auprc_macro
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running import studies
from cacviz.engine.running.fitting import fit_model, prepare
from cacviz.engine.running.studies import (
    COLUMNS,
    LIMITS,
    MORE,
    Cell,
    cell_of,
    run_cell,
    run_study,
    study_plan,
)


@pytest.fixture(scope="module")
def cohort():
    return make_demo(400)


def test_the_controls_and_one_cluster_are_always_in():
    cells = study_plan(["cac"], [2, 3], 2).cells()
    once = [("lr", 1), ("gbm", 1), ("cac", 1), ("cac", 2), ("cac", 3)]
    assert cells == [Cell(*pair, split) for split in (0, 1) for pair in once]


def test_all_means_every_method_with_clusters():
    plan = study_plan(["all"])
    deep = {"deepcac", "kmeans_z", "dcn_z", "idec_z", "dmnn", "actpc", "grasp"}
    assert set(plan.methods) == {"cac", "kmeans"} | deep


@pytest.mark.parametrize(
    ("methods", "clusters", "splits", "said"),
    [
        (["magic"], [3], 5, "no method 'magic'"),
        (["lr"], [3], 5, "finds subtypes"),
        (["plain"], [3], 5, "finds no subtypes"),
        (["cac"], [0], 5, "between 1 and"),
        (["cac"], [], 5, "between 1 and"),
        (["cac"], [3], 0, "number of splits"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_in_words(methods, clusters, splits, said):
    with pytest.raises(ConfigError, match=said):
        study_plan(methods, clusters, splits)


def test_a_row_is_the_fit_of_its_split(cohort):
    plan, cell = study_plan(["cac"], [2], 2), Cell("cac", 2, 1)
    row = run_cell(cohort, plan, cell)
    assert tuple(row) == (*COLUMNS, *LIMITS, *MORE)
    assert row[LIMITS[0]] < row["auprc_macro"] < row[LIMITS[1]]
    parts = prepare(split_cohort(cohort, 1), plan.config(cell))[1]
    model = fit_model(parts, plan.config(cell))
    expected = auprc_macro(parts.y[parts.test], model.predict_proba(parts.prepared.X[parts.test]))
    assert row["auprc_macro"] == expected
    assert -1 < row["silhouette"] < 1
    assert run_cell(cohort, plan, Cell("lr", 1, 1))["silhouette"] == 0


def test_a_stopped_study_goes_on_without_computing_anything_twice(cohort, monkeypatch):
    plan, rows, fitted = study_plan(["kmeans"], [2], 2), [], []
    real = studies.run_cell
    monkeypatch.setattr(studies, "run_cell", lambda *a: fitted.append(a[2]) or real(*a))

    def stop(row):
        rows.append(row)
        if len(rows) == 3:
            raise Stopped

    with pytest.raises(Stopped):
        run_study(cohort, plan, on_row=stop)
    run_study(cohort, plan, done={cell_of(r) for r in rows}, on_row=rows.append)
    assert fitted == plan.cells()
    assert [cell_of(row) for row in rows] == plan.cells()


def test_processes_give_the_rows_of_a_single_one(cohort):
    plan, alone, many = study_plan(["kmeans"], [2], 1), [], []
    run_study(cohort, plan, on_row=alone.append)
    run_study(cohort, plan, on_row=many.append, n_jobs=2)
    by_cell = {cell_of(row): row for row in many}
    assert len(many) == len(alone)
    for row in alone:
        assert by_cell[cell_of(row)]["auc"] == pytest.approx(row["auc"], abs=1e-9)


def test_too_many_clusters_for_the_cohort_is_said_in_words(cohort):
    with pytest.raises(CohortError, match="too many"):
        run_study(cohort, study_plan(["kmeans"], [45], 1), on_row=lambda row: None)


def test_a_scheduler_without_the_extra_is_one_clear_sentence(cohort, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(ConfigError, match=r"pip install -e"):
        run_study(
            cohort, study_plan(["kmeans"]), on_row=lambda row: None, scheduler="tcp://nowhere:1"
        )
