"""Hourly records of a cohort: who came in, and how often each variable was measured by hour."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from cacviz.figures.theme import LOW, SLATE, plain_label, styled

MOST_DRAWN = 40


def flow_of_patients(labels: Sequence[str], counts: Sequence[int]) -> go.Figure:
    """A bar whose parts add up to all patients of the file; the first part is who stays."""
    figure = go.Figure()
    shades = (LOW, *SLATE[1:], *SLATE[1:])
    for label, n, color in zip(labels, counts, shades, strict=False):
        figure.add_bar(
            x=[n],
            y=[""],
            orientation="h",
            name=plain_label(label),
            marker_color=color,
            text=f"{n:,}",
            textposition="inside",
            insidetextanchor="middle",
            hovertemplate=f"{n:,} {plain_label(label)}<extra></extra>",
        )
    styled(figure, height=110)
    figure.update_layout(barmode="stack", bargap=0.35, legend_traceorder="normal")
    figure.update_xaxes(visible=False)
    return figure.update_yaxes(visible=False)


def measured_by_hour(variables: Sequence[str], shares: np.ndarray) -> go.Figure:
    """Share of patients measured in each hour; `shares` is hours × variables."""
    names = [plain_label(v) for v in variables[:MOST_DRAWN]]
    figure = go.Figure(
        go.Heatmap(
            z=shares[:, : len(names)].T,
            x=list(range(1, len(shares) + 1)),
            y=names,
            zmin=0,
            zmax=1,
            colorscale=[[0, "rgba(138,143,152,0.10)"], [1, LOW]],
            colorbar={
                "tickformat": ".0%",
                "thickness": 12,
                "len": 220,
                "lenmode": "pixels",
                "y": 1,
                "yanchor": "top",
            },
            xgap=1,
            ygap=1,
            hovertemplate="%{y}, hour %{x}: %{z:.1%} of patients measured<extra></extra>",
        )
    )
    styled(figure, x_title="Hour of the stay", height=120 + 18 * len(names), legend=False)
    figure.update_xaxes(showgrid=False)
    return figure.update_yaxes(autorange="reversed", showgrid=False, type="category")
