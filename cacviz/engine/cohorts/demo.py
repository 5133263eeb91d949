"""Cohorts to try the app with: synthetic ICU stays whose truth is known, and a real cohort.

`python -m cacviz.engine.cohorts.demo sample_data` writes the ICU stays as demo_icu.csv with their
codebook.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from cacviz.engine.cohorts.choosing import with_outcome
from cacviz.engine.cohorts.demos.codebook import (
    MEASURES,
    RISK_FACTORS,
    SUBTYPES,
    demo_columns,
    meanings,
)
from cacviz.engine.cohorts.demos.stays import DEATH, STAY, draw_stays
from cacviz.engine.cohorts.describing import describe
from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.types import Choices, Cohort, Column, Outcome

__all__ = [
    "DEMOS",
    "RISK_FACTORS",
    "SUBTYPES",
    "breast_cancer",
    "codebook",
    "demo_truth",
    "make_demo",
    "make_demo_stay",
]

STAY_CUTS = (7.0, 13.0)  # the paper's: up to a week, up to 13 days, longer


class Demo(NamedTuple):
    """A cohort on offer: what it is called, a line about it, and the function that makes it."""

    title: str
    description: str
    make: Callable[[], Cohort]


def make_demo(n: int = 3000, seed: int = 0) -> Cohort:
    """Synthetic ICU stays with three planted subtypes; the outcome is death in hospital."""
    frame, _ = draw_stays(n, seed)
    name = "Demo ICU cohort (synthetic)"
    return make_cohort(name, frame, demo_columns(), Outcome(DEATH), origin="synthetic")


def make_demo_stay(n: int = 3000, seed: int = 0) -> Cohort:
    """The same stays with length of stay as the outcome, cut as in the paper; death is left out."""
    frame, _ = draw_stays(n, seed)
    outcome = Outcome(STAY, cuts=STAY_CUTS)
    name = "Demo ICU length of stay (synthetic)"
    columns = with_outcome(Choices(demo_columns(), Outcome(DEATH)), outcome).columns
    return make_cohort(name, frame, columns, outcome, origin="synthetic")


def demo_truth(n: int = 3000, seed: int = 0) -> np.ndarray:
    """The planted subtype of each patient of `make_demo(n, seed)`: 0, 1 or 2, as in SUBTYPES."""
    return draw_stays(n, seed)[1]


def breast_cancer() -> Cohort:
    """569 breast masses with 30 measures of cell nuclei (Wisconsin), from scikit-learn."""
    from sklearn.datasets import load_breast_cancer  # only when asked for: it is slow to load

    data = load_breast_cancer(as_frame=True)
    frame = data.data.assign(diagnosis=np.array(["malignant", "benign"])[data.target])
    features = [Column(str(n), "number", label=n.capitalize()) for n in data.feature_names]
    columns = [*features, Column("diagnosis", "category", label="Diagnosis")]
    outcome = Outcome("diagnosis", positive="malignant")
    return make_cohort("Breast cancer Wisconsin", frame, columns, outcome, origin="example")


DEMOS = {
    "icu": Demo(
        "ICU cohort: death in hospital",
        "3,000 synthetic ICU stays with three planted subtypes whose risk factors differ.",
        make_demo,
    ),
    "icu-stay": Demo(
        "ICU cohort: length of stay",
        "The same synthetic stays; the outcome is up to 7 days, 8 to 13, or 14 and more.",
        make_demo_stay,
    ),
    "breast-cancer": Demo(
        "Breast cancer (Wisconsin)",
        "Real: 569 breast masses, malignant or benign, with 30 measures of their cell nuclei.",
        breast_cancer,
    ),
}


def codebook() -> pd.DataFrame:
    """A row a column of the demo cohort: what it means, its range, its gaps, its planted part."""
    cohort = make_demo()
    table = describe(cohort)
    return pd.DataFrame(
        {
            "Column": table["name"],
            "Label": table["label"],
            "Unit": table["unit"],
            "Meaning": table["name"].map(meanings()),
            "Role": table["role"],
            "Values": [_values(cohort.frame[name]) for name in table["name"]],
            "Missing": table["missing"].map("{:.0%}".format),
            "Higher values (planted)": table["name"].map(_planted),
        }
    )


def _values(values: pd.Series) -> str:
    if not pd.api.types.is_numeric_dtype(values):
        return ", ".join(sorted(values.unique()))
    if values.nunique() == 2:
        return "0, 1"
    median = "" if values.is_unique else f", median {values.median():g}"
    return f"{values.min():g} to {values.max():g}{median}"


def _planted(name: str) -> str:
    found: dict[str, list[str]] = {"raise": [], "lower": []}
    for subtype, factors in zip(SUBTYPES, RISK_FACTORS, strict=True):
        if name in factors:
            found["raise" if factors[name] > 0 else "lower"].append(f"*{subtype.name}*")
    parts = [f"{verb} the risk in {' and '.join(names)}" for verb, names in found.items() if names]
    return "; ".join(parts)


def write_demo(folder: str | Path) -> None:
    """Write the demo cohort as demo_icu.csv, and its codebook as the end of README.md there."""
    folder = Path(folder)
    whole = [m.name for m in MEASURES if m.decimals == 0] + ["MAP_median"]
    frame = make_demo().frame.astype(dict.fromkeys(whole, "Int64"))
    frame.to_csv(folder / "demo_icu.csv", index=False, lineterminator="\n", encoding="utf-8")
    readme, table = folder / "README.md", codebook()
    text = readme.read_text("utf-8").partition("| Column |")[0] if readme.exists() else ""
    rows = [table.columns, ["---"] * len(table.columns), *table.to_numpy()]
    lines = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    readme.write_text(text + lines, "utf-8")


if __name__ == "__main__":
    write_demo(sys.argv[1])
