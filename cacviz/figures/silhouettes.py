"""Separation scores by patient: the knife plot."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from cacviz.engine.insights.types import Silhouettes
from cacviz.figures.theme import NEUTRAL, plain_label, styled, subtype_color, wrapped_label

MOST_POINTS = 400  # of a subtype's blade; the shape needs no more
GAP = 0.02
LINE = 0.085  # of a label that is wrapped: labels keep apart
HEIGHT = 290  # of the whole, more where labels need it


def knife_plot(
    silhouettes: Silhouettes, titles: Sequence[str], shown: Sequence[int] | None = None
) -> go.Figure:
    """Each training patient's silhouette, sorted within its subtype; lines at the means."""
    figure, start, edge = go.Figure(), 0.0, 0.0  # edge: where the label before ends
    wanted = list(range(len(titles))) if shown is None else list(shown)
    total = max(1, int(np.isin(silhouettes.clusters, wanted).sum()))
    ticks = []
    for j in wanted:
        name = titles[j]
        values = np.sort(silhouettes.values[silhouettes.clusters == j])
        if not len(values):
            continue
        places = np.linspace(0, len(values) - 1, min(len(values), MOST_POINTS)).round().astype(int)
        mean, height = float(values.mean()), len(values) / total
        label = f"{wrapped_label(name, 22)} ({len(values):,})"
        room = LINE * (label.count("<br>") + 1)
        start = max(start, edge + (room - height) / 2)
        figure.add_scatter(
            x=values[places],
            y=start + places / total,
            fill="tozerox",
            mode="lines",
            line={"color": subtype_color(j), "width": 1},
            name=plain_label(name),
            hovertemplate=f"{plain_label(name)}: %{{x:.2f}} (mean {mean:.2f})<extra></extra>",
            showlegend=False,
        )
        middle = start + height / 2
        ticks.append((middle, label))
        edge, start = middle + room / 2, start + height + GAP
    start = max(start, edge)
    if f"{silhouettes.mean:.3f}" == f"{silhouettes.kmeans:.3f}":  # two would look like one odd line
        _reference(figure, silhouettes.mean, "mean and k-means", "dash", start)
    else:
        _reference(figure, silhouettes.mean, "mean", "dash", start)
        _reference(figure, silhouettes.kmeans, "k-means", "dot", start)
    styled(
        figure,
        x_title="Separation score (silhouette) of each patient",
        height=round(HEIGHT * max(1, start)),
    )
    marks = {"tickvals": [t[0] for t in ticks], "ticktext": [t[1] for t in ticks]}
    return figure.update_yaxes(showgrid=False, autorange="reversed", **marks)


def _reference(figure: go.Figure, value: float, word: str, dash: str, end: float) -> None:
    """A line from top to bottom; the legend tells what it is, for the two may be close."""
    figure.add_scatter(
        x=[value, value],
        y=[0, end],
        mode="lines",
        line={"dash": dash, "color": NEUTRAL, "width": 2},
        name=f"{word} {value:.3f}",
        hovertemplate=f"{word} {value:.3f}<extra></extra>",
    )
