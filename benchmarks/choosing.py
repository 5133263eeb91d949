"""How many subtypes? What is suggested where the truth is known, and how often noise is believed.

    python -m benchmarks.choosing --what noise --cohorts 20      # "one" is right
    python -m benchmarks.choosing --what demo --cohorts 10       # three are planted
    python -m benchmarks.choosing --what planted --cohorts 20    # K = 2 … 5, in turn
    python -m benchmarks.choosing --what null --cohorts 100      # how often p <= .05 on noise
    python -m benchmarks.choosing --what refits                  # 100 of CAC on 4,000 x 117
    python -m benchmarks.choosing --what sweep                   # 3 k x 5 alpha x 3 beta x 3 seeds
    python -m benchmarks.choosing --what gain                    # a second worker's, one seed
    python -m benchmarks.choosing --table                        # shares right, as in README.md

Rows that the results file already has are never computed again, so a stopped run goes on. The rule
was chosen on cohorts of other seeds (1000 and more, 2000 and more; the demo's from 50).
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.paper import append_row
from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.running.sweeps import plans
from cacviz.engine.running.sweeps.evidence import evidence, twin_scores
from cacviz.engine.running.sweeps.plans import SweepPlan, sweep_plan
from cacviz.engine.running.sweeps.running import run_sweep
from cacviz.engine.running.sweeps.suggesting import suggest
from cacviz.engine.scoring.stability import exceedance_p
from cacviz.engine.types import Column, Outcome

RESULTS = Path(__file__).parent / "results" / "choosing.csv"
KEY = ("what", "method", "seed")
FIELDS = (*KEY, "truth", "suggested", "p", "seconds")
KS = (1, 2, 3, 4, 5, 6)
NOISES = ("independent", "correlated", "skewed", "mixed")


def cohort_of(X, rng, slopes):
    """Patients with these features, whose outcome hangs on some of them."""
    names = [f"x{i}" for i in range(X.shape[1])]
    frame = pd.DataFrame(X, columns=names)
    risk = (X * slopes).sum(axis=1)
    risk = (risk - risk.mean()) / max(risk.std(), 1e-9)
    frame["died"] = (rng.random(len(X)) < 1 / (1 + np.exp(1 - risk))).astype(int)
    kinds = ["yesno" if frame[n].nunique() == 2 else "number" for n in names]
    columns = [Column(n, kind) for n, kind in zip(names, kinds, strict=True)]
    return make_cohort("made", frame, [*columns, Column("died", "yesno")], Outcome("died"))


def noise(seed, n=600, p=12):
    """One population: independent, correlated, skewed or mixed columns, in turn."""
    rng, kind = np.random.default_rng(seed), NOISES[seed % len(NOISES)]
    X = rng.normal(size=(n, p))
    if kind != "independent":
        X += rng.normal(size=(n, 2)) @ rng.normal(size=(2, p))
    if kind == "skewed":
        X = np.exp(0.6 * X)
    if kind == "mixed":
        X[:, :4] = X[:, :4] > rng.normal(size=4)
        X[:, 4] = np.exp(X[:, 4])
    return cohort_of(X, rng, np.r_[np.zeros(p - 2), 1, 1])


def planted(seed, apart=5.0, n=800, p=10):
    """K = 2 … 5 in turn: round clusters, each at least `apart` sd from the next."""
    rng, k = np.random.default_rng(seed), 2 + seed % 4
    centres = rng.normal(size=(k, p))
    gaps = np.linalg.norm(centres[:, None] - centres[None], axis=-1)
    centres *= apart / gaps[gaps > 0].min()
    cluster = rng.integers(0, k, n)
    X = centres[cluster] + rng.normal(size=(n, p))
    return cohort_of(X, rng, rng.normal(size=(k, p))[cluster]), k


def made(what, seed):
    """The cohort and its true number of subtypes."""
    if what == "demo":
        return make_demo(seed=seed), 3
    return planted(seed) if what == "planted" else (noise(seed), 1)


def choose(what, method, seed):
    """What a sweep suggests for one cohort."""
    began = time.perf_counter()
    cohort, truth = made(what, seed)
    rows = []
    plan = sweep_plan(method, KS if what != "demo" else KS[:5], seeds=2)
    run_sweep(cohort, plan, on_row=rows.append)
    found = suggest(evidence(plan, rows)).k
    return {"truth": truth, "suggested": found, "p": "", "seconds": time.perf_counter() - began}


def null_test(what, method, seed):
    """p of structure beyond one population on noise (k = 3, the cohort's own marginals)."""
    began = time.perf_counter()
    cohort, truth = made("demo" if what == "null demo" else "noise", seed)
    plan = SweepPlan(method, (3,), seeds=1, own_twins=19)
    rows = []
    run_sweep(cohort, plan, on_row=rows.append)
    value = next(r["in_features"] for r in rows if r["kind"] == plans.FIT)
    p = exceedance_p(value, twin_scores(plan, rows, 3, plans.OWN_TWIN))
    return {"truth": truth, "suggested": "", "p": p, "seconds": time.perf_counter() - began}


def refits(jobs):
    """The time of 100 bootstrap refits of CAC on 4,000 patients with 117 features."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7_020, 117)) + 2 * rng.normal(size=(3, 117))[rng.integers(0, 3, 7_020)]
    cohort = cohort_of(X, rng, np.r_[np.zeros(115), 1, 1])  # 57 % of them are trained on: 3,950
    plan = SweepPlan("cac", (3,), seeds=1, resamples=100)
    done = [cell for cell in plan.cells() if cell.kind == plans.FIT]
    warm = plan.cells()[-1:]
    run_sweep(cohort, plan, done=[*done, *plan.cells()[1:-1]], on_row=lambda row: None)
    began = time.perf_counter()
    run_sweep(cohort, plan, done=done, on_row=lambda row: None, n_jobs=jobs)
    print(f"100 refits with {jobs} jobs: {time.perf_counter() - began:.1f} s ({len(warm)} before)")


def sweep(jobs, seeds=3):
    """The seconds of a DeepCAC sweep on the demo and all that a sweep does besides.

    3 k x 5 alphas x 3 betas x these seeds.
    """
    weights = [0.0, 0.1, 0.2, 1.0, 5.0], [0.0, 5.0, 20.0]
    plan = sweep_plan("deepcac", (2, 3, 4), *weights, seeds=seeds)
    began = time.perf_counter()
    run_sweep(make_demo(), plan, on_row=lambda row: None, n_jobs=jobs)
    seconds = time.perf_counter() - began
    print(f"{len(plan.cells())} cells, {jobs} jobs: {seconds:.0f} s", flush=True)
    return seconds


def gain(jobs):
    """How much faster these workers are than one, on a sweep of one seed."""
    many, one = sweep(jobs, seeds=1), sweep(1, seeds=1)
    print(f"{jobs} jobs are {one / many:.2f} x as fast as one")


def table():
    """Shares right, or of p <= .05, by kind and method."""
    rows = pd.read_csv(RESULTS, keep_default_na=False, na_values=[""])  # "null" is a name
    for (what, method), part in rows.groupby(["what", "method"]):
        if what.startswith("null"):
            print(f"{what}, {method}: p <= .05 in {(part.p <= 0.05).sum()} of {len(part)}")
        else:
            right = (part.truth == part.suggested).sum()
            told = part.groupby("truth").suggested.apply(list).to_dict()
            print(f"{what}, {method}: right in {right} of {len(part)}; {told}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--what", default="noise")
    parser.add_argument("--method", default="cac")
    parser.add_argument("--cohorts", type=int, default=10)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--table", action="store_true")
    args = parser.parse_args()
    if args.table:
        return table()
    timed = {"refits": refits, "sweep": sweep, "gain": gain}
    if args.what in timed:
        return timed[args.what](args.jobs) and None
    done = set()
    if RESULTS.exists():
        with RESULTS.open(newline="") as file:
            done = {tuple(row[k] for k in KEY) for row in csv.DictReader(file)}
    for seed in range(args.first, args.first + args.cohorts):
        key = {"what": args.what, "method": args.method, "seed": seed}
        if tuple(map(str, key.values())) not in done:
            work = null_test if args.what.startswith("null") else choose
            row = key | work(args.what, args.method, seed)
            append_row(RESULTS, row, FIELDS)
            print(row, file=sys.stderr, flush=True)
    return None


if __name__ == "__main__":
    main()
