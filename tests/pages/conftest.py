"""Pages in their shell, on a data folder of their own."""

import pytest
from streamlit.testing.v1 import AppTest

from cacviz import runs
from cacviz.engine.cohorts import make_cohort
from cacviz.engine.demo import make_demo
from cacviz.engine.insights import insight_steps
from cacviz.engine.methods import fit_run
from cacviz.engine.splits import split_cohort
from cacviz.engine.types import Column, RunConfig
from cacviz.runs import environment, insights, store


@pytest.fixture
def data_dir(tmp_path, monkeypatch):
    monkeypatch.setenv("CACVIZ_DATA_DIR", str(tmp_path))
    runs.use_data_dir(tmp_path)
    return tmp_path


@pytest.fixture
def show(data_dir):
    """Open a page by name, with what the address says."""

    def open_page(name, **address):
        app = AppTest.from_string(
            f"from cacviz.ui.shell import show\nshow({name!r})", default_timeout=60
        )
        for key, value in address.items():
            app.query_params[key] = value
        return app.run()

    return open_page


@pytest.fixture(scope="session")
def finished_run(tmp_path_factory):
    """A finished CAC run of a small demo cohort, made once by the real worker."""
    folder = tmp_path_factory.mktemp("finished")
    runs.use_data_dir(folder)
    cohort_id = runs.save_cohort(make_demo(600))
    run_id = runs.start_run(cohort_id, RunConfig(n_clusters=2), "First look")
    states = [now.state for now in runs.follow(run_id)]
    assert states[-1] == "done"
    yield folder, cohort_id, run_id
    runs.use_data_dir(folder)
    runs.delete_run(run_id)


@pytest.fixture
def with_run(finished_run, monkeypatch):
    """The data folder that holds the finished run; gives (cohort id, run id)."""
    folder, cohort_id, run_id = finished_run
    monkeypatch.setenv("CACVIZ_DATA_DIR", str(folder))
    runs.use_data_dir(folder)
    return cohort_id, run_id


@pytest.fixture(scope="session")
def nine_subtypes(tmp_path_factory):
    """A finished run of nine subtypes; columns bear names that tables and lists use themselves."""
    folder = tmp_path_factory.mktemp("nine")
    runs.use_data_dir(folder)
    demo = make_demo(700)
    odd = demo.frame.assign(subtype=range(700), risk=demo.frame["Age"], Risk=demo.frame["Age"])
    columns = [*demo.columns, *(Column(name, "number") for name in ("subtype", "risk", "Risk"))]
    cohort = make_cohort("nine", odd, columns, demo.outcome)
    fitted = fit_run(split_cohort(cohort, 0), RunConfig(method="kmeans", n_clusters=9))
    cohort_id = runs.save_cohort(cohort)
    run_id = runs.create_run(cohort_id, fitted.summary.config)
    store.save_result(store.run_folder(run_id), fitted, environment.describe(1))
    for name, part in insight_steps(cohort, fitted, only=("described", "silhouettes", "students")):
        insights.save_part(store.run_folder(run_id), name, part)
    return folder, cohort_id, run_id


@pytest.fixture
def with_nine(nine_subtypes, monkeypatch):
    """The data folder that holds the run of nine subtypes; gives (cohort id, run id)."""
    folder, cohort_id, run_id = nine_subtypes
    monkeypatch.setenv("CACVIZ_DATA_DIR", str(folder))
    runs.use_data_dir(folder)
    return cohort_id, run_id
