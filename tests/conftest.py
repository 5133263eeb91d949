"""Small cohorts with a known shape, and the way to the real ones."""

import os
import time
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"
# Two test processes on two cores: threads of one would only wait for those of the other.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Compiled kernels outlive a test: the worker of each would otherwise wait for the compiler.
os.environ.setdefault("NUMBA_CACHE_DIR", str(ROOT / ".pytest_cache" / "numba"))


FIRST = ("pages", "browser", "jobs")  # rooms of long files: at the end one would run alone


def pytest_collection_modifyitems(items):
    """Long files come first, so that both processes end together."""

    def place(item):
        room = Path(item.fspath).relative_to(ROOT / "tests").parts[0]
        return FIRST.index(room) if room in FIRST else len(FIRST)

    items.sort(key=place)


@pytest.fixture
def two_wards():
    """Two wards far apart; inside each the outcome hangs on another feature."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(240, 4))
    ward = np.repeat([0, 1], 120)
    X[:, 0] += 6 * ward
    risk = np.where(ward == 0, X[:, 1], -X[:, 2])
    return X, (risk + 0.3 * rng.normal(size=240) > 0.4).astype(int)


@pytest.fixture
def shared_data():
    """The folder of real cohorts; a checkout without it runs the other tests."""
    if not SHARED.is_dir():
        pytest.skip("the real cohorts are not beside this checkout")
    return SHARED


@pytest.fixture
def work():
    """Processor seconds of this process for a call, the least of three; compare, never count."""

    def seconds(call):
        taken = []
        for _ in range(3):
            began = time.process_time()
            call()
            taken.append(time.process_time() - began)
        return min(taken)

    return seconds


@pytest.fixture
def only():
    """Let a run have these insights alone; afterwards all are there again, in their order."""
    from cacviz.engine.insights.registry import INSIGHTS

    whole = dict(INSIGHTS)

    def keep(*names):
        for name in set(INSIGHTS) - set(names):
            del INSIGHTS[name]

    yield keep
    INSIGHTS.clear()
    INSIGHTS.update(whole)


@pytest.fixture(scope="session")
def kept_run(tmp_path_factory):
    """A real CAC run of a small demo with its insights, in a store of its own: (folder, ids)."""
    from cacviz.engine.cohorts.demo import make_demo
    from cacviz.engine.insights.making import insight_steps
    from cacviz.engine.preparation.splits import split_cohort
    from cacviz.engine.running.fitting import fit_run
    from cacviz.engine.types import RunConfig
    from cacviz.jobs import environment
    from cacviz.store import cohorts, insights, paths, runs

    folder, cohort = tmp_path_factory.mktemp("kept"), make_demo(400)
    wanted = ("described", "silhouettes", "students")
    fitted = fit_run(split_cohort(cohort, 0), RunConfig(n_clusters=2))
    with pytest.MonkeyPatch.context() as here:
        here.setenv(paths.DATA_DIR, str(folder))
        cohort_id = cohorts.save_cohort(cohort)
        run_id = runs.create_run(cohort_id, fitted.summary.config, "Kept")
        runs.save_result(runs.run_folder(run_id), fitted, environment.describe(1))
        for name, make in insight_steps(cohort, fitted, only=wanted):
            insights.save_part(runs.run_folder(run_id), name, make())
    return folder, cohort_id, run_id


@pytest.fixture
def with_kept(kept_run, monkeypatch):
    """The store that holds the kept run; gives (cohort id, run id). It is read, not changed."""
    from cacviz.store import paths

    folder, cohort_id, run_id = kept_run
    monkeypatch.setenv(paths.DATA_DIR, str(folder))
    return cohort_id, run_id
