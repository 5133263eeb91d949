"""What insights cost beyond training, for 12,000 patients x 117 features.

python benchmarks/insights_speed.py [--patients 12000] [--features 117] [--method cac]
fits once, then computes the insights in fresh processes: the first with an empty cache of compiled
kernels, as on a new machine, later ones with what the first left behind.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import pandas as pd

FIRST, LATER = 75, 25  # seconds wanted


def cohort_of(n, d, seed=0):
    """Three groups of patients, an outcome that hangs on other features in each."""
    from cacviz.engine.cohorts.making import make_cohort
    from cacviz.engine.types import Column, Outcome

    rng = np.random.default_rng(seed)
    group = rng.integers(0, 3, n)
    X = rng.normal(size=(n, d)) + rng.normal(0, 0.8, (3, d))[group]
    risk = X[np.arange(n), group] + X[:, 5] - X[:, 6]
    X[rng.random(X.shape) < 0.2] = np.nan
    frame = pd.DataFrame(X, columns=[f"x{i}" for i in range(d)])
    frame["died"] = (risk + rng.normal(0, 1, n) > 1.5).astype(int)
    columns = [*(Column(f"x{i}", "number") for i in range(d)), Column("died", "yesno")]
    return make_cohort("speed", frame, columns, Outcome("died"))


def describe(folder):
    """Make the insights of the run in this fresh process; print the seconds of each part."""
    from cacviz.engine.insights.making import insight_steps
    from cacviz.engine.types import FittedRun
    from cacviz.store import atomic, insights, paths, runs

    folder = Path(folder)
    paths.use_data_dir(folder.parent.parent)
    run, model = runs.load_run(folder), runs.load_model(folder)
    cohort = runs.cohort_of_run(run.asked)
    fitted = FittedRun(
        run.summary, run.part, run.clusters, run.proba, run.map2d, model.preparation, model.model
    )
    atomic.remove(folder / insights.HOME)
    said, before = {}, (time.perf_counter(), time.process_time())
    for name, make in insight_steps(cohort, fitted):
        insights.save_part(folder, name, make())
        now = (time.perf_counter(), time.process_time())
        said[name] = [now[0] - before[0], now[1] - before[1]]
        before = now
    began = time.perf_counter()
    for name in insights.INSIGHTS:
        insights.load_part(folder, name)
    said["load"] = [time.perf_counter() - began, 0.0]
    print(json.dumps(said))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--patients", type=int, default=12_000)
    parser.add_argument("--features", type=int, default=117)
    parser.add_argument("--method", default="cac")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--describe", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.describe:
        describe(asked.describe)
        return
    with tempfile.TemporaryDirectory() as home:
        measure(asked, Path(home))


def measure(asked, home):
    from cacviz.engine import fit_run, split_cohort
    from cacviz.engine.types import RunConfig
    from cacviz.jobs import environment
    from cacviz.store import paths, runs
    from cacviz.store.cohorts import save_cohort

    paths.use_data_dir(home)
    cohort = cohort_of(asked.patients, asked.features)
    config = RunConfig(method=asked.method, n_clusters=3)
    folder = runs.run_folder(runs.create_run(save_cohort(cohort), config))
    fitted = fit_run(split_cohort(cohort, 0), config)
    runs.save_result(folder, fitted, environment.describe(asked.threads))
    env = environment.worker_env(asked.threads) | {"NUMBA_CACHE_DIR": str(paths.numba_dir())}
    print(f"{asked.patients:,} x {asked.features}, {asked.method}, {asked.threads} thread(s)")
    for number, wanted in enumerate((FIRST, LATER, LATER)):
        command = [sys.executable, __file__, "--describe", str(folder)]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(done.stderr)
        said = json.loads(done.stdout.splitlines()[-1])
        load, _ = said.pop("load")
        wall, cpu = (sum(v[i] for v in said.values()) for i in (0, 1))
        parts = ", ".join(f"{name} {v[0]:.1f}" for name, v in said.items())
        which = "first run (empty cache)" if number == 0 else "later run"
        print(
            f"{which}: {wall:.1f} s wall, {cpu:.1f} s CPU (wanted: < {wanted} s); {parts}; "
            f"stored insights load in {load:.2f} s; load average {os.getloadavg()[0]:.1f}"
        )


if __name__ == "__main__":
    main()
