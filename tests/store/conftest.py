"""A data folder of the test's own, a small cohort in it, and a finished run of the small fit."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.types import Column, Outcome, RunConfig
from cacviz.jobs import environment
from cacviz.store import models, paths, runs
from cacviz.store.cohorts import save_cohort
from tests.jobs import small_worker


@pytest.fixture(autouse=True)
def data_folder(tmp_path_factory, monkeypatch, request):
    monkeypatch.setenv(paths.DATA_DIR, str(tmp_path_factory.mktemp("data") / "cacviz"))
    monkeypatch.setenv("CACVIZ_WORKERS", "1")
    monkeypatch.setenv("CACVIZ_THREADS", "1")
    # compiled kernels outlive a test, or each would wait for the compiler
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(request.config.cache.mkdir("numba")))
    return paths.data_dir()


@pytest.fixture
def ward():
    """Sixty patients, two numbers each, an outcome that the first number drives."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.normal(60, 9, 60), "pulse": rng.normal(80, 12, 60)})
    frame["death"] = np.where(frame["age"] + rng.normal(0, 4, 60) > 60, "yes", "no")
    columns = [Column("age", "number", unit="years"), Column("pulse", "number")]
    return make_cohort("ward", frame, [*columns, Column("death", "yesno")], Outcome("death"))


@pytest.fixture
def ward_id(ward):
    return save_cohort(ward)


@pytest.fixture
def config():
    return RunConfig(method="cac", epochs=8)


@pytest.fixture
def small_models(monkeypatch):
    """What the small fit makes can be stored and read back."""
    monkeypatch.setattr(models, "KINDS", small_worker.KINDS)


@pytest.fixture
def fitted(ward):
    return small_worker.fit_in_peace(ward, RunConfig(epochs=2))


@pytest.fixture
def finished(small_models, ward_id, config, fitted):
    """The folder of a run whose result was sealed here."""
    folder = runs.run_folder(runs.create_run(ward_id, config, "first"))
    runs.save_result(folder, fitted, environment.describe(1))
    return folder
