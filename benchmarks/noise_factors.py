"""Is noise ever called a risk factor, and are planted factors found?

    python -m benchmarks.noise_factors [--method cac] [--batches 10]

Random columns of 2 to 60 levels, numbers and ids are put into the demo cohort, twenty at a time;
runs are fitted and explained as the app does it, and the factors are counted.
"""

from __future__ import annotations

import argparse

import numpy as np

from cacviz.engine.cohorts.demo import RISK_FACTORS, demo_truth, make_demo
from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.insights.explainers.students import teach_run
from cacviz.engine.insights.material import Material
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running.fitting import fit_run as fit
from cacviz.engine.types import Cohort, Column, RunConfig


def with_noise(demo: Cohort, rng: np.random.Generator) -> Cohort:
    """Eighteen categories of 2 to 60 levels, a number and an id, none of them of any use."""
    n, columns, added = demo.n_patients, list(demo.columns), {}
    for number in range(18):
        levels = rng.integers(0, rng.integers(2, 61), n)
        added[f"noise {number}"] = [f"level {v}" for v in levels]
        columns.append(Column(f"noise {number}", "category"))
    added |= {"noise number": rng.normal(size=n), "noise id": rng.permutation(n) + 10_000}
    columns += [Column("noise number", "number"), Column("noise id", "number")]
    return make_cohort("noisy demo", demo.frame.assign(**added), columns, demo.outcome)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--method", default="cac")
    parser.add_argument("--batches", type=int, default=10)
    asked = parser.parse_args()
    tried = called = planted = found = 0
    for seed in range(asked.batches):
        cohort = with_noise(make_demo(seed=seed), np.random.default_rng(1000 + seed))
        run = fit(split_cohort(cohort, seed), RunConfig(asked.method, 3, seed))
        material = Material(cohort, run)
        truth = demo_truth(seed=seed)
        for student in teach_run(material).views[0].students:
            names = [factor.name for factor in student.factors]
            called += sum(name.startswith("noise") for name in names)
            tried += 20
            inside = truth[material.routed == student.cluster]
            wanted = RISK_FACTORS[int(np.bincount(inside, minlength=3).argmax())]
            planted, found = planted + len(wanted), found + sum(n in names for n in wanted)
        print(f"batch {seed}: {called} of {tried} noise columns, {found} of {planted} planted")
    print(
        f"noise called a factor: {called / tried:.2%}; planted factors found: {found / planted:.1%}"
    )


if __name__ == "__main__":
    main()
