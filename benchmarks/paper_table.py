"""The table of benchmarks/README.md from the results of benchmarks/paper.py.

python -m benchmarks.paper_table
"""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd

from benchmarks.paper import RESULTS

# auprc_macro of DeepCAC in the paper and its authors' result files. Sepsis and Diabetes there are
# other tables than ours (whole-stay aggregates; nine label-encoded columns).
PAPER = {
    ("cic", 1): ".755",
    ("cic", 2): ".753",
    ("cic", 3): ".746",
    ("cic", 4): ".743",
    ("cic_los", 1): ".487",
    ("cic_los", 2): ".485",
    ("cic_los", 3): ".488",
    ("cic_los", 4): ".487",
}
SHOWN = ("auprc_macro", "auc", "auprc_positive")
HEAD = ("cohort", "method", "k", *SHOWN, "silhouette", "smallest", "seconds", "splits", "paper")


def main():
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else RESULTS
    print("\n".join(table(pd.read_csv(path))))


def table(results):
    """Markdown lines: mean (sd) over the splits that each cell has."""
    yield "| " + " | ".join(HEAD) + " |"
    yield "|" + "---|" * len(HEAD)
    for (cohort, method, k), rows in results.groupby(["cohort", "method", "clusters"]):
        scores = [f"{_short(rows[m].mean())} ({_short(rows[m].std())})" for m in SHOWN]
        found = [_short(rows[m].mean(), 2) for m in ("silhouette", "smallest")]
        paper = PAPER.get((cohort, k), "") if method.startswith("deepcac") else ""
        cells = [cohort, method, str(k or ""), *scores, *found, f"{rows['seconds'].mean():.0f}"]
        yield "| " + " | ".join([*cells, str(len(rows)), paper]) + " |"


def _short(value, digits=3):
    return "" if pd.isna(value) else f"{value:.{digits}f}".removeprefix("0")


if __name__ == "__main__":
    main()
