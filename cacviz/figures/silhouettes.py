"""Separation scores by patient: the knife plot."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from cacviz.engine.insights.types import Silhouettes
from cacviz.figures.theme import NEUTRAL, plain_label, styled, subtype_color, wrapped_label

MOST_POINTS = 400  # of a subtype's blade; the shape needs no more
GAP = 0.02


def knife_plot(silhouettes: Silhouettes, names: Sequence[str]) -> go.Figure:
    """Each training patient's silhouette, sorted within its subtype; the mean is dashed."""
    figure, start = go.Figure(), 0.0
    total = max(1, len(silhouettes.values))
    ticks = []
    for j, name in enumerate(names):
        values = np.sort(silhouettes.values[silhouettes.clusters == j])
        if not len(values):
            continue
        places = np.linspace(0, len(values) - 1, min(len(values), MOST_POINTS)).round().astype(int)
        y = start + places / total
        mean = float(values.mean())
        figure.add_scatter(
            x=values[places],
            y=y,
            fill="tozerox",
            mode="lines",
            line={"color": subtype_color(j), "width": 1},
            name=plain_label(name),
            hovertemplate=f"{plain_label(name)}: %{{x:.2f}} (mean {mean:.2f})<extra></extra>",
        )
        ticks.append(
            (start + len(values) / total / 2, f"{wrapped_label(name)}<br>({len(values):,})")
        )
        start += len(values) / total + GAP
    _reference(figure, silhouettes.mean, "mean", "dash")
    _reference(figure, silhouettes.kmeans, "k-means", "dot", bottom=True)
    styled(figure, x_title="Separation score (silhouette) of each patient", legend=False)
    marks = {"tickvals": [t[0] for t in ticks], "ticktext": [t[1] for t in ticks]}
    return figure.update_yaxes(showgrid=False, autorange="reversed", **marks)


def _reference(
    figure: go.Figure, value: float, word: str, dash: str, *, bottom: bool = False
) -> None:
    figure.add_vline(
        value,
        line_dash=dash,
        line_color=NEUTRAL,
        annotation_text=f"{word} {value:.3f}",
        annotation_position="bottom right" if bottom else "top right",
    )
