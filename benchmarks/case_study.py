"""The paper's case study: DeepCAC, k = 3, on ICU length of stay cut at 7 and 13 days.

python benchmarks/case_study.py [PATH of physionet2012] [--method deepcac] [--seed 0] [--out DIR]
prints the paper's two tables on sets a + b, and with --out draws them.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

from cacviz.engine import fit_run, split_cohort
from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.insights.making import insight_steps
from cacviz.engine.reading.kinds import type_numbers
from cacviz.engine.types import Column, Outcome, RunConfig
from cacviz.figures.importances import importance_bars
from cacviz.figures.profiles import profile_heatmap
from cacviz.wording import tables
from cacviz.wording.verdicts import control_title
from cacviz.wording.words import ratio

SHARED = Path(__file__).resolve().parents[1].parent / "shared" / "data" / "physionet2012"
STAY = "Length_of_stay"
LEFT_OUT = ("Survival", "In-hospital_death", "ICUType")
PAPER = ("UrineOutputSum", "MechVentLast8Hour", "MechVentDuration", "WBC_last", "GCS_median")
PAPER += ("Age", "Creatinine_last", "BUN_last", "Albumin_last", "WBC_first")


def read(path):
    """Sets a and b as one cohort; stays without a length are left out by their missing outcome."""
    files = [path / f"p12_set-{s}_static.csv.gz" for s in "ab"]
    absent = [f.name for f in files if not f.exists()]
    if absent:
        sys.exit(f"{', '.join(absent)} not found in {path}: name the folder of PhysioNet 2012.")
    frame = pd.concat([pd.read_csv(f) for f in files], ignore_index=True)
    frame[STAY] = frame[STAY].where(frame[STAY] >= 0)
    roles = {"RecordID": "patient id", **dict.fromkeys(LEFT_OUT, "left out")}
    columns = [
        Column(n, type_numbers(n, frame[n].to_numpy(float)).kind, roles.get(n, "feature"))
        for n in frame.columns
    ]
    return make_cohort("ICU length of stay", frame, columns, Outcome(STAY, cuts=(7.0, 13.0)))


def by_stay(summary):
    """Clusters from the shortest to the longest stays, as the paper numbers them."""
    share = [c.class_counts[-1] / max(1, c.n) for c in summary.clusters]
    return np.argsort(share)


def print_tables(summary, described, students, order):
    names = [f"C{place + 1}" for place in range(len(order))]
    shown = [names[list(order).index(j)] for j in range(len(order))]
    print("\nImportant features (the paper's table), class ratios <=7 : 8-13 : >13 days")
    for name, j in zip(names, order, strict=True):
        cluster, student = summary.clusters[j], students.students[j]
        rates = ", ".join(f"{r.value:.0%}" for r in cluster.test_rates)
        print(
            f"{name}: |C| = {cluster.n}, ratio {ratio(cluster.class_counts)}; held out {rates}; "
            f"student R2 {student.r2:.2f}, AUPRC teacher {student.auprc_teacher:.3f}, "
            f"student {student.auprc_student:.3f}; suggested name: {described.names[j]}"
        )
    table = tables.risk_factor_table(students, shown)
    print(table[names].to_string())
    counts = {"all": 0, "some": 0, "unique": 0}
    for name, mark in {f.name: f.mark for s in students.students for f in s.factors}.items():
        counts[mark] += bool(name)
    print(f"shared by all {counts['all']}, by some {counts['some']}, unique {counts['unique']}")
    print("\nMost distinguishing features, mean per subtype (the paper's table, by effect)")
    distinguishing = tables.paper_table(described.profiles, shown)
    columns = ["Feature", *names, tables.EFFECT, tables.HELD_OUT]
    print(distinguishing[columns].head(10).round(3).to_string(index=False))
    print("\nThe paper's ten features in our subtypes")
    theirs = distinguishing[distinguishing["Feature"].str.split(" = ").str[0].isin(PAPER)]
    print(theirs[columns].round(3).to_string(index=False))
    return table[names], distinguishing[columns]


def draw(out, described, students, order):
    """The two tables as CSV and as figures that open without the internet."""
    out.mkdir(parents=True, exist_ok=True)
    names = [f"C{list(order).index(j) + 1}" for j in range(len(order))]
    profile_heatmap(described.profiles.features[:20], names).write_html(out / "profile.html")
    for student in students.students:
        ways = [tables.direction_word(f.direction) for f in student.factors]
        figure = importance_bars(student, ways)
        figure.write_html(out / f"risk_factors_{names[student.cluster]}.html")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", nargs="?", type=Path, default=SHARED)
    parser.add_argument("--method", default="deepcac")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    cohort, began = read(asked.path), time.perf_counter()
    config = RunConfig(method=asked.method, n_clusters=3, seed=asked.seed)
    fitted = fit_run(split_cohort(cohort, asked.seed), config)
    steps = insight_steps(cohort, fitted, only=("described", "silhouettes", "students"))
    made = {name: make() for name, make in steps}
    summary, described = fitted.summary, made["described"]
    students = made["students"].views[-1]  # of the longest stays
    print(f"{asked.method}, k = 3, seed {asked.seed}, {time.perf_counter() - began:.0f} s")
    print("Severity scores SAPS-I and SOFA are among the features, as in the paper.")
    test = summary.test["auprc_macro"]
    print(f"held-out AUPRC {test.value:.3f} ({test.low:.3f} to {test.high:.3f}); paper .495")
    for control in summary.controls:
        title = control_title(control.key)
        print(f"  {title}: {control.scores['auprc_macro'].value:.3f}")
    found = made["silhouettes"]
    print(f"silhouette {found.mean:.3f}, k-means on the same space {found.kmeans:.3f}")
    print(f"students' mean fidelity R2 {students.mean_r2:.3f} (wanted: >= 0.8, or it is said)")
    for test in described.tests:
        print(tables.test_sentence(test))
    order = by_stay(summary)
    first, second = print_tables(summary, described, students, order)
    if asked.out:
        draw(asked.out, described, students, order)
        first.to_csv(asked.out / "important_features.csv")
        second.to_csv(asked.out / "distinguishing_features.csv", index=False)


if __name__ == "__main__":
    main()
