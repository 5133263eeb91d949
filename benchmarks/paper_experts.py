"""The paper's F1 table: nine classifiers alone (X), after k-means (KM+X) and in CAC (CAC+X).

    python -m benchmarks.paper_experts [--cohorts cic,diabetes] [--splits 0,1,2,3,4]
    python -m benchmarks.paper_experts --table

k = 2 as in the paper; alpha is tuned by 5-fold cross-validation below its critical value. One
factory makes the classifiers of all three forms. Finished rows are never computed again.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from benchmarks import paper_cohorts
from benchmarks.paper import append_row, numbers, words
from cacviz.engine.cac.cac import CAC, KMeansExperts
from cacviz.engine.cac.experts import EXPERTS
from cacviz.engine.metrics import METRICS, score

RESULTS = Path(__file__).parent / "results" / "paper_experts.csv"
KEY = ("cohort", "expert", "form", "split")
FIELDS = (*KEY, *METRICS, "alpha", "critical_alpha", "fewest_of_a_class", "seconds")
FORMS = ("X", "KM+X", "CAC+X")
CLUSTERS = 2
MOST = {"diabetes": 3_000}  # training encounters drawn: tuning fits each classifier 60 times
FAR = 5.0  # standard deviations at which values are clipped, or one outlier is a cluster

# F1 of the positive class in the paper: X, KM+X, CAC+X.
PAPER = {
    "cic": {
        "lr": (0.443, 0.492, 0.492),
        "svm": (0.255, 0.426, 0.452),
        "xgb": (0.454, 0.486, 0.490),
        "lda": (0.479, 0.497, 0.492),
        "perceptron": (0.421, 0.375, 0.450),
        "rf": (0.308, 0.313, 0.449),
        "knn": (0.218, 0.235, 0.450),
        "sgd": (0.433, 0.444, 0.432),
        "ridge": (0.347, 0.372, 0.450),
    },
    "diabetes": {
        "lr": (0.111, 0.503, 0.505),
        "svm": (0.523, 0.116, 0.506),
        "xgb": (0.236, 0.358, 0.506),
        "lda": (0.112, 0.240, 0.506),
        "perceptron": (0.349, 0.333, 0.506),
        "rf": (0.406, 0.407, 0.505),
        "knn": (0.406, 0.407, 0.506),
        "sgd": (0.204, 0.198, 0.506),
        "ridge": (0.104, 0.116, 0.506),
    },
}


def main(arguments=None):
    args = _arguments(arguments)
    if args.table:
        print("\n".join(table(pd.read_csv(args.out))))
        return
    done = set()
    if args.out.exists():
        with args.out.open() as file:
            done = {(*(r[k] for k in KEY[:3]), int(r["split"])) for r in csv.DictReader(file)}
    cells = [
        cell
        for split in args.splits
        for cohort in args.cohorts
        for expert in EXPERTS
        for form in FORMS
        if (cell := (cohort, expert, form, split)) not in done
    ]
    print(f"{len(done)} rows are there, {len(cells)} to compute.", file=sys.stderr)
    rows = Parallel(n_jobs=args.jobs, return_as="generator_unordered")(
        delayed(run_cell)(*cell, data=args.data) for cell in cells
    )
    for row in rows:
        append_row(args.out, row, FIELDS)
        print([row[k] for k in (*KEY, "f1_positive", "seconds")], file=sys.stderr)


def run_cell(cohort, expert, form, split, *, data):
    """One row: fit on training patients, score on test patients at the default threshold."""
    table = paper_cohorts.load(cohort, data)
    train, _, test = paper_cohorts.split(table, split)
    if cohort in MOST:
        train = np.sort(np.random.default_rng(split).choice(train, MOST[cohort], replace=False))
    prepare = make_pipeline(
        SimpleImputer(strategy="median"), StandardScaler(), FunctionTransformer(_clipped)
    )
    X, began = prepare.fit_transform(table.X[train]), time.perf_counter()
    model = _model(form, expert, split).fit(X, table.y[train])
    seconds = time.perf_counter() - began
    found = score(table.y[test], model.predict_proba(prepare.transform(table.X[test])))
    if form == "CAC+X":
        found |= {"alpha": model.alpha_, "critical_alpha": model.critical_alpha_}
        found["fewest_of_a_class"] = int(model.class_counts_.min())
    key = dict(zip(KEY, (cohort, expert, form, split), strict=True))
    return key | found | {"seconds": seconds}


def _clipped(X):
    return np.clip(X, -FAR, FAR)


def _model(form, expert, seed):
    if form == "CAC+X":
        return CAC(CLUSTERS, expert=expert, tune_alpha=True, random_state=seed)
    return KMeansExperts(CLUSTERS if form == "KM+X" else 1, expert=expert, random_state=seed)


def table(results):
    """Markdown lines: F1 of the positive class, mean (sd) over splits, beside the paper's."""
    head = ("cohort", "X", "X alone", "KM+X", "CAC+X", "alpha / critical", "splits", "paper")
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for (cohort, expert), rows in results.groupby(["cohort", "expert"], sort=False):
        forms = {form: part["f1_positive"] for form, part in rows.groupby("form")}
        cells = [f"{_short(forms[f].mean())} ({_short(forms[f].std())})" for f in FORMS]
        tuned = rows[rows["form"] == "CAC+X"]
        share = (tuned["alpha"] / tuned["critical_alpha"]).mean()
        paper = ", ".join(_short(value) for value in PAPER[cohort][expert])
        line = [cohort, expert, *cells, f"{share:.2f}", str(len(tuned)), paper]
        yield f"| {' | '.join(line)} |"


def _short(value):
    return f"{value:.3f}".removeprefix("0")


def _arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cohorts", type=words, default=list(PAPER))
    parser.add_argument("--splits", type=numbers, default=[0, 1, 2, 3, 4])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--data", type=Path, default=paper_cohorts.DATA)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--table", action="store_true", help="print the table of what is there")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    from benchmarks import paper_experts  # by its own name, so that processes find its functions

    paper_experts.main()
