"""Patients in a plane, for the page Method: subtypes, outcomes, and what is predicted where."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from cacviz.figures.theme import HIGH, LOW, NEUTRAL, OUTCOMES, styled, subtype_color

EVENT, NONE = "diamond", "circle-open"
RISK_SCALE = [[0.0, LOW], [0.5, "rgba(138,143,152,0.15)"], [1.0, HIGH]]


def subtypes_of(
    X: np.ndarray, y: np.ndarray, labels: np.ndarray, names: Sequence[str], moved: np.ndarray
) -> go.Figure:
    """Patients by subtype (colour) and outcome (filled or open); those who just moved are ringed.

    In each subtype a line joins the middles of the two outcomes: the gap that α rewards.
    """
    figure = go.Figure()
    for cluster, name in enumerate(names):
        for event in (0, 1):
            rows = (labels == cluster) & (y == event)
            figure.add_trace(_group(X[rows], cluster, event, name, legend=event == 1))
        middles = [X[(labels == cluster) & (y == event)] for event in (0, 1)]
        if all(len(part) for part in middles):
            figure.add_trace(_gap([part.mean(axis=0) for part in middles], cluster))
    if moved.any():
        figure.add_scatter(
            x=X[moved, 0],
            y=X[moved, 1],
            mode="markers",
            name="changed in this round",
            marker={"symbol": "circle-open", "size": 17, "color": NEUTRAL, "line": {"width": 2}},
            hoverinfo="skip",
        )
    return _flat(figure, X, height=430)


def _group(points: np.ndarray, cluster: int, event: int, name: str, legend: bool) -> go.Scatter:
    said = f"{name}, {'with' if event else 'without'} the event"
    size = 9 if event else 7
    mark = {"color": subtype_color(cluster), "symbol": EVENT if event else NONE, "size": size}
    return dots(points, name, mark, legend, said)


def dots(points: np.ndarray, name: str, marker: dict, legend: bool, said: str) -> go.Scatter:
    """A dot a patient; those of one name come and go together."""
    return go.Scatter(
        x=points[:, 0],
        y=points[:, 1],
        mode="markers",
        name=name,
        legendgroup=name,
        showlegend=legend,
        marker=marker,
        hovertemplate=said + "<extra></extra>",
    )


def _gap(middles: Sequence[np.ndarray], cluster: int) -> go.Scatter:
    ends = np.array(middles)
    return go.Scatter(
        x=ends[:, 0],
        y=ends[:, 1],
        mode="lines+markers",
        line={"color": subtype_color(cluster), "width": 4},
        marker={"symbol": ["circle-open", "diamond"], "size": 16, "line": {"width": 3}},
        showlegend=False,
        hovertemplate="middle of the patients with or without the event<extra></extra>",
    )


def predicted(
    grid: tuple[np.ndarray, np.ndarray, np.ndarray],
    X: np.ndarray,
    y: np.ndarray,
    centres: np.ndarray,
    title: str,
) -> go.Figure:
    """The risk that is predicted everywhere, patients on it, and the subtypes' centres."""
    across, up, risk = grid
    figure = go.Figure(
        go.Heatmap(
            x=across,
            y=up,
            z=risk,
            zmin=0,
            zmax=1,
            colorscale=RISK_SCALE,
            showscale=False,
            hovertemplate="predicted risk %{z:.0%}<extra></extra>",
        )
    )
    for event, name in ((0, "without the event"), (1, "with the event")):
        rows = y == event
        figure.add_scatter(
            x=X[rows, 0],
            y=X[rows, 1],
            mode="markers",
            name=name,
            marker={
                "color": OUTCOMES[event],
                "size": 6,
                "symbol": EVENT if event else "circle",
                "line": {"width": 1, "color": "white"},
            },
            hoverinfo="skip",
        )
    if len(centres) > 1:
        figure.add_scatter(
            x=centres[:, 0],
            y=centres[:, 1],
            mode="markers",
            name="centre of a subtype",
            marker={
                "symbol": "x",
                "size": 13,
                "color": "black",
                "line": {"width": 2, "color": "white"},
            },
            hoverinfo="skip",
        )
    figure = _flat(figure, X, height=330)
    figure.update_layout(
        title={"text": title, "font": {"size": 14}, "x": 0, "y": 0.98, "yanchor": "top"},
        margin={"t": 34},
        showlegend=False,
    )
    ranges = [float(across[0]), float(across[-1])], [float(up[0]), float(up[-1])]
    return figure.update_xaxes(range=ranges[0]).update_yaxes(range=ranges[1])


def _flat(figure: go.Figure, X: np.ndarray, *, height: int) -> go.Figure:
    styled(figure, height=height)
    figure.update_layout(legend={"itemsizing": "constant"}, dragmode=False)
    low, high = X.min(axis=0) - 0.6, X.max(axis=0) + 0.6
    figure.update_xaxes(showticklabels=False, range=[low[0], high[0]], fixedrange=True)
    return figure.update_yaxes(showticklabels=False, range=[low[1], high[1]], fixedrange=True)
