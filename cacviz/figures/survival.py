"""Kaplan–Meier curves by subtype."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from cacviz.engine.insights.types import Curve, Survival
from cacviz.figures.theme import DASHES, plain_label, styled, subtype_color, wrapped_label


def survival_curves(
    survival: Survival, titles: Sequence[str], shown: Sequence[int] | None = None
) -> go.Figure:
    """Share without the event over time on held-out patients, with 95% bands."""
    figure = go.Figure()
    for curve in survival.curves:
        if shown is not None and curve.cluster not in shown:
            continue
        figure.add_trace(band(curve, curve.cluster))
        figure.add_trace(step_line(curve, titles[curve.cluster], curve.cluster))
    framed(figure, survival, height=380)
    return figure.update_xaxes(tickvals=list(survival.ticks))


def step_line(curve: Curve, title: str, cluster: int) -> go.Scatter:
    """A curve in the colour of a subtype; curves of one colour differ by their dashes."""
    return go.Scatter(
        x=list(curve.times),
        y=list(curve.survival),
        mode="lines",
        line={
            "shape": "hv",
            "color": subtype_color(cluster),
            "dash": DASHES[curve.cluster % len(DASHES)],
            "width": 2,
        },
        name=plain_label(title),
        hovertemplate="%{x:.4g}: %{y:.1%}<extra>%{fullData.name}</extra>",
    )


def framed(figure: go.Figure, survival: Survival, height: int = 320) -> go.Figure:
    """Axes with the names of time and event; all that can be without it stays in sight."""
    unit = f" ({survival.unit})" if survival.unit else ""
    styled(
        figure,
        x_title=plain_label(f"{survival.time}{unit}"),
        y_title=wrapped_label(f"Without the event ({survival.event})", 36),
        y_format=".0%",
        height=height,
    )
    return figure.update_yaxes(range=[0, 1.02])


def band(curve: Curve, cluster: int) -> go.Scatter:
    """The 95% limits: steps of the upper limit, then those of the lower one backwards."""
    up, down = _steps(curve.times, curve.high), _steps(curve.times, curve.low)[::-1]
    return go.Scatter(
        x=[t for t, _ in up + down],
        y=[s for _, s in up + down],
        fill="toself",
        mode="none",
        fillcolor=subtype_color(cluster),
        opacity=0.15,
        hoverinfo="skip",
        showlegend=False,
    )


def _steps(times: Sequence[float], values: Sequence[float]) -> list[tuple[float, float]]:
    """Corners of a curve that holds each value until the next time."""
    corners = [(times[0], values[0])]
    for i in range(1, len(times)):
        corners += [(times[i], values[i - 1]), (times[i], values[i])]
    return corners
