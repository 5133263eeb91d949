"""Risk factors drawn: importances side by side, SHAP beeswarm, one-feature effects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from cacviz.engine.insights.types import Beeswarm, Effect, RiskFactor, Student
from cacviz.engine.types.telling import short_number
from cacviz.figures.theme import (
    DASHES,
    NEUTRAL,
    SCALE,
    SLATE,
    SYMBOLS,
    plain_label,
    styled,
    subtype_color,
    wrapped_label,
)

# slate, not the subtypes' colours; icon and word say it too
MARK_COLORS = {"all": SLATE[0], "some": SLATE[1], "unique": SLATE[2], "": SLATE[3]}
MARK_ICONS = {"all": "●", "some": "◐", "unique": "○", "": ""}
ARROWS = {"raises": "▲", "lowers": "▼", "both ways": "◆"}
SWARM_WIDTH = 0.38
LEAST_END = 0.2  # of the gain: a bar of less does not fill its chart
LETTER = 6.4  # pixels, of the labels beside bars


class Scale(NamedTuple):
    """What charts of several subtypes share, so that bars of one share have one length."""

    end: float  # of the axis
    room: int  # pixels for the longest label


def shared_scale(students: Iterable[Student]) -> Scale | None:
    """One end and one room for labels, for the charts of all these students."""
    factors = [f for s in students for f in s.factors]
    if not factors:
        return None
    longest = max(len(line) for f in factors for line in _label(f).split("<br>"))
    return Scale(max(LEAST_END, *(f.importance for f in factors)), round(16 + LETTER * longest))


def importance_bars(
    student: Student, ways: Sequence[str], *, scale: Scale | None = None
) -> go.Figure:
    """The strongest factors of one subtype with their direction, marked as shared or unique.

    `ways` says of each factor whether it raises the risk, lowers it, or goes both ways.
    """
    factors = student.factors
    labels = [_label(f) for f in factors]
    bars = go.Bar(
        x=[f.importance for f in factors],
        y=labels,
        orientation="h",
        marker_color=[MARK_COLORS[f.mark] for f in factors],
        text=[f"{ARROWS.get(way, '')} {way}" for way in ways],
        textposition="outside",
        cliponaxis=False,
        customdata=[[f.permutation, f.stability, _way(f)] for f in factors],
        hovertemplate="%{y}: %{x:.1%} of the gain; %{customdata[2]}; among the five strongest in "
        "%{customdata[1]:.0%} of resamples; R² lost when shuffled %{customdata[0]:.3f}"
        "<extra></extra>",
    )
    height = 100 + sum(12 + 14 * (label.count("<br>") + 1) for label in labels)
    figure = styled(go.Figure(bars), x_title="Share of gain", height=height, legend=False)
    figure.update_layout(margin_r=72)  # room for the words behind the longest bar
    # no grid: it would run through the words behind the bars
    figure.update_xaxes(tickformat=".0%", tickangle=0, nticks=4, rangemode="tozero", showgrid=False)
    if scale:  # its end alone: beside long names there is no room for more
        figure.update_xaxes(range=[0, scale.end], tickvals=[scale.end])
        figure.update_layout(margin_l=scale.room).update_yaxes(automargin=False)
    order = {"categoryorder": "array", "categoryarray": labels[::-1], "type": "category"}
    return figure.update_yaxes(**order, showgrid=False)


def _label(factor: RiskFactor) -> str:
    return f"{wrapped_label(factor.of or factor.title, 16)} {MARK_ICONS[factor.mark]}".strip()


def _way(factor: RiskFactor) -> str:
    if abs(factor.direction) < 0.3:
        return "no clear direction"
    what = plain_label(factor.of)
    if what:
        return f"{what} {'raises' if factor.direction > 0 else 'lowers'} the risk"
    return "higher values raise the risk" if factor.direction > 0 else "higher values lower it"


def shap_beeswarm(swarm: Beeswarm, titles: Sequence[str]) -> go.Figure:
    """A point a patient and factor: how far it moves the risk, coloured by the factor's value."""
    figure = go.Figure()
    for place, title in enumerate(titles):
        shap, values = swarm.shap[:, place], swarm.values[:, place]
        gone, beside = np.isnan(values), place + spread(shap)
        _not_measured(figure, shap[gone], beside[gone], title)
        shap, values = shap[~gone], values[~gone]
        figure.add_scattergl(
            x=shap,
            y=beside[~gone],
            mode="markers",
            marker={
                "size": 4,
                "color": _ranks(values),
                "colorscale": SCALE,
                "cmin": 0,
                "cmax": 1,
                "showscale": place == 0,
                "colorbar": {
                    "title": {"text": "value"},
                    "tickvals": [0, 1],
                    "ticktext": ["low", "high"],
                    "thickness": 12,
                },
            },
            text=[short_number(v) for v in values],
            hovertemplate=f"{plain_label(title)} %{{text}}: %{{x:+.2f}} log-odds<extra></extra>",
            showlegend=False,
        )
    figure.add_vline(0, line_color=NEUTRAL)
    styled(
        figure,
        x_title="SHAP value (change of log-odds)",
        height=120 + 40 * len(titles),
        legend=False,
    )
    labels = {
        "tickvals": list(range(len(titles))),
        "ticktext": [plain_label(t) for t in titles],
    }
    return figure.update_yaxes(autorange="reversed", showgrid=False, **labels)


def _not_measured(figure: go.Figure, shap: np.ndarray, beside: np.ndarray, title: str) -> None:
    """Patients without a value: grey and open, for they have no place on the scale."""
    if len(shap):
        figure.add_scattergl(
            x=shap,
            y=beside,
            mode="markers",
            marker={"size": 5, "color": NEUTRAL, "symbol": "circle-open"},
            hovertemplate=f"{plain_label(title)} not measured: %{{x:+.2f}} log-odds<extra></extra>",
            showlegend=False,
        )


def spread(values: np.ndarray, bins: int = 60) -> np.ndarray:
    """Sideways places so that points of like value lie beside each other, not on each other."""
    if len(values) == 0 or np.ptp(values) == 0:
        return np.linspace(-SWARM_WIDTH, SWARM_WIDTH, len(values))
    bin_of = ((values - values.min()) / np.ptp(values) * (bins - 1)).astype(int)
    order = np.argsort(bin_of, kind="stable")
    counts = np.bincount(bin_of, minlength=bins)
    number = np.empty(len(values))
    number[order] = np.concatenate([np.arange(n) for n in counts])
    side = np.where(number % 2 == 0, 1, -1) * np.ceil(number / 2)
    return side / max(1.0, counts.max() / 2) * SWARM_WIDTH


def _ranks(values: np.ndarray) -> np.ndarray:
    """Ranks from 0 to 1, so that one outlier does not take all the colours."""
    _, inverse = np.unique(values, return_inverse=True)
    return inverse / max(1, inverse.max(initial=0))


def one_feature_effects(
    effects: Sequence[tuple[int, Effect]], titles: Sequence[str], outcome: str
) -> go.Figure:
    """Risk in each subtype as one feature changes, all else as it is: categories as dots."""
    figure = go.Figure()
    for cluster, effect in effects:
        levels = bool(effect.words)
        figure.add_scatter(
            x=[plain_label(w) for w in effect.words] if levels else list(effect.values),
            y=list(effect.risk),
            mode="markers" if levels else "lines+markers",
            name=plain_label(titles[cluster]),
            marker={
                "size": 11 if levels else 6,
                "symbol": SYMBOLS[cluster % len(SYMBOLS)],
                "color": subtype_color(cluster),
            },
            line={
                "color": subtype_color(cluster),
                "dash": DASHES[cluster % len(DASHES)],
                "width": 2,
            },
            hovertemplate="%{x}: %{y:.1%}<extra>%{fullData.name}</extra>"
            if levels
            else "%{x:.4g}: %{y:.1%}<extra>%{fullData.name}</extra>",
        )
    first = effects[0][1]
    unit = f" ({first.unit})" if first.unit else ""
    styled(
        figure,
        x_title=plain_label(f"{first.title}{unit}"),
        y_title=wrapped_label(f"Explainer's risk of {outcome}", 36),
        y_format=".0%",
    )
    if first.words:
        figure.update_xaxes(type="category")
    return figure.update_yaxes(rangemode="tozero")
