import os
from contextlib import suppress

import pytest

from cacviz import runs
from cacviz.engine.demo import make_demo
from cacviz.engine.insights import STEPS
from cacviz.engine.methods import fit_run
from cacviz.engine.splits import split_cohort
from cacviz.engine.types import RunConfig
from cacviz.runs import environment, files, insights, states, store, worker
from cacviz.runs.insights import load_insights, load_part, make_parts, part_states, subtype_names


@pytest.fixture(scope="module")
def cohort():
    return make_demo(400, seed=1)


@pytest.fixture(scope="module")
def fitted(cohort):
    return fit_run(split_cohort(cohort, 0), RunConfig(method="kmeans", n_clusters=2))


@pytest.fixture
def folder(cohort, fitted):
    """The folder of a finished run without insights."""
    run_id = runs.create_run(runs.save_cohort(cohort), fitted.summary.config)
    folder = store.run_folder(run_id)
    store.save_result(folder, fitted, environment.describe(1))
    return folder


def only(monkeypatch, *names):
    monkeypatch.setattr(insights, "STEPS", names)


def test_parts_come_back_as_they_were_made(folder, cohort, fitted, monkeypatch):
    only(monkeypatch, "described", "silhouettes", "students")
    kept = {}
    monkeypatch.setattr(
        insights,
        "save_part",
        lambda f, n, p, save=insights.save_part: save(f, n, kept.setdefault(n, p)),
    )
    make_parts(folder, cohort, fitted)
    back = load_insights(folder)
    assert repr(back.described) == repr(kept["described"])  # repr, since nan is not itself
    assert repr(back.students.students) == repr(kept["students"].students)
    assert (back.silhouettes.values == kept["silhouettes"].values).all()
    swarm = back.students.beeswarms[0]
    assert (swarm.shap == kept["students"].beeswarms[0].shap).all()
    assert back.map is None


def test_a_part_that_fails_says_so_and_spoils_no_other(folder, cohort, fitted, monkeypatch):
    only(monkeypatch, "described", "silhouettes", "students")
    real, seen = insights.insight_steps, []

    def sometimes(cohort, fitted, *, only):
        if only == ("silhouettes",):
            raise MemoryError("patient 12")
        return real(cohort, fitted, only=only)

    monkeypatch.setattr(insights, "insight_steps", sometimes)
    make_parts(folder, cohort, fitted, log=seen.append)
    said = files.read_json(folder / "insights" / "silhouettes.failed")["message"]
    assert "MemoryError" in said
    assert "12" not in said
    assert part_states(folder) == {
        "described": "ready",
        "silhouettes": "failed",
        "students": "ready",
    }
    assert len(seen) == 1


def test_only_missing_parts_are_made(folder, cohort, fitted, monkeypatch):
    only(monkeypatch, "described", "silhouettes")
    insights.save_part(folder, "described", None)
    sealed = (folder / "insights" / "described" / files.MANIFEST).read_bytes()
    make_parts(folder, cohort, fitted)
    assert (folder / "insights" / "described" / files.MANIFEST).read_bytes() == sealed
    assert load_part(folder, "described") is None
    assert load_part(folder, "silhouettes").mean > -1


def test_missing_parts_are_made_by_a_process_of_their_own(folder, cohort, monkeypatch):
    for name in ("silhouettes", "students", "map"):  # keep it short: the first part only
        insights.save_part(folder, name, None)
    assert part_states(folder)["described"] == "missing"
    insights.complete(folder.name)
    assert states.worker_of(folder) is not None
    mark = states.worker_of(folder)
    from cacviz.runs.processes import _within, alive

    assert _within(60, lambda: not alive(mark))
    assert part_states(folder)["described"] == "ready"
    assert len(load_part(folder, "described").names) == 2


def test_a_part_that_failed_is_tried_again(folder, monkeypatch):
    for name in STEPS[1:]:
        insights.save_part(folder, name, None)
    files.write_json(folder / "insights" / f"{STEPS[0]}.failed", {"message": "No."})
    assert part_states(folder)[STEPS[0]] == "failed"
    monkeypatch.setattr(insights, "spawn", lambda *a, **k: os.getpid())
    insights.complete(folder.name)
    assert part_states(folder)[STEPS[0]] == "coming"


def test_subtypes_of_the_same_name_are_told_apart(folder):
    for cluster in (0, 1):
        insights.rename_subtype(folder, cluster, "A")
    assert subtype_names(folder, 2) == ("A", "A (2)")


def test_a_damaged_part_counts_as_missing(folder, cohort, fitted, monkeypatch):
    only(monkeypatch, "silhouettes")
    make_parts(folder, cohort, fitted)
    (folder / "insights" / "silhouettes" / "arrays.safetensors").unlink()
    assert load_part(folder, "silhouettes") is None
    assert part_states(folder) == {"silhouettes": "missing"}


def test_names_are_the_users_the_suggested_or_a_number(folder, cohort, fitted, monkeypatch):
    assert subtype_names(folder, 2) == ("Subtype 1", "Subtype 2")
    only(monkeypatch, "described")
    make_parts(folder, cohort, fitted)
    suggested = subtype_names(folder, 2)
    assert suggested == load_part(folder, "described").names
    insights.rename_subtype(folder, 1, "  Renal\n ward " + "x" * 100)
    assert subtype_names(folder, 2)[0] == suggested[0]
    assert subtype_names(folder, 2)[1].startswith("Renal ward x")
    assert len(subtype_names(folder, 2)[1]) == 60
    insights.rename_subtype(folder, 1, "")
    assert subtype_names(folder, 2) == suggested


def test_the_worker_seals_the_result_first_and_then_describes(folder, cohort, fitted, monkeypatch):
    monkeypatch.setattr(environment, "limit_this_process", lambda: 0)
    other = store.run_folder(
        runs.create_run(store.read_asked(folder).cohort_id, fitted.summary.config)
    )
    seen = []

    def describe(path, cohort_, fitted_):
        seen.append((runs.progress(path.name).state, cohort_.fingerprint, fitted_ is fitted))

    worker.work(other, lambda *a, **k: fitted, describe)
    assert seen == [("done", cohort.fingerprint, True)]


def test_an_exported_run_holds_no_insights_by_patient(
    folder, cohort, fitted, monkeypatch, tmp_path
):
    only(monkeypatch, "silhouettes")
    make_parts(folder, cohort, fitted)
    runs.export_run(folder.name, tmp_path / "out")
    assert not list((tmp_path / "out").rglob("insights"))


def test_steps_and_kinds_agree():
    assert tuple(insights.KINDS) == STEPS


def test_a_part_of_another_version_counts_as_missing(folder, monkeypatch):
    only(monkeypatch, "map")
    insights.save_part(folder, "map", None)
    assert part_states(folder) == {"map": "ready"}
    monkeypatch.setattr(insights, "VERSION", 2)
    assert part_states(folder) == {"map": "missing"}
    assert load_part(folder, "map") is None


@pytest.mark.parametrize(
    ("where", "name"), [(insights, "insight_steps"), (insights.cohorts, "load_cohort")]
)
def test_the_log_of_missing_parts_says_where_and_quotes_nobody(
    folder, monkeypatch, capfd, where, name
):
    patient = "JOHN DOE"

    def fall(*_, **__):
        raise ValueError(patient)

    only(monkeypatch, "silhouettes")
    monkeypatch.setattr(environment, "limit_this_process", lambda: 0)
    monkeypatch.setattr(where, name, fall)
    with suppress(SystemExit):
        insights.main([str(folder)])
    log = capfd.readouterr().err
    assert "builtins.ValueError" in log
    assert "insights.py" in log
    assert "JOHN" not in log
