"""Hourly records beside their summaries, on held-out patients: a CSV row a method, k and split.

    python -m benchmarks.timeseries --cohorts sepsis --methods gbm,deepcac_ts --clusters 3

Every method gets the same patients of the same splits as benchmarks/paper.py. `lr`, `gbm` and
`deepcac` read what is known at admission and seven summaries of each variable in the window; the
methods that end in `_ts` read the hours besides. `grud`, the peer from outside (peers.py beside),
reads the hours and what is known at admission. Rows that the results file already has are never
computed again, so a stopped run goes on.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from benchmarks.paper import FIELDS, FRESH, KEY, append_row, numbers, words
from benchmarks.paper_cohorts import DATA, split
from benchmarks.peers import GRUD, PEERS, need_pypots
from cacviz.engine.metrics import score
from cacviz.engine.preparation.stays import Stays
from cacviz.engine.reading.tables import read_table
from cacviz.engine.running.controls import has_one
from cacviz.engine.running.methods import METHODS
from cacviz.engine.series.joining import with_static
from cacviz.engine.series.records import read_records
from cacviz.engine.series.summaries import STATISTICS, URINE, VENTILATION
from cacviz.engine.series.tables import series_table
from cacviz.engine.types import Window

RESULTS = Path(__file__).parent / "results" / "timeseries.csv"
OUTCOMES = ("Length_of_stay", "Survival", "In-hospital_death")
CHOSEN = (
    *("lr", "gbm", "deepcac_soft", "deepcac_ts_soft", "deepcac_ts_hard"),
    *("grasp_ts", "actpc_ts"),
)


class Cohort(NamedTuple):
    """Stays with their summaries, class codes, the patient of each; what is known at admission."""

    X: Stays
    y: np.ndarray
    groups: np.ndarray
    known: tuple[int, ...]  # places among the static features


def main(arguments=None):
    args = _arguments(arguments)
    if not args.data.exists():
        sys.exit(f"The cohorts are not at {args.data}: give their folder with --data.")
    if set(args.methods) & set(PEERS):
        need_pypots()
    done = _finished(args.out)
    cells = [c for c in _cells(args) if c not in done]
    print(f"{len(done)} rows are there, {len(cells)} to compute.", file=sys.stderr)
    for cell in cells:
        row = run_cell(*cell, data=args.data, threads=args.threads)
        append_row(args.out, row, (*FIELDS, "cpu_seconds", "epoch_ratio"))
        print({k: row[k] for k in (*KEY, "auprc_macro", "auc", "cpu_seconds")}, file=sys.stderr)


def run_cell(cohort, method, clusters, seed, *, data, threads):
    """One row of the results: fit on train and validation, score on test."""
    import torch

    torch.set_num_threads(threads)
    table = _load(cohort, str(data))
    train, validation, test = split(table, seed)
    began, cpu = time.perf_counter(), time.process_time()
    model, X = _model(method, clusters, seed, table.known), table.X
    if method not in PEERS and METHODS[_named(method)[0]].reads == "table":
        X = X.static
    parts = [(X[rows], table.y[rows]) for rows in (train, validation)]
    marks = []
    model.fit(
        *parts[0],
        validation=parts[1],
        on_step=lambda row: marks.append((row["phase"], time.process_time())),
    )
    proba = model.predict_proba(X[test])
    spent = {"seconds": time.perf_counter() - began, "cpu_seconds": time.process_time() - cpu}
    key = dict(zip(KEY, (cohort, method, clusters, seed), strict=True))
    return key | score(table.y[test], proba) | _found(model, marks) | spent


def _found(model, marks):
    """Of the clusters the smallest, the silhouette, and whether they share one risk.

    And an epoch beside one of pre-training.
    """
    if not model.embeds:
        return {}
    sizes = np.bincount(model.labels_, minlength=model.n_clusters) / len(model.labels_)
    curve = [row["silhouette"] for row in model.history_ if "silhouette" in row]
    shared = any(note.code == "shared risk" for note in model.notes_)
    found = {"smallest": sizes.min(), "silhouette": curve[-1], "shared": int(shared)}
    return found | {"epoch_ratio": epoch_ratio(marks)}


def epoch_ratio(marks):
    """CPU seconds of an epoch of the clustering, its checks included, per one of pre-training.

    Pre-training is the plain autoencoder. `marks` are the phase and the clock at each epoch's end.
    """
    spent = {"pretrain": [], "cluster": []}
    for (before, start), (phase, end) in itertools.pairwise(marks):
        if before == phase and phase in spent:
            spent[phase].append(end - start)
    if not all(spent.values()):
        return float("nan")
    return float(np.median(spent["cluster"]) / np.median(spent["pretrain"]))


def _named(method):
    """The registry's name and the routing of a method such as deepcac_ts_hard."""
    name, _, routing = method.rpartition("_")
    return (name, routing) if routing in ("soft", "hard") else (method, None)


def _model(method, clusters, seed, known):
    if method in PEERS:
        return GRUD(known, random_state=seed)
    name, routing = _named(method)
    settings = {"routing": routing} if routing else {}
    if METHODS[name].clusters:
        settings["n_clusters"] = clusters
    return METHODS[name].estimator_class()(random_state=seed, **settings)


@cache
def _load(name, data):
    return COHORTS[name](Path(data))


def _sepsis(data):
    """Stays of 24 hours or more, without those that were septic within them."""
    records = read_records(data / "sepsis2019" / "p19_setA_hourly.parquet")
    table = series_table(records, Window(24))
    return _of(table.frame, _hours(table), "SepsisLabel", table.series.variables)


def _icu(data, *, outcome):
    """Sets a and b in one; a variable that one of them lacks would be NaN there."""
    tables = [_icu_table(data / "physionet2012", letter) for letter in "ab"]
    assert tables[0].series.variables == tables[1].series.variables
    frame = pd.concat([t.frame for t in tables], ignore_index=True)
    hours = np.concatenate([_hours(t) for t in tables])
    if outcome == "Length_of_stay":
        kept = frame[outcome].notna().to_numpy()
        frame, hours = frame[kept].reset_index(drop=True), hours[kept]
        frame[outcome] = np.digitize(frame[outcome].astype(float), [7, 13], right=True)
    return _of(frame, hours, outcome, tables[0].series.variables)


def _icu_table(folder, letter):
    outcomes = read_table(folder / f"p12_set-{letter}_outcomes.csv", "outcomes", missing=["-1"])
    records = with_static(read_records(folder / f"p12_set-{letter}_long.parquet"), outcomes)
    return series_table(records, Window(48, keep_empty=True))


def _hours(table):
    series = table.series
    return np.where(series.measured, series.values, np.float32(np.nan))


def _of(frame, hours, outcome, variables):
    y = frame[outcome].astype(int).to_numpy()
    static = frame.drop(columns=[frame.columns[0], outcome, *OUTCOMES], errors="ignore")
    if "ICUType" in static:
        kinds = pd.get_dummies(static["ICUType"], prefix="ICU", dtype=float)
        static = pd.concat([static.drop(columns="ICUType"), kinds], axis=1)
    static = static.apply(pd.to_numeric).dropna(axis=1, how="all")
    known = known_at_admission(static.columns, variables)
    return Cohort(Stays(hours, static.to_numpy(np.float64)), y, np.arange(len(y)), known)


def known_at_admission(columns, variables):
    """Places of the columns that are no summary of the hours."""
    made = {f"{variable}_{statistic}" for variable in variables for statistic in STATISTICS}
    own = tuple(v for v in (VENTILATION, URINE) if v in variables)  # MechVentStartTime and others
    return tuple(i for i, c in enumerate(columns) if c not in made and not c.startswith(own))


COHORTS = {
    "sepsis": _sepsis,
    "cic": lambda data: _icu(data, outcome="In-hospital_death"),
    "cic_los": lambda data: _icu(data, outcome="Length_of_stay"),
}


def _cells(args):
    for seed in args.splits:
        for cohort in args.cohorts:
            for method in args.methods:
                for k in _ks(method, args.clusters):
                    yield cohort, method, k, seed


def _ks(method, clusters):
    """Those that the method can have; 0 where it has no clusters."""
    name = _named(method)[0]
    if method in PEERS or not METHODS[name].clusters:
        return [0]
    return [k for k in clusters if k != 1 or has_one(name)]


def _finished(path):
    if not path.exists():
        return set()
    rows = pd.read_csv(path)
    return {tuple(row) for row in rows[list(KEY)].itertuples(index=False)}


def _arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cohorts", type=words, default=list(COHORTS))
    parser.add_argument("--methods", type=words, default=list(CHOSEN))
    parser.add_argument("--clusters", type=numbers, default=[2, 3, 4])
    parser.add_argument("--splits", type=numbers, default=FRESH[:5])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--out", type=Path, default=RESULTS)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
