"""Where the patients go, as one bar whose parts add up."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from cacviz.figures.theme import PARTS, styled


def patients(counts: Sequence[int], parts: Sequence[str]) -> go.Figure:
    """Patients to learn from, to tune by, to test on, and without an outcome; `parts` in words."""
    figure = go.Figure()
    for n, words, color in zip(counts, parts, PARTS, strict=True):
        if n:
            figure.add_bar(
                x=[n],
                y=[""],
                orientation="h",
                name=words,
                marker_color=color,
                text=f"{n:,}",
                textposition="inside",
                insidetextanchor="middle",
                hovertemplate=f"{n:,} {words}<extra></extra>",
            )
    styled(figure, height=125)
    figure.update_layout(barmode="stack", bargap=0.35, legend_traceorder="normal")
    figure.update_xaxes(visible=False)
    return figure.update_yaxes(visible=False)
