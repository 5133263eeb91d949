"""A data folder of the test's own, a small cohort in it, and the small worker."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.types import Cohort, Column, Outcome, RunConfig
from cacviz.runs import control, models, paths, save_cohort, store
from tests.runs import small_worker


@pytest.fixture(autouse=True)
def data_folder(tmp_path_factory, monkeypatch, request):
    monkeypatch.setenv(paths.DATA_DIR, str(tmp_path_factory.mktemp("data") / "cacviz"))
    monkeypatch.setenv("CACVIZ_WORKERS", "1")
    monkeypatch.setenv("CACVIZ_THREADS", "1")
    # compiled kernels outlive a test, or each would wait for the compiler
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(request.config.cache.mkdir("numba")))
    yield paths.data_dir()
    for folder in store.run_folders():
        control.stop_run(folder.name, grace=0)


@pytest.fixture
def ward():
    """Sixty patients, two numbers each, an outcome that the first number drives."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.normal(60, 9, 60), "pulse": rng.normal(80, 12, 60)})
    y = (frame["age"] + rng.normal(0, 4, 60) > 60).to_numpy().astype(np.int64)
    columns = (Column("age", "number", unit="years"), Column("pulse", "number"))
    return Cohort("ward", frame, columns, Outcome("death"), y, ("no", "yes"), "f00d")


@pytest.fixture
def ward_id(ward):
    return save_cohort(ward)


@pytest.fixture
def small(monkeypatch):
    """Runs are fitted by the small worker; call the result with what it should read."""
    monkeypatch.setattr(control, "WORKER", small_worker.NAME)
    monkeypatch.setattr(models, "HOME", small_worker.HOME)

    def settings(**env):
        for name, value in env.items():
            monkeypatch.setenv(f"SMALL_FIT_{name.upper()}", str(value))

    return settings


@pytest.fixture
def config():
    return RunConfig(method="cac", epochs=8)
