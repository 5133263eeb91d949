"""An embedding at one moment of its training: subtypes, outcomes, and at the end the risk."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from cacviz.figures.plane import dots
from cacviz.figures.theme import HIGH, LOW, NEUTRAL, styled, subtype_color

SYMBOL = {0: "circle", 1: "diamond"}


def embedding(
    points: np.ndarray, groups: np.ndarray, outcome: np.ndarray, names: Sequence[str]
) -> go.Figure:
    """Patients in the embedding, coloured by group; code -1 is drawn grey, as not known yet."""
    figure = go.Figure()
    for code in np.unique(groups):
        for event in (0, 1):
            rows = (groups == code) & (outcome == event)
            name = names[code] if code >= 0 else "no subtypes yet"
            color = subtype_color(code) if code >= 0 else NEUTRAL
            mark = {"color": color, "symbol": SYMBOL[event], "size": 8 if event else 5}
            figure.add_trace(dots(points[rows], name, mark | {"opacity": 0.75}, event == 1, name))
    return _framed(figure)


def risks(points: np.ndarray, risk: np.ndarray, outcome: np.ndarray) -> go.Figure:
    """Patients in the embedding, coloured by the risk that the experts give."""
    scale = [[0, LOW], [0.5, "#B9BEC6"], [1, HIGH]]
    mark = {"color": risk, "colorscale": scale, "cmin": 0, "cmax": 1, "size": 7}
    mark["symbol"] = [SYMBOL[int(event)] for event in outcome]
    mark["colorbar"] = {"title": "risk", "tickformat": ".0%", "thickness": 12}
    trace = dots(points, "patients", mark, False, "patients")
    trace.text = [f"{value:.0%}" for value in risk]
    trace.hovertemplate = "risk %{text}<extra></extra>"
    return _framed(go.Figure(trace))


def _framed(figure: go.Figure) -> go.Figure:
    styled(figure, height=400)
    figure.update_layout(legend={"itemsizing": "constant"}, dragmode=False)
    ticks = {"showticklabels": False, "fixedrange": True}
    return figure.update_xaxes(**ticks).update_yaxes(**ticks)
