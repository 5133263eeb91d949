"""How often an interaction of treatment and subtype is called: shuffled, noise, planted.

    python -m benchmarks.treatment [--draws 200]

Shuffled: ACTG 175 (../shared/data), subtypes by k-means, arms permuted over all patients. Noise: no
structure at all. Planted: as many held-out patients as theory says for a power of 80 %.
"""

import argparse

import numpy as np

from benchmarks.shared_cohorts import DATA
from cacviz.engine.cohorts.making import read_cohort
from cacviz.engine.insights.treated.interacting import interaction_of, power_of
from cacviz.engine.insights.treated.treating import arms_of
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running.fitting import fit_model, prepare
from cacviz.engine.types import TEST, RunConfig

LATER = ("treat", "offtrt", "cd420", "cd496", "r", "cd820", "days", "cens")
PLANTED = np.array([[0.30, 0.30], [0.30, 0.15]])


def tables(clusters, arms, y, k, n_arms):
    cell = clusters * n_arms + arms
    n = np.bincount(cell, minlength=k * n_arms).reshape(k, n_arms)
    events = np.bincount(cell, weights=y, minlength=k * n_arms).reshape(k, n_arms)
    return n, events


def called(makes, draws):
    found = [interaction_of(*makes(), seed=i) for i in range(draws)]
    return float(np.mean([f is not None and f.p < 0.05 for f in found]))


def shuffled(rng):
    """The held-out patients of ACTG 175 with their arms drawn anew."""
    roles = {"pidnum": "patient id", "arms": "treatment", **dict.fromkeys(LATER, "left out")}
    path = DATA / "cohorts" / "actg175.csv.gz"
    cohort = read_cohort(path, outcome="y_730", roles=roles)
    split = split_cohort(cohort, 0)
    config = RunConfig("kmeans", 3)
    _, parts = prepare(split, config)
    clusters = fit_model(parts, config).predict_cluster(parts.prepared.X)
    codes, arms = arms_of(cohort, "arms")
    rows = split.rows(TEST)
    return lambda: tables(
        clusters[rows], rng.permutation(codes[rows]), cohort.y[rows], 3, len(arms)
    )


def noise(rng, n=500):
    return lambda: tables(rng.integers(0, 3, n), rng.integers(0, 2, n), rng.random(n) < 0.2, 3, 2)


def needed(risks):
    """Patients a cell at which theory gives a power of 80 %."""
    n = 10
    while power_of(np.full(risks.shape, float(n)), risks) < 0.8:
        n += 5
    return n


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=200)
    draws, rng = parser.parse_args().draws, np.random.default_rng(0)
    print(f"noise, called: {called(noise(rng), draws):.3f} of {draws}", flush=True)
    n = needed(PLANTED)
    table = np.full(PLANTED.shape, n)
    power = called(lambda: (table, rng.binomial(table, PLANTED)), draws)
    print(f"planted, {n} a cell (theory: .80), found: {power:.3f} of {draws}", flush=True)
    print(f"ACTG 175, arms shuffled, called: {called(shuffled(rng), draws):.3f} of {draws}")


if __name__ == "__main__":
    main()
