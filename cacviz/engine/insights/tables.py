"""Insights as tables: the paper's two, Table 1, and the twins of figures; ready to show or save."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from cacviz.engine.insights.effects import LARGEST
from cacviz.engine.insights.names import told_apart
from cacviz.engine.insights.types import (
    FEW,
    MARK_WORDS,
    NOT_SHOWN,
    Cell,
    FeatureProfile,
    HeldOutTest,
    Profiles,
    Silhouettes,
    Student,
    Students,
    Survival,
)

FEWER = "< 5"  # of a count that stands alone
WHY_NOT_SHOWN = (
    "Counts under 5, and counts that would give them away, are not shown; nor are means of so few."
)
TOO_FEW = "too few"  # patients to tell a difference
CIRCULAR_Q = "q (describes, does not test)"
EFFECT, HELD_OUT = "Largest difference (sd)", "On held-out patients (sd)"
# heads that stand beside the subtypes' own
FIXED = (
    *("", "Feature", EFFECT, HELD_OUT, "Stability", "Rank"),
    *("Statistic", "Missing", "Overall", "SMD", "Test", CIRCULAR_Q),
)


def heads(names: Sequence[str]) -> list[str]:
    """A column head a subtype: no two alike, and none that a table has for something else."""
    return told_apart(names, FIXED)


def paper_table(profiles: Profiles, names: Sequence[str]) -> pd.DataFrame:
    """Mean (or share) per subtype, the most distinguishing first: the paper's table."""
    rows, columns = [], heads(names)
    for feature in profiles.features:
        for level in _levels(feature):
            means = [_mean(feature, cell, level) for cell in feature.cells]
            rows.append(
                {"Feature": _title(feature, level)}
                | dict(zip(columns, means, strict=True))
                | {
                    EFFECT: feature.effect,
                    HELD_OUT: feature.effect_held_out,
                    "Stability": feature.stability,
                }
            )
    return pd.DataFrame(rows)


def difference_word(value: float) -> str:
    """A difference in standard deviations; the largest that is told stands for groups apart."""
    if np.isnan(value):
        return TOO_FEW
    if abs(value) < LARGEST:
        return f"{value:z.2f}"
    return "no overlap" if value > 0 else "no overlap, reversed"


def n_rows(feature: FeatureProfile) -> int:
    """Rows that a feature has in the paper's table."""
    return len(_levels(feature))


def table_one(profiles: Profiles, names: Sequence[str]) -> pd.DataFrame:
    """Table 1: mean (SD), median [IQR] or n (%), missing, differences, the test and its q."""
    sizes = [f"{n:,}" if n >= FEW or n == 0 else FEWER for n in profiles.sizes]
    total, columns = sum(profiles.sizes), heads(names)
    head = {"": "n", "Statistic": "", "Missing": "", "Overall": f"{total:,}"}
    rows = [head | dict(zip(columns, sizes, strict=True))]
    for feature in profiles.features:
        rows += _table_one_rows(feature, columns)
    return pd.DataFrame(rows).fillna("")


def _table_one_rows(feature: FeatureProfile, columns: Sequence[str]) -> list[dict]:
    last = {
        "SMD": difference_word(feature.effect),
        "Test": feature.test,
        CIRCULAR_Q: _p(feature.circular_q),
    }
    missing = f"{feature.overall.missing:,}"
    if feature.shape == "number":
        forms = {"mean (SD)": _mean_sd, "median [IQR]": _median_iqr}
        return [
            {
                "": _title(feature, None) if place == 0 else "",
                "Statistic": form,
                "Missing": missing if place == 0 else "",
                "Overall": write(feature.overall),
            }
            | {head: write(c) for head, c in zip(columns, feature.cells, strict=True)}
            | (last if place == 0 else {})
            for place, (form, write) in enumerate(forms.items())
        ]
    return [
        {
            "": _title(feature, level),
            "Statistic": "n (%)",
            "Missing": missing if place == 0 else "",
            "Overall": _count(feature, feature.overall, level),
        }
        | {h: _count(feature, c, level) for h, c in zip(columns, feature.cells, strict=True)}
        | (last if place == 0 else {})
        for place, level in enumerate(_levels(feature))
    ]


def tests_table(tests: Sequence[HeldOutTest]) -> pd.DataFrame:
    """Real tests on held-out patients."""
    return pd.DataFrame(
        {
            "Variable": t.title,
            "Test": t.test,
            "Held-out patients": t.n,
            "Effect": f"{t.effect_name} {t.effect:.2f}" if np.isfinite(t.effect) else "",
            "p": _p(t.p),
            "p adjusted (Holm)": _p(t.p_adjusted),
            "": "differs" if t.significant else "no clear difference",
        }
        for t in tests
    )


def risk_factor_table(students: Students, names: Sequence[str]) -> pd.DataFrame:
    """The ten strongest factors of each subtype side by side: the paper's other table."""
    titles = heads(names)
    columns = {
        titles[s.cluster]: [
            f"{f.title} ({MARK_WORDS[f.mark]})".replace(" ()", "") for f in s.factors
        ]
        for s in students.students
    }
    longest = max((len(v) for v in columns.values()), default=0)
    filled = {name: [*v, *[""] * (longest - len(v))] for name, v in columns.items()}
    return pd.DataFrame(filled, index=pd.RangeIndex(1, longest + 1, name="Rank"))


def importance_table(student: Student) -> pd.DataFrame:
    """One subtype's factors in figures: the twin of its bars."""
    return pd.DataFrame(
        {
            "Feature": f.title,
            "Unit": f.unit,
            "Importance": f.importance,
            "R² lost when shuffled": f.permutation,
            "Direction": f.direction,
            "Shared": MARK_WORDS[f.mark],
        }
        for f in student.factors
    )


def heatmap_table(features: Sequence[FeatureProfile], names: Sequence[str]) -> pd.DataFrame:
    """Each subtype against everybody in standard deviations: the heatmap's twin."""
    columns = heads(names)
    return pd.DataFrame(
        {"Feature": _title(f, f.standing_level or None)}
        | dict(zip(columns, f.standing, strict=True))
        for f in features
    )


def silhouette_table(silhouettes: Silhouettes, names: Sequence[str]) -> pd.DataFrame:
    """Mean separation score of each subtype and how many lie nearer to another one."""
    rows = []
    for j, name in enumerate(names):
        values = silhouettes.values[silhouettes.clusters == j]
        if len(values) >= 5:
            below = float((values < 0).mean())
            rows.append((name, len(values), float(values.mean()), below))
    return pd.DataFrame(rows, columns=["Subtype", "Patients", "Mean", "Nearer to another subtype"])


def at_risk_table(survival: Survival, names: Sequence[str]) -> pd.DataFrame:
    """Patients still followed at each tick; stands under the survival curves."""
    titles = told_apart(names)
    rows = {
        titles[c.cluster]: [FEWER if n is None else f"{n:,}" for n in c.at_risk]
        for c in survival.curves
    }
    return pd.DataFrame(rows, index=[f"{t:g}" for t in survival.ticks]).T


def _levels(feature: FeatureProfile) -> Sequence[str | None]:
    if feature.shape == "number":
        return (None,)
    return ("yes",) if feature.shape == "yesno" else feature.levels


def _title(feature: FeatureProfile, level: str | None) -> str:
    unit = f" ({feature.unit})" if feature.unit else ""
    return f"{feature.title} = {level}" if level else f"{feature.title}{unit}"


def _mean(feature: FeatureProfile, cell: Cell, level: str | None) -> float:
    if level is None:
        return cell.mean
    count = cell.counts[feature.levels.index(level)]
    return float("nan") if count is None or cell.n == 0 else count / cell.n


def _mean_sd(cell: Cell) -> str:
    return NOT_SHOWN if np.isnan(cell.mean) else f"{cell.mean:.4g} ({cell.sd:.3g})"


def _median_iqr(cell: Cell) -> str:
    if np.isnan(cell.median):
        return NOT_SHOWN
    return f"{cell.median:.4g} [{cell.low:.4g}, {cell.high:.4g}]"


def _count(feature: FeatureProfile, cell: Cell, level: str | None) -> str:
    count = None if level is None else cell.counts[feature.levels.index(level)]
    return NOT_SHOWN if count is None else f"{count:,} ({count / max(1, cell.n):.1%})"


def _p(p: float) -> str:
    if np.isnan(p):
        return ""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
