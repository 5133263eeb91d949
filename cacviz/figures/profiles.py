"""What differs between subtypes, drawn: heatmap, distributions, effect sizes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from cacviz.engine.insights.types import NOT_SHOWN, FeatureProfile
from cacviz.engine.notes import subtype_name
from cacviz.figures.theme import NEUTRAL, plain_label, styled, subtype_color, wrapped_label

DIVERGING = ((0.0, "#0072B2"), (0.5, "#F7F7F7"), (1.0, "#D55E00"))
MOST_HEADS = 3  # "Subtype 1" stands beside its like in half a window; of more, the number alone
FARTHEST = 1.5  # standard deviations at which the colour is full


def feature_label(feature: FeatureProfile) -> str:
    """A feature with the level it speaks of and its unit."""
    level = f" = {feature.standing_level}" if feature.standing_level else ""
    unit = f" ({feature.unit})" if feature.unit else ""
    return plain_label(f"{feature.title}{level}{unit}")


def profile_heatmap(features: Sequence[FeatureProfile], names: Sequence[str]) -> go.Figure:
    """Each subtype against everybody, in standard deviations: blue below, orange above.

    Heads are the subtypes' numbers, for names have no room there; hovering tells the name.
    """
    few = len(names) <= MOST_HEADS
    z = np.array([f.standing for f in features])
    heat = go.Heatmap(
        z=z,
        x=[subtype_name(j) if few else str(j + 1) for j in range(len(names))],
        customdata=[[_numbered(j, name) for j, name in enumerate(names)]] * len(features),
        y=[feature_label(f) for f in features],
        colorscale=[list(stop) for stop in DIVERGING],
        zmid=0,
        zmin=-FARTHEST,
        zmax=FARTHEST,
        text=[["too few" if np.isnan(v) else f"{v:+.2f}" for v in row] for row in z],
        texttemplate="%{text}",
        textfont={"color": "#1B1B1B"},
        colorbar={"title": {"text": "sd"}, "thickness": 12},
        hovertemplate="%{y}<br>%{customdata}: %{text} standard deviations from everybody"
        "<extra></extra>",
        xgap=2,
        ygap=2,
    )
    height, x_title = 110 + 24 * len(features), "" if few else "Subtype"
    figure = styled(go.Figure(heat), x_title=x_title, height=height, legend=False)
    figure.update_xaxes(side="top", showgrid=False, tickangle=0, type="category")
    return figure.update_yaxes(autorange="reversed", showgrid=False, type="category")


def _numbered(cluster: int, name: str) -> str:
    own, number = plain_label(name), subtype_name(cluster)
    return own if own == number else f"{number}, {own}"


def effect_sizes(features: Sequence[FeatureProfile]) -> go.Figure:
    """Largest difference between two subtypes: as found, and again on held-out patients."""
    labels = [plain_label(f.title) for f in features]
    figure = go.Figure()
    figure.add_bar(
        x=[f.effect for f in features],
        y=labels,
        orientation="h",
        name="training patients, as found",
        marker_color=subtype_color(0),
        customdata=[[f.stability] for f in features],
        hovertemplate="%{y}: %{x:.2f} sd; in the top in %{customdata[0]:.0%} of resamples"
        "<extra></extra>",
    )
    figure.add_scatter(
        x=[f.effect_held_out for f in features],
        y=labels,
        mode="markers",
        name="held-out patients",
        marker={"color": NEUTRAL, "symbol": "diamond", "size": 9},
        hovertemplate="%{y}: %{x:.2f} sd on held-out patients<extra></extra>",
    )
    styled(
        figure,
        x_title="Largest difference between two subtypes (sd)",
        height=120 + 22 * len(features),
    )
    return figure.update_yaxes(autorange="reversed", type="category")


def number_distributions(
    values: np.ndarray, clusters: np.ndarray, names: Sequence[str], title: str
) -> go.Figure:
    """A number's distribution in each subtype; the outer 1 % of all patients are left out."""
    figure, known = go.Figure(), np.isfinite(values)
    low, high = np.quantile(values[known], [0.005, 0.995]) if known.any() else (0.0, 1.0)
    shown = known & (values >= low) & (values <= high)
    for j, name in enumerate(names):
        inside = values[shown & (clusters == j)]
        if len(inside) < 5:
            continue
        figure.add_violin(
            x=inside,
            name=wrapped_label(name),
            side="negative",
            orientation="h",
            width=1.6,
            points=False,
            spanmode="hard",
            line_color=subtype_color(j),
            meanline_visible=True,
            hoverinfo="skip",
        )
    height = 130 + 70 * len(names)
    figure = styled(figure, x_title=plain_label(title), height=height, legend=False)
    return figure.update_yaxes(autorange="reversed")


def level_shares(feature: FeatureProfile, names: Sequence[str]) -> go.Figure:
    """Share of each level in each subtype; counts that are not shown have no bar."""
    figure = go.Figure()
    first = 1 if feature.shape == "yesno" else 0
    for j, name in enumerate(names):
        cell = feature.cells[j]
        counts = cell.counts[first:]
        figure.add_bar(
            x=[plain_label(level) for level in feature.levels[first:]],
            y=[None if n is None else n / max(1, cell.n) for n in counts],
            name=plain_label(name),
            marker_color=subtype_color(j),
            customdata=[NOT_SHOWN if n is None else f"{n:,}" for n in counts],
            hovertemplate="%{x}: %{y:.1%} (%{customdata} patients)<extra>%{fullData.name}</extra>",
        )
    styled(figure, x_title=plain_label(feature.title), y_title="Share", y_format=".0%")
    return figure.update_yaxes(rangemode="tozero").update_xaxes(type="category")
