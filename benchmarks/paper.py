"""The paper's comparison on held-out patients: a CSV row per cohort, method, k and split.

    python -m benchmarks.paper --cohorts cic,cic_los --methods lr,gbm,deepcac_soft --clusters 1,2,3

Rows that the results file already has are never computed again, so a stopped run goes on.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from functools import cache
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

from benchmarks import paper_cohorts
from cacviz.engine.metrics import METRICS, score
from cacviz.engine.running.controls import has_one
from cacviz.engine.running.methods import METHODS as METHODS_BY_NAME

RESULTS = Path(__file__).parent / "results" / "paper.csv"
FRESH = list(range(110, 120))  # splits that nothing was chosen on
KEY = ("cohort", "method", "clusters", "split")
FOUND = ("silhouette", "silhouette_fall", "smallest", "shared", "seconds")
FIELDS = (*KEY, *METRICS, *FOUND)
CONTROLS = ("lr", "gbm")
BASELINES = ("kmeans_z", "dcn_z", "idec_z", "dmnn", "actpc", "grasp")
METHODS = (*CONTROLS, "deepcac_hard", "deepcac_soft", *BASELINES)


def main(arguments=None):
    args = _arguments(arguments)
    if not args.data.exists():
        sys.exit(f"The cohorts are not at {args.data}: give their folder with --data.")
    done = _finished(args.out)
    cells = [c for c in _cells(args) if c not in done]
    print(f"{len(done)} rows are there, {len(cells)} to compute.", file=sys.stderr)
    rows = Parallel(n_jobs=args.jobs, return_as="generator_unordered")(
        delayed(run_cell)(*cell, data=args.data, threads=args.threads) for cell in cells
    )
    for row in rows:
        append_row(args.out, row, FIELDS)
        print({k: row[k] for k in (*KEY, "auprc_macro", "auc", "seconds")}, file=sys.stderr)


def run_cell(cohort, method, clusters, split, *, data, threads):
    """One row of the results: fit on train and validation, score on test."""
    import torch

    torch.set_num_threads(threads)
    table = _load(cohort, str(data))
    train, validation, test = paper_cohorts.split(table, split)
    parts = [(table.X[rows], table.y[rows]) for rows in (train, validation)]
    start = time.perf_counter()
    patients = table.groups[np.r_[train, validation]]
    proba, found = _fit(method, clusters, split, *parts, patients, table.X[test])
    seconds = time.perf_counter() - start
    key = dict(zip(KEY, (cohort, method, clusters, split), strict=True))
    return key | score(table.y[test], proba) | found | {"seconds": seconds}


def _fit(method, clusters, seed, train, validation, patients, X_test):
    """Through the registry: the product's own estimators, controls included."""
    name, _, routing = method.partition("_") if method.startswith("deepcac") else (method, "", "")
    settings = {"routing": routing} if routing else {}
    if METHODS_BY_NAME[name].clusters:
        settings["n_clusters"] = clusters
    model = METHODS_BY_NAME[name].estimator_class()(random_state=seed, **settings)
    hooks = {"patients": patients} if "patients" in model.fit_hooks else {}
    model.fit(*train, validation=validation, **hooks)
    return model.predict_proba(X_test), _found(model) if clusters else {}


def _found(model):
    """What is worth keeping of the clusters: the smallest, the silhouette and its fall.

    `shared`: DeepCAC's clusters share one risk, and then its k = 1 is the same to the bit.
    """
    sizes = np.bincount(model.labels_, minlength=model.n_clusters) / len(model.labels_)
    curve = [row["silhouette"] for row in model.history_ if "silhouette" in row]
    shared = any(note.code == "shared risk" for note in model.notes_)
    found = {"smallest": sizes.min(), "shared": int(shared)}
    if curve:
        found["silhouette"] = curve[-1]
        found["silhouette_fall"] = curve[len(curve) // 2] - curve[-1]
    return found


@cache
def _load(cohort, data):
    return paper_cohorts.load(cohort, data)


def _cells(args):
    for split in args.splits:
        for cohort in args.cohorts:
            for method in args.methods:
                for clusters in [0] if method in CONTROLS else args.clusters:
                    if clusters != 1 or has_one(method):
                        yield cohort, method, clusters, split


def _finished(path):
    if not path.exists():
        return set()
    with path.open() as file:
        rows = csv.DictReader(file)
        return {(r["cohort"], r["method"], int(r["clusters"]), int(r["split"])) for r in rows}


def append_row(path, row, fields):
    """Write a finished row at once, so that a stopped run loses none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, fields, restval="")
        if new:
            writer.writeheader()
        writer.writerow({k: f"{v:.5f}" if isinstance(v, float) else v for k, v in row.items()})


def words(text):
    """A list as a command line writes it: a,b."""
    return text.split(",")


def numbers(text):
    return [int(part) for part in text.split(",")]


def _arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cohorts", type=words, default=list(paper_cohorts.COHORTS))
    parser.add_argument("--methods", type=words, default=list(METHODS))
    parser.add_argument("--clusters", type=numbers, default=[1, 2, 3, 4])
    parser.add_argument("--splits", type=numbers, default=FRESH)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--data", type=Path, default=paper_cohorts.DATA)
    parser.add_argument("--out", type=Path, default=RESULTS)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    from benchmarks import paper  # by its own name, so that worker processes find its functions

    paper.main()
