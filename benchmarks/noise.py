"""Pure noise through the whole pipeline: how often is anything called significant?

python -m benchmarks.noise [--cohorts 100] [--method cac]
python -m benchmarks.noise --verdicts --events 50      # claims of a single run: target <= 3 %
"""

import argparse
from types import SimpleNamespace

import numpy as np
import pandas as pd

from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.insights.described.evidence import LEVEL, held_out_tests
from cacviz.engine.insights.described.profiles import profile_groups
from cacviz.engine.insights.described.survival import survival_by_subtype
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running.fitting import fit_model, fit_run, prepare
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


def verdict_cohort(seed, events):
    """Correlated and categorical noise; one patient in four has the outcome, by chance.

    The size is such that about `events` of the held-out quarter have it.
    """
    rng = np.random.default_rng(seed)
    n, names = 16 * events, [f"x{i}" for i in range(N_FEATURES)]
    mixing = rng.normal(size=(N_FEATURES, N_FEATURES))
    frame = pd.DataFrame(rng.normal(size=(n, N_FEATURES)) @ mixing, columns=names)
    frame["ward"] = np.array(list("ABCDE"))[rng.integers(0, 5, n)]
    frame["died"] = (rng.random(n) < 0.25).astype(int)
    columns = [*(Column(name, "number") for name in names), Column("ward", "category")]
    columns.append(Column("died", "yesno"))
    return make_cohort(f"noise {seed}", frame, columns, Outcome("died"))


def claims(asked):
    """How often the verdict of a single run says that subtypes help, or where, on pure noise."""
    found = []
    for seed in range(asked.cohorts):
        split = split_cohort(verdict_cohort(seed, asked.events), seed)
        found.append(fit_run(split, RunConfig(asked.method, 3, seed=seed)).summary.verdict)
    helps = np.mean([v.conclusion in ("helps", "helps, but") for v in found])
    method = np.mean([v.conclusion == "method" for v in found])
    where = np.mean([any(p.word == "better" for p in v.places) for v in found])
    about = f"about {asked.events} held-out events, {asked.method}, k = 3"
    print(f"{asked.cohorts} cohorts of pure noise, {about}: what a single run claims")
    print(f"subtypes help: {helps:.1%} (target: <= 3 %); a gain of the method: {method:.1%}")
    print(f"a subtype in which they help: {where:.1%}")
    print({c: sum(v.conclusion == c for v in found) for c in {v.conclusion for v in found}})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cohorts", type=int, default=100)
    parser.add_argument("--method", default="cac")
    parser.add_argument("--verdicts", action="store_true")
    parser.add_argument("--events", type=int, default=50)
    asked = parser.parse_args()
    (claims if asked.verdicts else significance)(asked)


def significance(asked):
    """How often a test that a page would show is called significant."""
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
