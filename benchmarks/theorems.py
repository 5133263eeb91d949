"""Theorem 2 on real cohorts: is the log loss of every subtype of CAC + lr between its bounds?

python -m benchmarks.theorems [--cohorts heart,pima] [--clusters 2,3]
"""

from __future__ import annotations

import argparse

from benchmarks.paper import numbers, words
from benchmarks.shared_cohorts import COHORTS, DATA
from cacviz.engine.insights.material import Material
from cacviz.engine.insights.theorems import prove_run
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running.fitting import fit_run
from cacviz.engine.types import RunConfig


def looked_at(case, k):
    """A line on one run: how many subtypes have bounds, and in how many they hold."""
    cohort = case.read()
    fitted = fit_run(split_cohort(cohort, 0), RunConfig("cac", k))
    found = [s.log_loss for s in prove_run(Material(cohort, fitted)).subtypes]
    held = sum(b.lower <= b.loss <= b.upper for b in found)
    widths = ", ".join(f"{b.lower:.3f} ≤ {b.loss:.3f} ≤ {b.upper:.3f}" for b in found)
    print(f"{case.name}, k = {k}: holds in {held} of {len(found)} subtypes ({widths})", flush=True)
    return held, len(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cohorts", type=words, default=[case.name for case in COHORTS])
    parser.add_argument("--clusters", type=numbers, default=[2, 3])
    args = parser.parse_args()
    if not DATA.exists():
        raise SystemExit(f"The cohorts are not at {DATA}.")
    chosen = [case for case in COHORTS if case.name in args.cohorts]
    counts = [looked_at(case, k) for case in chosen for k in args.clusters]
    held, seen = (sum(column) for column in zip(*counts, strict=True))
    print(f"Theorem 2 holds in {held} of {seen} subtypes of {len(counts)} runs.")


if __name__ == "__main__":
    main()
