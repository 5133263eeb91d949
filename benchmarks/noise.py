"""Pure noise through the whole pipeline: how often is anything called significant?

python benchmarks/noise.py [--cohorts 100] [--method cac]
"""

import argparse
from types import SimpleNamespace

import numpy as np
import pandas as pd

from cacviz.engine.cohorts import make_cohort
from cacviz.engine.fitting import fit_model, prepare
from cacviz.engine.insights.evidence import LEVEL, held_out_tests
from cacviz.engine.insights.profiles import profile_groups
from cacviz.engine.insights.survival import survival_by_subtype
from cacviz.engine.splits import split_cohort
from cacviz.engine.types import Column, Outcome, RunConfig

N, N_FEATURES = 400, 10


def noise_cohort(seed):
    """400 patients, 10 features, an outcome, two external checks and a follow-up: all noise."""
    rng = np.random.default_rng(seed)
    names = [f"x{i}" for i in range(N_FEATURES)]
    frame = pd.DataFrame(rng.normal(size=(N, N_FEATURES)), columns=names)
    frame["height"] = rng.normal(170, 9, N)
    frame["site"] = np.array(["A", "B", "C"])[rng.integers(0, 3, N)]
    frame["days"] = rng.exponential(100, N).round(1)
    frame["event"] = rng.integers(0, 2, N)
    frame["died"] = (rng.random(N) < 0.3).astype(int)
    columns = [
        *(Column(n, "number") for n in names),
        Column("height", "number", role="external check"),
        Column("site", "category", role="external check"),
        Column("days", "number", role="time"),
        Column("event", "yesno", role="event"),
        Column("died", "yesno"),
    ]
    return make_cohort(f"noise {seed}", frame, columns, Outcome("died"))


def run(seed, method):
    """Tests that a page would show, and the share of circular p-values below the level."""
    cohort = noise_cohort(seed)
    split = split_cohort(cohort, seed)
    config = RunConfig(method=method, n_clusters=3, seed=seed)
    _, parts = prepare(split, config)
    model = fit_model(parts, config)
    clusters = model.predict_cluster(parts.prepared.X)
    clusters[parts.train] = model.labels_
    survival = survival_by_subtype(cohort, clusters, 3, parts.test)
    tests = held_out_tests(cohort, clusters, parts.test, survival=survival, seed=seed)
    groups = np.full(N, -1)
    groups[parts.train] = clusters[parts.train]
    features = profile_groups(cohort, groups, 3, n_boot=0).features
    naive = np.mean([f.circular_p < LEVEL for f in features if f.role == "feature"])
    return SimpleNamespace(tests=tests, naive=naive)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cohorts", type=int, default=100)
    parser.add_argument("--method", default="cac")
    asked = parser.parse_args()
    found = [run(seed, asked.method) for seed in range(asked.cohorts)]
    any_called = np.mean([any(t.significant for t in f.tests) for f in found])
    single = np.mean([t.significant for f in found for t in f.tests])
    naive = np.mean([f.naive for f in found])
    print(f"{asked.cohorts} cohorts of pure noise, {N} patients, {asked.method}, k = 3")
    print(f"cohorts in which anything is called significant: {any_called:.1%} (target: <= 6 %)")
    print(f"single tests called significant: {single:.1%} of {sum(len(f.tests) for f in found)}")
    print(f"for comparison, circular p-values below {LEVEL}: {naive:.0%} (never called a test)")


if __name__ == "__main__":
    main()
