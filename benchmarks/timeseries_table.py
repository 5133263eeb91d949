"""The tables of benchmarks/README.md on hours beside their summaries, from the rows kept.

    python -m benchmarks.timeseries_table

Of each method the means over the splits that DeepCAC-TS (soft, k = 3) has too, and DeepCAC-TS minus
it on them: mean, standard deviation over splits, and in how many DeepCAC-TS was above.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd

from benchmarks.paper import FRESH
from benchmarks.timeseries import RESULTS

OURS = "deepcac_ts_soft", 3
MEASURES = {"auprc_macro": "macro AUPRC", "auc": "AUC"}


def main():
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else RESULTS
    rows = pd.read_csv(path)
    rows = rows[rows["split"].isin(FRESH)]
    for cohort, own in rows.groupby("cohort", sort=False):
        print(f"\n{cohort}\n")
        print("\n".join(lines(own)))


def lines(rows):
    """A Markdown table of one cohort's rows, as far as DeepCAC-TS has their splits."""
    is_ours = (rows["method"] == OURS[0]) & (rows["clusters"] == OURS[1])
    rows = rows[rows["split"].isin(rows["split"][is_ours])]
    words = ", ".join(MEASURES.values())
    heads = ["method", "k", "splits", *MEASURES.values(), "CPU s", f"DeepCAC-TS minus it: {words}"]
    table = [heads, ["---"] * len(heads)]
    for (method, k), own in rows.groupby(["method", "clusters"], sort=False):
        means = [_short(own[measure].mean()) for measure in MEASURES]
        seconds = f"{own['cpu_seconds'].mean():.0f}"
        minus = ", ".join(said(paired(rows, (method, k), m)) for m in MEASURES)
        number = [str(k or ""), str(len(own))]
        table.append([method, *number, *means, seconds, "" if (method, k) == OURS else minus])
    return [f"| {' | '.join(cells)} |" for cells in table]


def paired(rows, other, measure):
    """DeepCAC-TS minus the other, a number for each split that both have."""
    ours, theirs = (
        rows[(rows["method"] == method) & (rows["clusters"] == k)].set_index("split")[measure]
        for method, k in (OURS, other)
    )
    return (ours - theirs).dropna()


def said(differences):
    """+.0170 (.0078; 5 of 5); without a standard deviation where there is one split."""
    above = f"{(differences > 0).sum()} of {len(differences)}"
    sd = f"{_short(differences.std())}; " if len(differences) > 1 else ""
    return f"{differences.mean():+.4f} ({sd}{above})".replace("0.", ".", 1)


def _short(number):
    return f"{number:.4f}".removeprefix("0")


if __name__ == "__main__":
    main()
