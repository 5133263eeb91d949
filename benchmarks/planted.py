"""Cohorts whose truth is known: when do subtypes help prediction, and do the methods use them?

    python -m benchmarks.planted                    # a CSV row per cohort, method, k and seed
    python -m benchmarks.planted --table            # means over seeds, as in README.md
    python -m benchmarks.planted --picture          # results/planted.svg
    python -m benchmarks.planted --write "turned 1.0" --seeds 100 > opposite.csv    # as a table

Rows that the results file already has are never computed again, so a stopped run goes on.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from benchmarks.paper import append_row, numbers, words
from cacviz.engine.cohorts.demo import demo_truth, make_demo
from cacviz.engine.metrics import auprc_macro
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running.fitting import prepare
from cacviz.engine.running.methods import METHODS
from cacviz.engine.types import RunConfig

RESULTS = Path(__file__).parent / "results" / "planted.csv"
PICTURE = RESULTS.with_suffix(".svg")
KEY = ("cohort", "method", "clusters", "seed")
FIELDS = (*KEY, "auprc_macro", "ari", "shared", "seconds")
N, FEATURES, K = 1500, 20, 3
PLAIN = ("lr", "gbm")
RUNS = ("kmeans", "cac", "deepcac_soft", "deepcac_hard")


class Plan(NamedTuple):
    """How a cohort is planted: distance of the clusters in sd, whose effects, whose rates."""

    apart: float = 3.3  # k-means finds them with an adjusted Rand index of about .75
    own: bool = True  # each cluster's own slopes, or one set for all
    rates: float = 0.0  # how far the clusters' constants lie apart
    turned: float = 0.0  # 0: shared slopes in all, 1: opposite in the second cluster


PLANS = {
    "own": Plan(),
    "shared": Plan(own=False),
    "rates": Plan(own=False, rates=1.0),
    "hidden": Plan(apart=0.5),  # effects differ between clusters that cannot be found
    **{f"turned {t}": Plan(own=False, turned=t) for t in (0.25, 0.5, 0.75, 1.0)},
}
COHORTS = ("demo", *PLANS)


class Cohort(NamedTuple):
    """Features with gaps, features without, outcomes, the truth, and rows of the three parts."""

    gaps: np.ndarray
    X: np.ndarray
    y: np.ndarray
    kind: np.ndarray
    parts: tuple[np.ndarray, np.ndarray, np.ndarray]


def planted(plan, seed):
    """1,500 patients of three kinds, 20 features, three patients in ten with the outcome."""
    rng = np.random.default_rng(seed)
    centres = np.linalg.qr(rng.normal(size=(FEATURES, K)))[0].T * plan.apart / np.sqrt(2)
    kind = rng.integers(0, K, N)
    noise = rng.normal(size=(N, FEATURES))
    slopes = rng.normal(size=(K, FEATURES)) if plan.own else rng.normal(size=(1, FEATURES))
    slopes = 2 * slopes / np.linalg.norm(slopes, axis=1, keepdims=True) * np.ones((K, 1))
    slopes[1] *= 1 - 2 * plan.turned
    odds = (noise * slopes[kind]).sum(axis=1) - 1.2 + plan.rates * (kind - 1)
    y = (rng.random(N) < 1 / (1 + np.exp(-odds))).astype(int)
    return centres[kind] + noise, y, kind


def pairs(seed, n=2000):
    """2,000 patients of four kinds, 4 sd apart; the second of each pair has opposite slopes."""
    rng = np.random.default_rng(seed)
    centres = np.linalg.qr(rng.normal(size=(FEATURES, 4)))[0].T * 4.0 / np.sqrt(2)
    kind, noise = rng.integers(0, 4, n), rng.normal(size=(n, FEATURES))
    slopes = rng.normal(size=(2, FEATURES))
    slopes = 2 * slopes / np.linalg.norm(slopes, axis=1, keepdims=True)
    slopes = np.repeat(slopes, 2, axis=0) * np.tile([1, -1], 2)[:, None]
    odds = (noise * slopes[kind]).sum(axis=1) - 1.2
    y = (rng.random(n) < 1 / (1 + np.exp(-odds))).astype(int)
    return centres[kind] + noise, y, kind


def load(name, seed):
    """A cohort with its 57/18/25 split."""
    if name == "demo":
        _, parts = prepare(split_cohort(make_demo(), seed), RunConfig("deepcac", K, seed=seed))
        rows = parts.train, parts.validation, parts.test
        return Cohort(parts.prepared.gaps, parts.prepared.X, parts.y, demo_truth(), rows)
    X, y, kind = planted(PLANS[name], seed)
    known, test = train_test_split(np.arange(N), test_size=0.25, stratify=y, random_state=seed)
    rows = train_test_split(known, test_size=0.25, stratify=y[known], random_state=seed)
    scaled = StandardScaler().fit(X[rows[0]]).transform(X)
    return Cohort(scaled, scaled, y, kind, (*rows, test))


def run_cell(cohort, method, clusters, seed):
    """One row: fitted on train and validation, scored on test."""
    table = load(cohort, seed)
    name, _, routing = method.partition("_")
    settings = {"routing": routing} if routing else {}
    if clusters:
        settings["n_clusters"] = clusters
    train, validation, test = table.parts
    X = table.gaps if METHODS[name].gaps else table.X
    start = time.perf_counter()
    model = METHODS[name].estimator_class()(random_state=seed, **settings)
    model.fit(X[train], table.y[train], validation=(X[validation], table.y[validation]))
    row = dict(zip(KEY, (cohort, method, clusters, seed), strict=True))
    found = adjusted_rand_score(table.kind[test], model.predict_cluster(X[test]))
    row |= {"auprc_macro": auprc_macro(table.y[test], model.predict_proba(X[test])), "ari": found}
    row["shared"] = int(any(note.code == "shared risk" for note in model.notes_))
    return row | {"seconds": time.perf_counter() - start}


def main(arguments=None):
    import torch

    args = _arguments(arguments)
    if args.table or args.picture:
        rows = pd.read_csv(args.out)
        print("\n".join([*table(rows), "", *paired(rows)]))
        if args.picture:
            picture(rows, args.picture_out)
        return
    if args.write:
        written(args.write, args.seeds[0]).to_csv(sys.stdout, index=False)
        return
    torch.set_num_threads(1)
    done = set() if not args.out.exists() else _done(args.out)
    for cell in (c for c in _cells(args) if c not in done):
        row = run_cell(*cell)
        append_row(args.out, row, FIELDS)
        print({k: row[k] for k in (*KEY, "auprc_macro", "seconds")}, file=sys.stderr)


def written(name, seed):
    """A planted cohort as anybody would get it: features and outcome, without the truth."""
    X, y, _ = pairs(seed) if name == "pairs" else planted(PLANS[name], seed)
    frame = pd.DataFrame(X.round(4), columns=[f"x{i + 1}" for i in range(FEATURES)])
    return frame.assign(died=np.where(y == 1, "yes", "no"))


def _done(path):
    return set(pd.read_csv(path)[list(KEY)].itertuples(index=False, name=None))


def _cells(args):
    for seed in args.seeds:
        for cohort in args.cohorts:
            for method in args.methods:
                for clusters in _clusters(method):
                    yield cohort, method, clusters, seed


def _clusters(method):
    """With one cluster DeepCAC routes nobody: its soft row stands for both routings."""
    if method in PLAIN:
        return [0]
    return [K] if method == "deepcac_hard" else [1, K]


def table(rows):
    """Markdown: mean AUPRC over seeds, a column a method and k, and how many seeds there are."""
    rows = rows.assign(column=rows["method"] + rows["clusters"].map({0: "", 1: " k=1", K: " k=3"}))
    wide = rows.pivot_table(index="cohort", columns="column", values="auprc_macro")
    wide["seeds"] = rows.groupby("cohort")["seed"].nunique()
    yield "| cohort | " + " | ".join(wide.columns) + " |"
    yield "|---" * (len(wide.columns) + 1) + "|"
    for cohort in [c for c in COHORTS if c in wide.index]:
        means = wide.loc[cohort].iloc[:-1]
        cells = ["" if np.isnan(v) else f"{v:.3f}".removeprefix("0") for v in means]
        yield "| " + " | ".join([cohort, *cells, f"{wide.loc[cohort, 'seeds']:.0f}"]) + " |"


def paired(rows, method="deepcac_soft"):
    """Markdown: the method beside its k = 1 and CAC on the seeds that all three have."""
    yield f"| cohort | {method} k=3 | k=1 | minus k=1 (sd) | minus cac k=3 (sd) | seeds |"
    yield "|---" * 6 + "|"
    rows = rows.assign(key=rows["method"] + rows["clusters"].astype(str))
    wide = rows.pivot_table(index=["cohort", "seed"], columns="key", values="auprc_macro")
    ours = wide.reindex(columns=[f"{method}3", f"{method}1", f"cac{K}"]).dropna()
    for cohort, part in ours.groupby("cohort"):
        three, one, cac = (part[column] for column in part)
        gaps = [f"{gap.mean():+.3f} ({gap.std():.3f})" for gap in (three - one, three - cac)]
        cells = [cohort, f"{three.mean():.3f}", f"{one.mean():.3f}", *gaps, str(len(part))]
        yield "| " + " | ".join(cells) + " |"


def picture(rows, path):
    """The dial: AUPRC of each method as effects in one of three subtypes turn round."""
    from benchmarks.planted_picture import draw

    turned = {"shared": 0.0} | {f"turned {t}": t for t in (0.25, 0.5, 0.75, 1.0)}
    rows = rows.assign(turned=rows["cohort"].map(turned)).dropna(subset="turned")
    draw(rows.groupby(["method", "clusters", "turned"])["auprc_macro"].mean(), path)


def _arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cohorts", type=words, default=list(COHORTS))
    parser.add_argument("--methods", type=words, default=[*PLAIN, *RUNS])
    parser.add_argument("--seeds", type=numbers, default=list(range(110, 120)))
    parser.add_argument("--write", choices=[*PLANS, "pairs"], metavar="COHORT")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--picture", action="store_true")
    parser.add_argument("--picture-out", type=Path, default=PICTURE)
    parser.add_argument("--out", type=Path, default=RESULTS)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
