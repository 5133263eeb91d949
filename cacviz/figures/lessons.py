"""The lines and circles of the page Method: cost, dial, margin, routing, noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from cacviz.figures.theme import (
    ACCENT,
    DASHES,
    HIGH,
    LOW,
    NEUTRAL,
    OUTCOMES,
    SYMBOLS,
    styled,
    subtype_color,
)

CURVES = (ACCENT, HIGH, LOW)  # neither subtypes nor outcomes; seen in light and in dark


def cost(costs: Sequence[float], at: int) -> go.Figure:
    """The cost of each round, where one stands marked."""
    figure = go.Figure(
        go.Scatter(
            x=list(range(len(costs))),
            y=list(costs),
            mode="lines+markers",
            line={"color": ACCENT, "width": 2},
            hovertemplate="round %{x}: cost %{y:,.0f}<extra></extra>",
        )
    )
    figure.add_scatter(
        x=[at],
        y=[costs[at]],
        mode="markers",
        marker={"size": 15, "color": ACCENT, "symbol": "circle"},
        hoverinfo="skip",
    )
    styled(figure, x_title="Round", y_title="Cost", height=240, legend=False)
    spare = 0.03 * len(costs)
    return figure.update_xaxes(
        dtick=1 if len(costs) < 14 else None, range=[-spare, len(costs) - 1 + spare]
    )


def lines(
    x: Sequence[float],
    series: Mapping[str, Sequence[float]],
    *,
    x_title: str,
    y_title: str,
    at: float | None = None,
    chance: float | None = None,
) -> go.Figure:
    """Several curves over one dial; where it stands is marked, and what chance gives."""
    figure = go.Figure()
    for number, (name, values) in enumerate(series.items()):
        figure.add_scatter(
            x=list(x),
            y=list(values),
            name=name,
            mode="lines+markers",
            line={"color": CURVES[number % 3], "dash": DASHES[number % len(DASHES)], "width": 2},
            marker={"symbol": SYMBOLS[number % len(SYMBOLS)], "size": 8},
            hovertemplate="%{y:.3f}<extra>" + name + "</extra>",
        )
    if at is not None:
        figure.add_vline(at, line_dash="dot", line_color=NEUTRAL)
    if chance is not None:
        said = {"annotation_text": "chance", "annotation_position": "top right"}
        figure.add_hline(chance, line_dash="dot", line_color=NEUTRAL, **said)
    return styled(figure, x_title=x_title, y_title=y_title, height=270)


def circle(
    angles: Mapping[str, np.ndarray], y: np.ndarray, vectors: np.ndarray, unwon: np.ndarray
) -> go.Figure:
    """Directions of patients: where they came from (inside) and settled (on the rim).

    The grey part of the rim is where neither outcome wins by the margin.
    """
    turn = np.linspace(0, 2 * np.pi, len(unwon))
    figure = go.Figure()
    band = np.where(unwon, 1.12, np.nan)
    figure.add_scatter(
        x=band * np.cos(turn),
        y=band * np.sin(turn),
        mode="lines",
        name="too near both to tell",
        line={"color": NEUTRAL, "width": 16, "simplify": False},
        opacity=0.35,
        hoverinfo="skip",
    )
    names = ("without the event", "with the event")
    for radius, (when, at) in zip((0.72, 1.0), angles.items(), strict=True):
        for event in (0, 1):
            rows = y == event
            figure.add_scatter(
                x=radius * np.cos(at[rows]),
                y=radius * np.sin(at[rows]),
                mode="markers",
                name=f"{names[event]}, {when}",
                marker={
                    "color": OUTCOMES[event],
                    "symbol": "diamond" if event else "circle",
                    "size": 9 if radius == 1 else 6,
                    "opacity": 0.9 if radius == 1 else 0.55,
                },
                hovertemplate=f"{names[event]}, {when}<extra></extra>",
            )
    for event, vector in enumerate(vectors):
        figure.add_scatter(
            x=[0, 0.6 * np.cos(vector)],
            y=[0, 0.6 * np.sin(vector)],
            mode="lines+markers",
            line={"color": OUTCOMES[event], "width": 4},
            marker={"symbol": "arrow", "size": 14, "angleref": "previous"},
            showlegend=False,
            hovertemplate=f"direction of patients {names[event]}<extra></extra>",
        )
    styled(figure, height=400)
    figure.update_xaxes(visible=False, range=[-1.25, 1.25], fixedrange=True)
    return figure.update_yaxes(visible=False, range=[-0.35, 1.3], scaleanchor="x", fixedrange=True)


def border(
    at: np.ndarray,
    experts: np.ndarray,
    routed: Mapping[str, np.ndarray],
    patient: float,
    names: Sequence[str],
) -> go.Figure:
    """Risk on the way from one subtype to the other: each expert's, and by both routings."""
    figure = go.Figure()
    for cluster, title in enumerate(names):
        figure.add_scatter(
            x=at,
            y=experts[:, cluster],
            name=f"risk model of {title}",
            mode="lines",
            line={"color": subtype_color(cluster), "width": 2, "dash": "dot"},
            hovertemplate="%{y:.0%}<extra></extra>",
        )
    for number, (name, values) in enumerate(routed.items()):
        figure.add_scatter(
            x=at,
            y=values,
            name=name,
            mode="lines",
            line={"color": CURVES[number], "width": 3, "dash": ("dash", "solid")[number]},
            hovertemplate="%{y:.0%}<extra></extra>",
        )
    figure.add_vline(0, line_color=NEUTRAL, line_width=1)
    figure.add_vline(patient, line_dash="dot", line_color=OUTCOMES[1], annotation_text="patient")
    styled(figure, y_title="Risk", y_format=".0%", height=340)
    centres = {"tickvals": [-2, 0, 2]}
    texts = [f"centre of<br>{names[0]}", "border", f"centre of<br>{names[1]}"]
    return figure.update_xaxes(ticktext=texts, **centres).update_yaxes(rangemode="tozero")
