"""The tables of benchmarks/README.md from the results of benchmarks/paper.py.

    python -m benchmarks.paper_table [RESULTS]

First the paper's own form (a line a cohort and k, a column a method; the best clustering method
bold, the paper's figure in brackets), for AUPRC and AUC; then every cell with its spread.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd

from benchmarks.paper import RESULTS
from benchmarks.paper_numbers import PUBLISHED

COHORTS = ("cic", "cic_los", "sepsis", "diabetes")
CLUSTERED = (
    "kmeans_z",
    "dcn_z",
    "idec_z",
    "dmnn",
    "actpc",
    "grasp",
    "deepcac_hard",
    "deepcac_soft",
)
CONTROLS = ("lr", "gbm")
SHOWN = ("auprc_macro", "auc", "auprc_positive")
HEAD = ("cohort", "method", "k", *SHOWN, "silhouette", "smallest", "seconds", "splits")


def main():
    results = pd.read_csv(Path(sys.argv[1]) if len(sys.argv) > 1 else RESULTS)
    for metric in PUBLISHED:
        print(f"\n{metric}\n")
        print("\n".join(paper_form(results, metric)))
    print("\ndeepcac_soft, k = 3, paired over splits, auprc_macro\n")
    print("\n".join(differences(results)))
    print("\nevery cell\n")
    print("\n".join(every_cell(results)))


def paper_form(results, metric):
    """Markdown lines: our mean over splits (the paper's); * where not all five splits are there."""
    head = ("cohort", "k", *CLUSTERED, *CONTROLS)
    yield from _head(head)
    for cohort in COHORTS:
        rows = results[results["cohort"] == cohort]
        for k in (2, 3, 4):
            ours = {m: rows[(rows["method"] == m) & (rows["clusters"] == k)] for m in CLUSTERED}
            ours |= {m: rows[rows["method"] == m] for m in CONTROLS}
            means = {m: part[metric].mean() for m, part in ours.items() if len(part)}
            best = max((means[m] for m in CLUSTERED if m in means), default=None)
            cells = [_cell(ours[m], means.get(m), best, metric, m, cohort, k) for m in ours]
            yield "| " + " | ".join([cohort, str(k), *cells]) + " |"


def _cell(part, mean, best, metric, method, cohort, k):
    if mean is None:
        return ""
    text = f"**{_short(mean)}**" if mean == best and method in CLUSTERED else _short(mean)
    text += "" if len(part) >= 5 else "*"
    printed = PUBLISHED[metric][cohort, k].get(method.removesuffix("_hard"))
    return f"{text} ({printed})" if printed else text


def differences(results, method="deepcac_soft", k=3):
    """Markdown lines: the method beside its k = 1 and the controls on the splits that both have."""
    yield from _head(("cohort", method, "minus k = 1", "minus lr", "minus gbm", "splits"))
    wide = results.pivot_table(
        index=["cohort", "split"], columns=["method", "clusters"], values="auprc_macro"
    )
    shared = results[(results["method"] == method) & (results.get("shared", 0) == 1)]
    for row in shared.itertuples():  # then k = 1 is this very model, fitted or not
        wide.loc[(row.cohort, row.split), (method, 1)] = row.auprc_macro
    beside = [c for c in ((method, 1), ("lr", 0), ("gbm", 0)) if c in wide]
    for cohort in [c for c in COHORTS if c in wide.index]:
        rows = wide.loc[cohort][[(method, k), *beside]].dropna()
        gaps = [rows[method, k] - rows[other] for other in beside]
        cells = [f"{gap.mean():+.4f} ({gap.std():.4f})" for gap in gaps]
        mean = _short(rows[method, k].mean(), 4)
        yield "| " + " | ".join([cohort, mean, *cells, str(len(rows))]) + " |"


def every_cell(results):
    """Markdown lines: mean (sd) over the splits that each cell has."""
    yield from _head(HEAD)
    for (cohort, method, k), rows in results.groupby(["cohort", "method", "clusters"]):
        scores = [f"{_short(rows[m].mean())} ({_short(rows[m].std())})" for m in SHOWN]
        found = [_short(rows[m].mean(), 2) for m in ("silhouette", "smallest")]
        cells = [cohort, method, str(k or ""), *scores, *found, f"{rows['seconds'].mean():.0f}"]
        yield "| " + " | ".join([*cells, str(len(rows))]) + " |"


def _head(names):
    yield "| " + " | ".join(names) + " |"
    yield "|" + "---|" * len(names)


def _short(value, digits=3):
    return "" if pd.isna(value) else f"{value:.{digits}f}".removeprefix("0")


if __name__ == "__main__":
    main()
