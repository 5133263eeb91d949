"""Insights as tables: the paper's two, Table 1, and the twins of figures; ready to show or save.

Columns are headed by the subtypes' titles: number and name together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from cacviz.engine.insights.contrasts import Contrast
from cacviz.engine.insights.names import told_apart
from cacviz.engine.insights.types import (
    Cell,
    FeatureProfile,
    HeldOutTest,
    Profiles,
    Silhouettes,
    Survival,
)
from cacviz.engine.scoring.effects import LARGEST
from cacviz.engine.types.telling import short_number
from cacviz.wording.words import p_text

HIDDEN = "hidden"  # a count below 5, or one that would give it away
WHY_HIDDEN = (
    "Hidden: counts below 5 and counts that would give them away, and means of so few patients. "
    "They are there, but not shown."
)
NOT_MEASURED = "not measured"
TOO_FEW = "too few measured"  # patients to tell a difference
CIRCULAR_Q = "q (describes, does not test)"
EFFECT, HELD_OUT = "Largest difference (sd)", "On held-out patients (sd)"
# heads that stand beside the subtypes' own
FIXED = (
    *("", "Feature", EFFECT, HELD_OUT, "Stability", "Rank"),
    *("Statistic", "Missing", "Overall", "SMD", "Test", CIRCULAR_Q),
)
Statistic = Literal["mean (SD)", "median [IQR]", "range", "n (%)", "missing"]
STATISTICS: tuple[Statistic, ...] = ("mean (SD)", "median [IQR]", "range", "missing")
ORDERS = ("most distinguishing first", "as in the file", "by name")


@dataclass(frozen=True, slots=True)
class TableOneForm:
    """What Table 1 shows: which variables (all where empty), which statistics, in which order."""

    variables: tuple[str, ...] = ()
    statistics: tuple[str, ...] = ("mean (SD)", "median [IQR]")
    order: str = ORDERS[0]
    overall: bool = True
    tests: bool = True


def heads(titles: Sequence[str]) -> list[str]:
    """A column head a subtype: no two alike, and none that a table has for something else."""
    return told_apart(titles, FIXED)


def paper_table(profiles: Profiles, titles: Sequence[str]) -> pd.DataFrame:
    """Mean (or share) per subtype, the most distinguishing first: the paper's table."""
    rows, columns = [], heads(titles)
    for feature in profiles.features:
        for level in levels_of(feature):
            means = [_mean(feature, cell, level) for cell in feature.cells]
            rows.append(
                {"Feature": feature_title(feature, level)}
                | dict(zip(columns, means, strict=True))
                | {
                    EFFECT: feature.effect,
                    HELD_OUT: feature.effect_held_out,
                    "Stability": feature.stability,
                }
            )
    return pd.DataFrame(rows)


def difference_word(value: float) -> str:
    """A difference in standard deviations; of the largest no more is told."""
    if np.isnan(value):
        return TOO_FEW
    if abs(value) < LARGEST:
        return f"{value:z.2f}"
    return f"{LARGEST:g} or more" if value > 0 else f"{LARGEST:g} or more, reversed"


def n_rows(feature: FeatureProfile) -> int:
    """Rows that a feature has in the paper's table."""
    return len(levels_of(feature))


def table_one(
    profiles: Profiles, titles: Sequence[str], form: TableOneForm | None = None
) -> pd.DataFrame:
    """Table 1: the statistics that are wanted, differences, the test and its q."""
    columns, form = heads(titles), form or TableOneForm()
    head = {"": "n", "Statistic": ""}
    head |= {"Overall": f"{sum(profiles.sizes):,}"} if form.overall else {}
    head |= dict(zip(columns, (f"{n:,}" for n in profiles.sizes), strict=True))
    rows = [head]
    for feature in _ordered(profiles.features, form):
        rows += _table_one_rows(feature, columns, form)
    return pd.DataFrame(rows).fillna("")


def _ordered(features: Sequence[FeatureProfile], form: TableOneForm) -> list[FeatureProfile]:
    wanted = [f for f in features if not form.variables or f.name in form.variables]
    if form.order == ORDERS[2]:
        return sorted(wanted, key=lambda f: f.title.casefold())
    if form.order == ORDERS[1]:
        return sorted(wanted, key=lambda f: f.place)
    return wanted


def _table_one_rows(
    feature: FeatureProfile, columns: Sequence[str], form: TableOneForm
) -> list[dict]:
    writers = {"mean (SD)": _mean_sd, "median [IQR]": _median_iqr, "range": _range}
    lines: list[tuple[str, str, list[str]]] = []
    cells = [*([feature.overall] if form.overall else []), *feature.cells]
    if feature.shape == "number":
        for name, write in writers.items():
            if name in form.statistics:
                lines.append((feature_title(feature, None), name, [write(c) for c in cells]))
    else:
        for level in levels_of(feature):
            counts = [_count(feature, c, level) for c in cells]
            lines.append((feature_title(feature, level), "n (%)", counts))
    if "missing" in form.statistics:
        gone = [f"{c.missing:,} ({c.missing / max(1, c.n + c.missing):.1%})" for c in cells]
        lines.append((feature_title(feature, None), "missing", gone))
    names = [*(["Overall"] if form.overall else []), *columns]
    last = {"SMD": difference_word(feature.effect), "Test": feature.test}
    last |= {CIRCULAR_Q: p_text(feature.circular_q)}
    rows = []
    for place, (title, statistic, values) in enumerate(lines):
        same = place and title == lines[place - 1][0]
        row = {"": "" if same else title, "Statistic": statistic}
        row |= dict(zip(names, values, strict=True))
        rows.append(row | (last if form.tests and place == 0 else {}))
    return rows


def tests_table(tests: Sequence[HeldOutTest]) -> pd.DataFrame:
    """Real tests on held-out patients."""
    return pd.DataFrame(
        {
            "Variable": t.title,
            "Test": t.test,
            "Held-out patients": t.n,
            "Effect": f"{t.effect_name} {t.effect:.2f}" if np.isfinite(t.effect) else "",
            "p": p_text(t.p),
            "p adjusted (Holm)": p_text(t.p_adjusted),
            "": "differs" if t.significant else "no clear difference",
        }
        for t in tests
    )


def test_sentence(test: HeldOutTest) -> str:
    """One test on held-out patients in words."""
    word = "differs" if test.significant else "does not clearly differ"
    p = p_text(test.p_adjusted)
    adjusted = "adjusted " if test.p != test.p_adjusted else ""
    return (
        f"{test.title} {word} between the subtypes on {test.n:,} held-out patients ({test.test}, {adjusted}p "
        f"{p if p.startswith('<') else f'= {p}'})."
    )


def heatmap_table(features: Sequence[FeatureProfile], titles: Sequence[str]) -> pd.DataFrame:
    """Each subtype against everybody in standard deviations: the heatmap's twin."""
    columns = heads(titles)
    return pd.DataFrame(
        {"Feature": feature_title(f, f.standing_level or None)}
        | dict(zip(columns, f.standing, strict=True))
        for f in features
    )


def silhouette_table(silhouettes: Silhouettes, titles: Sequence[str]) -> pd.DataFrame:
    """Mean separation score of each subtype and how many lie nearer to another one."""
    rows = []
    for j, title in enumerate(titles):
        values = silhouettes.values[silhouettes.clusters == j]
        if len(values):
            rows.append((title, len(values), float(values.mean()), float((values < 0).mean())))
    return pd.DataFrame(rows, columns=["Subtype", "Patients", "Mean", "Nearer to another subtype"])


def at_risk_table(survival: Survival, titles: Sequence[str], *, hide: bool = False) -> pd.DataFrame:
    """Patients still followed at each tick; stands under the survival curves."""
    named = told_apart(titles)
    rows = {
        named[c.cluster]: [HIDDEN if hide and 0 < n < 5 else f"{n:,}" for n in c.at_risk]
        for c in survival.curves
    }
    return pd.DataFrame(rows, index=[f"{t:g}" for t in survival.ticks]).T


def levels_of(feature: FeatureProfile) -> Sequence[str | None]:
    """The levels that have a row each; of yes/no, yes tells it all."""
    if feature.shape == "number":
        return (None,)
    return ("yes",) if feature.shape == "yesno" else feature.levels


def feature_title(feature: FeatureProfile | Contrast, level: str | None) -> str:
    """A feature with its unit, or with the level that a row speaks of."""
    unit = f" ({feature.unit})" if feature.unit else ""
    return f"{feature.title} = {level}" if level else f"{feature.title}{unit}"


def _mean(feature: FeatureProfile, cell: Cell, level: str | None) -> float:
    if level is None:
        return cell.mean
    count = cell.counts[feature.levels.index(level)]
    return float("nan") if count is None or cell.n == 0 else count / cell.n


def _mean_sd(cell: Cell) -> str:
    return _nothing(
        cell
    ) or f"{short_number(cell.mean)} ({short_number(float(f'{cell.sd:.3g}'))})".replace(
        " (nan)", ""
    )


def _median_iqr(cell: Cell) -> str:
    return (
        _nothing(cell)
        or f"{short_number(cell.median)} [{short_number(cell.low)}, {short_number(cell.high)}]"
    )


def _range(cell: Cell) -> str:
    return _nothing(cell) or f"{short_number(cell.least)} to {short_number(cell.most)}"


def _nothing(cell: Cell) -> str:
    if cell.hidden:
        return HIDDEN
    return NOT_MEASURED if cell.n == 0 else ""


def _count(feature: FeatureProfile, cell: Cell, level: str | None) -> str:
    count = None if level is None else cell.counts[feature.levels.index(level)]
    return HIDDEN if count is None else f"{count:,} ({count / max(1, cell.n):.1%})"
