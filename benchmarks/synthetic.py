"""The paper's synthetic study: how CAC + lr depends on four properties of the data.

    python -m benchmarks.synthetic               # the whole grid, two processes; rows are appended
    python -m benchmarks.synthetic --words       # the paper's statements checked, and the panels

Inner class separation (ICS), outer cluster separation (OCS), natural clusters (K) and the number
of clusters asked for (k). Each cohort is cut into five stratified folds; scores are of the fold
left out. CAC runs with the paper's alpha = 2, which is beyond its critical value, and with ours
(half of the critical value); k-means + lr and lr stand beside it.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.datasets import make_classification
from sklearn.metrics import pairwise_distances_argmin
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from benchmarks.paper import append_row
from cacviz.engine.cac.class_sums import Rules
from cacviz.engine.cac.critical import critical_alpha, start_labels
from cacviz.engine.cac.experts import fit_experts, route
from cacviz.engine.cac.rounds import centroids, hartigan
from cacviz.engine.metrics import auc, f1_positive

RESULTS = Path(__file__).parent / "results" / "synthetic.csv"
PICTURE = RESULTS.with_suffix(".svg")
ICS, OCS = (0.0, 0.2, 0.5, 1.0, 1.5, 2.0), (1.0, 1.5, 2.0)
NATURAL, ASKED = (2, 3, 5, 10, 15, 20, 30), (2, 3, 4, 5)
KEY = ("ics", "ocs", "natural", "clusters", "method")
FIELDS = (*KEY, "auc", "f1", "collapsed")
FOLDS, ROUNDS, PAPER_ALPHA, FEW = 5, 10, 2.0, 5


def synthetic(ics, ocs, natural, seed=0):
    """Clusters of about 500 patients made apart and pushed apart; about one in five positive.

    The authors draw positives again with replacement; a patient would then stand in two folds, so
    positives are drawn once each.
    """
    rng = np.random.default_rng(seed)
    parts = [_cluster(ics, ocs, rng) for _ in range(natural)]
    X, y = np.vstack([x for x, _ in parts]), np.concatenate([y for _, y in parts])
    return X, y


def _cluster(ics, ocs, rng):
    X, y = make_classification(
        n_samples=max(100, int(rng.normal(500, 50))),
        n_features=8,
        n_informative=5,
        n_clusters_per_class=2,
        class_sep=max(ics, 1e-6),  # 0 is refused
        random_state=int(rng.integers(2**31)),
    )
    share = float(np.clip(rng.normal(0.2, 0.05), 0.05, 0.45))
    negative, positive = np.flatnonzero(y == 0), np.flatnonzero(y == 1)
    wanted = min(len(positive), round(share / (1 - share) * len(negative)))
    kept = np.concatenate([negative, rng.choice(positive, wanted, replace=False)])
    return X[kept] + rng.normal(0, ocs, X.shape[1]), y[kept]


def run_cohort(ics, ocs, natural):
    """The rows of one cohort: every method and k, means over the folds."""
    seed = int(1000 * ics + 100 * ocs + natural)
    X, y = synthetic(ics, ocs, natural, seed)
    found = []
    for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(X, y):
        scaler = StandardScaler().fit(X[train])
        parts = scaler.transform(X[train]), y[train], scaler.transform(X[test]), y[test]
        found += [_scored("lr", np.zeros(len(train), dtype=int), 0, parts)]
        found += [row for k in ASKED for row in _fold_rows(k, seed, parts)]
    rows = pd.DataFrame(found).groupby(["clusters", "method"], sort=False).mean().reset_index()
    return rows.assign(ics=ics, ocs=ocs, natural=natural).to_dict("records")


def _fold_rows(k, seed, parts):
    """k-means + lr, and CAC + lr from the same start with the paper's alpha and with ours.

    CAC's own rounds and experts (as in `cac/tuning.py`), without the silhouettes of a whole fit.
    """
    X, y = parts[:2]
    start = start_labels(X.copy(), k, n_init=3, random_state=seed)
    yield _scored("k-means + lr", start, k, parts)
    alphas = {"cac, paper's alpha": PAPER_ALPHA, "cac, ours": critical_alpha(y, start, 2) / 2}
    for name, alpha in alphas.items():
        rounds = hartigan(X, y, start, k, 2, rules=Rules(alpha, False, 1), max_iter=ROUNDS)
        yield _scored(name, rounds.labels[-1].astype(int), k, parts)


def _scored(name, labels, k, parts):
    """Experts of these clusters, judged on the fold left out."""
    X, y, X_new, y_new = parts
    n = max(k, 1)
    means = centroids(X, labels, n)
    experts = fit_experts("lr", X, y, labels, n, 2, random_state=0)
    proba = route(experts, X_new, pairwise_distances_argmin(X_new, means), 2)
    counts = np.bincount(2 * labels + y, minlength=2 * n)
    row = {"clusters": k, "method": name, "auc": auc(y_new, proba)}
    return row | {"f1": f1_positive(y_new, proba), "collapsed": float(counts.min() < FEW)}


def main(arguments=None):
    args = _arguments(arguments)
    if args.words:
        from benchmarks.synthetic_words import panels, statements

        rows = pd.read_csv(args.out)
        print("\n".join(statements(rows)))
        panels(rows, args.picture)
        return
    done = _done(args.out)
    cohorts = [c for c in itertools.product(ICS, OCS, NATURAL) if c not in done]
    print(f"{len(cohorts)} cohorts to compute.", file=sys.stderr)
    start = time.perf_counter()
    made = Parallel(n_jobs=args.jobs, return_as="generator_unordered")(
        delayed(run_cohort)(*cohort) for cohort in cohorts
    )
    for rows in made:
        for row in rows:
            append_row(args.out, row, FIELDS)
    print(f"{time.perf_counter() - start:.0f} s", file=sys.stderr)


def _done(path):
    if not path.exists():
        return set()
    rows = pd.read_csv(path)
    return set(rows[["ics", "ocs", "natural"]].itertuples(index=False, name=None))


def _arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", action="store_true", help="read the rows, compute none")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--picture", type=Path, default=PICTURE)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    from benchmarks import synthetic as here  # by its own name, so that workers find its functions

    here.main()
