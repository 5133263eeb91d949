"""What differs between subtypes, drawn: heatmap, distributions, effect sizes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from cacviz.engine.insights.types import FeatureProfile
from cacviz.figures.theme import (
    HIGH,
    LOW,
    SLATE,
    axis_labels,
    plain_label,
    signed,
    styled,
    subtype_color,
    upright,
    wrapped_label,
)

DIVERGING = ((0.0, LOW), (0.5, "#F7F7F7"), (1.0, HIGH))
HALF = 0.5  # of a subtype: of fewer the mean is of those who were measured
FARTHEST = 1.5  # standard deviations at which the colour is full
ENDS = {
    "tickvals": [-FARTHEST, -0.75, 0, 0.75, FARTHEST],
    "ticktext": [f"≤ −{FARTHEST}", "−0.75", "0", "0.75", f"≥ {FARTHEST}"],
}


EDGE = {"color": "white", "width": 1}  # so that a mark stands out on a bar and beside it


def feature_label(feature: FeatureProfile) -> str:
    """A feature with the level it speaks of and its unit."""
    level = f" = {feature.standing_level}" if feature.standing_level else ""
    unit = f" ({feature.unit})" if feature.unit else ""
    return plain_label(f"{feature.title}{level}{unit}")


def _told(feature: FeatureProfile, cluster: int) -> str:
    """The standing in words; a star where less than half of the subtype was measured."""
    standing, cell = feature.standing[cluster], feature.cells[cluster]
    if math.isnan(standing):
        return "few measured"
    return signed(standing) + ("*" if cell.n < HALF * (cell.n + cell.missing) else "")


def profile_heatmap(
    features: Sequence[FeatureProfile], titles: Sequence[str], shown: Sequence[int] | None = None
) -> go.Figure:
    """Each subtype against everybody, in standard deviations: teal below, plum above."""
    clusters = list(range(len(titles))) if shown is None else list(shown)
    z = np.array([[f.standing[j] for j in clusters] for f in features], dtype=float)
    heat = go.Heatmap(
        z=z,
        x=axis_labels(titles, clusters),
        y=[feature_label(f) for f in features],
        colorscale=[list(stop) for stop in DIVERGING],
        zmid=0,
        zmin=-FARTHEST,
        zmax=FARTHEST,
        text=[[_told(f, j) for j in clusters] for f in features],
        texttemplate="%{text}",
        colorbar={"title": {"text": "sd"}, "thickness": 12} | ENDS,
        hovertemplate="%{y}<br>%{x}: %{text} standard deviations from everybody<extra></extra>",
        xgap=2,
        ygap=2,
    )
    height = 150 + 24 * len(features)
    figure = styled(go.Figure(heat), height=height, legend=False)
    figure.update_xaxes(side="top", showgrid=False, type="category")
    figure.update_yaxes(autorange="reversed", showgrid=False, type="category")
    return upright(figure, len(clusters))


def effect_sizes(features: Sequence[FeatureProfile]) -> go.Figure:
    """Largest difference between two subtypes: as found, and again on held-out patients."""
    labels = [plain_label(f.title) for f in features]
    figure = go.Figure()
    figure.add_bar(
        x=[f.effect for f in features],
        y=labels,
        orientation="h",
        name="training patients, as found",
        marker_color=SLATE[2],
        customdata=[[f.stability] for f in features],
        hovertemplate="%{y}: %{x:.2f} sd; in the top in %{customdata[0]:.0%} of resamples"
        "<extra></extra>",
    )
    figure.add_scatter(
        x=[f.effect_held_out for f in features],
        y=labels,
        mode="markers",
        name="held-out patients",
        marker={"color": SLATE[0], "symbol": "diamond", "size": 11, "line": EDGE},
        hovertemplate="%{y}: %{x:.2f} sd on held-out patients<extra></extra>",
    )
    styled(
        figure,
        x_title="Largest difference between two subtypes (sd)",
        height=120 + 22 * len(features),
    )
    return figure.update_yaxes(autorange="reversed", type="category")


def number_distributions(
    values: np.ndarray,
    clusters: np.ndarray,
    titles: Sequence[str],
    title: str,
    shown: Sequence[int] | None = None,
) -> go.Figure:
    """A number's distribution in each subtype; the outer 1% of all patients are left out."""
    figure, known = go.Figure(), np.isfinite(values)
    low, high = np.quantile(values[known], [0.005, 0.995]) if known.any() else (0.0, 1.0)
    inside = known & (values >= low) & (values <= high)
    wanted = list(range(len(titles))) if shown is None else list(shown)
    for j in wanted:
        drawn = values[inside & (clusters == j)]
        if len(drawn):
            figure.add_violin(
                x=drawn,
                name=wrapped_label(titles[j]),
                side="negative",
                orientation="h",
                width=1.6,
                points="all" if len(drawn) < 5 else False,
                spanmode="hard",
                line_color=subtype_color(j),
                hoverinfo="skip",
            )
            figure.add_scatter(  # of all, those left out of the drawing too
                x=[values[known & (clusters == j)].mean()],
                y=[wrapped_label(titles[j])],
                marker={"color": subtype_color(j), "symbol": "diamond", "size": 10, "line": EDGE},
                hovertemplate="mean %{x:.4g}<extra></extra>",
            )
    height = 130 + 70 * len(wanted)
    figure = styled(figure, x_title=plain_label(title), height=height, legend=False)
    return figure.update_yaxes(autorange="reversed")


def level_shares(
    feature: FeatureProfile, titles: Sequence[str], shown: Sequence[int] | None = None
) -> go.Figure:
    """Share of each level in each subtype; counts that are hidden are drawn hatched."""
    figure = go.Figure()
    first = 1 if feature.shape == "yesno" else 0
    levels = [plain_label(level) for level in feature.levels[first:]]
    for j in range(len(titles)) if shown is None else shown:
        cell = feature.cells[j]
        counts = cell.counts[first:]
        hidden = [n is None for n in counts]
        figure.add_bar(
            x=levels,
            y=[0.04 if n is None else n / max(1, cell.n) for n in counts],
            name=plain_label(titles[j]),
            marker={
                "color": ["rgba(0,0,0,0)" if h else subtype_color(j) for h in hidden],
                "line": {"color": subtype_color(j), "width": [1 if h else 0 for h in hidden]},
                "pattern": {
                    "shape": ["/" if h else "" for h in hidden],
                    "fgcolor": subtype_color(j),
                },
            },
            customdata=[
                "hidden: fewer than 5 patients, or it would give them away"
                if n is None
                else f"{n / max(1, cell.n):.1%} ({n:,} patients)"
                for n in counts
            ],
            hovertemplate="%{x}: %{customdata}<extra>%{fullData.name}</extra>",
        )
    styled(figure, x_title=plain_label(feature.title), y_title="Share", y_format=".0%")
    return figure.update_yaxes(rangemode="tozero").update_xaxes(type="category")
