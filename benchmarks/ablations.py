"""The paper's ablations of DeepCAC on CIC, k = 3: α, β and the margin, one turned at a time.

    python -m benchmarks.ablations [--splits 100,101] [--routing hard]     # rows are appended
    python -m benchmarks.ablations --table          # beside the paper's figures

Hard routing is the paper's. Its α is on another scale than ours (docs/methods.md, section 3): what
can be compared is the shape. Finished rows are never computed again.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import pandas as pd

from benchmarks import paper_cohorts
from benchmarks.paper import append_row, numbers
from cacviz.engine.deep.deepcac import DeepCAC
from cacviz.engine.metrics import auc, auprc_macro

RESULTS = Path(__file__).parent / "results" / "ablations.csv"
KEY = ("setting", "value", "routing", "split")
FIELDS = (*KEY, "auprc_macro", "auc", "silhouette", "seconds")
GRID = {
    "alpha": (0.0, 0.001, 0.1, 0.2, 1.0, 5.0, 100.0),
    "beta": (0.0, 1.0, 5.0, 20.0, 100.0),
    "margin": (0.0, 0.2, 0.4, 0.8),
}
# macro AUPRC in the authors' results; there 0 switches β's term off too (plain autoencoder)
PAPER = {
    ("alpha", 0.0): 0.713,
    ("alpha", 0.001): 0.631,
    ("alpha", 0.1): 0.693,
    ("alpha", 1.0): 0.755,
    ("alpha", 5.0): 0.746,
    ("alpha", 100.0): 0.745,
}


def run_cell(table, setting, value, routing, split):
    """One row: one setting turned, all others as they are by default."""
    train, validation, test = paper_cohorts.split(table, split)
    model = DeepCAC(3, routing=routing, random_state=split, **{setting: value})
    start = time.perf_counter()
    known, judged = ((table.X[rows], table.y[rows]) for rows in (train, validation))
    proba = model.fit(*known, validation=judged).predict_proba(table.X[test])
    row = dict(zip(KEY, (setting, value, routing, split), strict=True))
    curve = [r["silhouette"] for r in model.history_ if "silhouette" in r]
    row |= {"auprc_macro": auprc_macro(table.y[test], proba), "auc": auc(table.y[test], proba)}
    return row | {"silhouette": curve[-1], "seconds": time.perf_counter() - start}


def table_of(rows):
    """Markdown: means over splits beside the paper's."""
    yield "| setting | value | auprc_macro | auc | silhouette | splits | paper, auprc_macro |"
    yield "|---" * 7 + "|"
    for (setting, value), part in rows.groupby(["setting", "value"]):
        means = [f"{part[name].mean():.3f}" for name in ("auprc_macro", "auc", "silhouette")]
        beside = PAPER.get((setting, value), "")
        yield "| " + " | ".join(map(str, (setting, value, *means, len(part), beside))) + " |"


def main(arguments=None):
    import torch

    args = _arguments(arguments)
    if args.table:
        print("\n".join(table_of(pd.read_csv(args.out))))
        return
    if not args.data.exists():
        sys.exit(f"The cohorts are not at {args.data}: give their folder with --data.")
    torch.set_num_threads(1)
    done = set()
    if args.out.exists():
        done = set(pd.read_csv(args.out)[list(KEY)].itertuples(index=False, name=None))
    table = paper_cohorts.load("cic", args.data)
    cells = [(s, v, args.routing, n) for n in args.splits for s in GRID for v in GRID[s]]
    for cell in [c for c in cells if c not in done]:
        row = run_cell(table, *cell)
        append_row(args.out, row, FIELDS)
        print({k: row[k] for k in (*KEY, "auprc_macro", "seconds")}, file=sys.stderr)


def _arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--splits", type=numbers, default=[100, 101])
    parser.add_argument("--routing", choices=("hard", "soft"), default="hard")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--data", type=Path, default=paper_cohorts.DATA)
    parser.add_argument("--out", type=Path, default=RESULTS)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
