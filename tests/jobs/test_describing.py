"""The insights of a finished run as a job: part by part, and what fails spoils no other."""

import pytest

from cacviz.engine import fit_run, split_cohort
from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.insights.registry import INSIGHTS, Insight
from cacviz.engine.insights.types import Silhouettes
from cacviz.engine.types import RunConfig
from cacviz.jobs import environment, kinds, queue, worker
from cacviz.jobs.kinds import make_parts
from cacviz.store import atomic, cohorts, insights, runs, states
from cacviz.store.insights import load_part, part_states, subtype_names


@pytest.fixture(scope="module")
def cohort():
    return make_demo(400, seed=1)


@pytest.fixture(scope="module")
def fitted(cohort):
    return fit_run(split_cohort(cohort, 0), RunConfig(method="kmeans", n_clusters=2))


@pytest.fixture
def folder(cohort, fitted):
    """The folder of a finished run without insights."""
    run_id = runs.create_run(cohorts.save_cohort(cohort), fitted.summary.config)
    folder = runs.run_folder(run_id)
    runs.save_result(folder, fitted, environment.describe(1))
    return folder


PATIENT = "JOHN DOE, patient 12"


def fall(material):
    raise MemoryError(PATIENT)


@pytest.fixture
def fallen(monkeypatch):
    """Silhouettes cannot be computed."""
    broken = Insight("silhouettes", Silhouettes, f"{__name__}:fall")
    monkeypatch.setitem(INSIGHTS, "silhouettes", broken)


def test_parts_come_back_as_they_were_made(folder, cohort, fitted, only, monkeypatch):
    only("described", "silhouettes", "students")
    kept, save = {}, insights.save_part
    monkeypatch.setattr(insights, "save_part", lambda f, n, p: save(f, n, kept.setdefault(n, p)))
    make_parts(folder, cohort, fitted)
    back = {name: load_part(folder, name) for name in INSIGHTS}
    assert repr(back["described"]) == repr(kept["described"])  # repr, since nan is not itself
    assert (back["silhouettes"].values == kept["silhouettes"].values).all()
    (view,), (made,) = back["students"].views, kept["students"].views
    assert repr(view.students) == repr(made.students)
    assert len(view.beeswarms) == len(made.beeswarms) > 0
    assert (view.beeswarms[0].shap == made.beeswarms[0].shap).all()
    assert subtype_names(folder, 2) == kept["described"].names


def test_a_part_that_fails_says_so_and_spoils_no_other(folder, cohort, fitted, only, fallen):
    only("described", "silhouettes")
    seen = []
    make_parts(folder, cohort, fitted, log=seen.append)
    said = insights.failure(folder, "silhouettes")
    assert "MemoryError" in said
    assert "12" not in said
    assert part_states(folder) == {"described": "ready", "silhouettes": "failed"}
    assert len(seen) == 1


def test_only_missing_parts_are_made(folder, cohort, fitted, only):
    only("described", "silhouettes")
    insights.save_part(folder, "described", None)
    sealed = (folder / "insights" / "described" / atomic.MANIFEST).read_bytes()
    phases = []
    make_parts(folder, cohort, fitted, on_phase=phases.append)
    assert phases == ["silhouettes"]
    assert (folder / "insights" / "described" / atomic.MANIFEST).read_bytes() == sealed
    assert load_part(folder, "described") is None
    assert load_part(folder, "silhouettes").mean > -1


@pytest.mark.worker
def test_missing_parts_are_made_by_a_process_of_their_own(folder, wait_for):
    for name in set(INSIGHTS) - {"described"}:  # keep it short: the first part only
        insights.save_part(folder, name, None)
    assert part_states(folder)["described"] == "missing"
    queue.complete(folder.name)
    home = insights.home_of(folder)
    assert part_states(folder)["described"] == "coming"
    assert list(queue.follow(home, every=0.05))[-1].state == "done"
    assert set(part_states(folder).values()) == {"ready"}
    assert len(load_part(folder, "described").names) == 2
    wait_for(lambda: not queue.is_live(home))
    assert states.worker_of(folder) is None  # the run itself was not worked on again


def test_a_part_that_failed_is_tried_again(folder, in_process, only):
    only("silhouettes")
    insights.note_failure(insights.home_of(folder), "silhouettes", "No.")
    assert part_states(folder) == {"silhouettes": "failed"}
    queue.complete(folder.name)
    assert part_states(folder) == {"silhouettes": "coming"}
    worker.work(insights.home_of(folder))
    assert part_states(folder) == {"silhouettes": "ready"}


def test_parts_of_an_interrupted_description_can_be_asked_for_again(folder, in_process, only):
    only("silhouettes")
    home = insights.home_of(folder)
    states.write_status(home, "running")
    states.write_worker(home, states.Mark(999_999_999, "1.another"))
    assert part_states(folder) == {"silhouettes": "missing"}
    queue.complete(folder.name)
    worker.work(home)
    assert part_states(folder) == {"silhouettes": "ready"}
    assert states.progress_of(home).state == "done"


def test_the_worker_seals_the_result_first_and_then_describes(
    folder, cohort, fitted, in_process, monkeypatch
):
    asked = runs.read_asked(folder)
    other = runs.run_folder(runs.create_run(asked.cohort_id, fitted.summary.config))
    seen = []

    def describe(path, cohort_, fitted_, log):
        seen.append((queue.progress(path.name).state, cohort_.fingerprint, fitted_ is fitted))

    monkeypatch.setattr(kinds, "make_parts", describe)
    monkeypatch.setattr(environment, "is_pinned", lambda threads: True)
    monkeypatch.setattr(worker.faulthandler, "enable", lambda: None)
    monkeypatch.setattr(worker.warnings, "showwarning", worker.warnings.showwarning)
    worker.main([str(other)], lambda *_, **__: fitted)
    assert seen == [("done", cohort.fingerprint, True)]


@pytest.mark.parametrize("what", ["a part", "the cohort"])
def test_the_log_of_missing_parts_says_where_and_quotes_nobody(
    folder, in_process, only, monkeypatch, capfd, fallen, what
):
    only("silhouettes")
    if what == "the cohort":
        monkeypatch.setattr(cohorts, "load_cohort", lambda *_: fall(None))
    queue.complete(folder.name)
    worker.work(insights.home_of(folder))
    log = capfd.readouterr().err
    assert "builtins.MemoryError" in log
    assert "test_describing.py" in log
    assert "JOHN" not in log
    ended = states.progress_of(insights.home_of(folder))
    assert ended.state == ("done" if what == "a part" else "failed")
    assert "JOHN" not in ended.message


def test_deleting_a_run_ends_its_description_and_takes_it_away(folder, no_spawn):
    queue.complete(folder.name)
    assert states.progress_of(insights.home_of(folder)).state == "queued"
    queue.delete_run(folder.name)
    assert not folder.exists()
    assert runs.list_runs() == []
