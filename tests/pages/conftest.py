"""Pages in their shell, on a data folder of their own."""

import time

import pytest
from streamlit.testing.v1 import AppTest

from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.insights.making import insight_steps
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running.fitting import fit_run
from cacviz.engine.types import Column, RunConfig
from cacviz.jobs import environment, queue
from cacviz.store import cohorts, insights, paths, runs


@pytest.fixture
def data_dir(tmp_path, monkeypatch):
    monkeypatch.setenv(paths.DATA_DIR, str(tmp_path))
    return tmp_path


@pytest.fixture
def show(data_dir):
    """Open a page by name, with what the address says."""

    def open_page(name, **address):
        app = AppTest.from_string(
            f"from cacviz.ui.shell.frame import show\nshow({name!r})", default_timeout=180
        )
        for key, value in address.items():
            app.query_params[key] = value
        return app.run()

    return open_page


@pytest.fixture(scope="session")
def finished_run(tmp_path_factory):
    """A finished CAC run of a small demo cohort, made once by the real worker."""
    folder = tmp_path_factory.mktemp("finished")
    with pytest.MonkeyPatch.context() as here:
        here.setenv(paths.DATA_DIR, str(folder))
        cohort_id = cohorts.save_cohort(make_demo(600))
        run_id = queue.start_run(cohort_id, RunConfig(n_clusters=2), "First look")
        states = [now.state for now in queue.follow_run(run_id)]
        assert states[-1] == "done"
    yield folder, cohort_id, run_id
    with pytest.MonkeyPatch.context() as here:
        here.setenv(paths.DATA_DIR, str(folder))
        queue.delete_run(run_id)


@pytest.fixture
def with_run(finished_run, data_dir, monkeypatch):
    """The data folder that holds the finished run; gives (cohort id, run id)."""
    folder, cohort_id, run_id = finished_run
    monkeypatch.setenv(paths.DATA_DIR, str(folder))
    return cohort_id, run_id


@pytest.fixture
def described_run(with_run):
    """The finished run once its worker has come to the last of its insights."""
    _, run_id = with_run
    deadline = time.monotonic() + 900
    while set((now := insights.part_states(run_id)).values()) != {"ready"}:
        assert "coming" in now.values(), now
        assert time.monotonic() < deadline, now
        time.sleep(0.2)
    return with_run


@pytest.fixture(scope="session")
def nine_subtypes(tmp_path_factory):
    """A finished run of nine subtypes; columns bear names that tables and lists use themselves."""
    folder = tmp_path_factory.mktemp("nine")
    demo = make_demo(700)
    odd = demo.frame.assign(subtype=range(700), risk=demo.frame["Age"], Risk=demo.frame["Age"])
    columns = [*demo.columns, *(Column(name, "number") for name in ("subtype", "risk", "Risk"))]
    cohort = make_cohort("nine", odd, columns, demo.outcome)
    fitted = fit_run(split_cohort(cohort, 0), RunConfig(method="kmeans", n_clusters=9))
    with pytest.MonkeyPatch.context() as here:
        here.setenv(paths.DATA_DIR, str(folder))
        cohort_id = cohorts.save_cohort(cohort)
        run_id = runs.create_run(cohort_id, fitted.summary.config)
        runs.save_result(runs.run_folder(run_id), fitted, environment.describe(1))
        wanted = ("described", "silhouettes", "students")
        for name, make in insight_steps(cohort, fitted, only=wanted):
            insights.save_part(runs.run_folder(run_id), name, make())
    return folder, cohort_id, run_id


@pytest.fixture
def with_nine(nine_subtypes, data_dir, monkeypatch):
    """The data folder that holds the run of nine subtypes; gives (cohort id, run id)."""
    folder, cohort_id, run_id = nine_subtypes
    monkeypatch.setenv(paths.DATA_DIR, str(folder))
    return cohort_id, run_id
