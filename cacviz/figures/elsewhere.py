"""Profiles of the same subtypes at home and in another cohort, side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from cacviz.figures.profiles import DIVERGING, FARTHEST
from cacviz.figures.theme import plain_label, signed, styled, wrapped_label


def paired_profiles(
    home: np.ndarray, there: np.ndarray, columns: Sequence[str], titles: Sequence[str], most: int
) -> go.Figure:
    """Two columns a subtype, home and there; features that set subtypes apart at home first."""
    strength = np.nan_to_num(np.abs(home if np.isfinite(home).any() else there)).max(axis=0)
    order = np.argsort(-strength, kind="stable")[:most]
    z = np.column_stack([side[j][order] for j in range(len(titles)) for side in (home, there)])
    names = [
        f"{wrapped_label(title, 8)}<br>{where}" for title in titles for where in ("home", "there")
    ]
    heat = go.Heatmap(
        z=z,
        x=names,
        y=[plain_label(columns[i]) for i in order],
        colorscale=[list(stop) for stop in DIVERGING],
        zmid=0,
        zmin=-FARTHEST,
        zmax=FARTHEST,
        text=[["" if np.isnan(v) else signed(v) for v in row] for row in z],
        texttemplate="%{text}",
        colorbar={"title": {"text": "sd"}, "thickness": 12},
        hovertemplate="%{y}<br>%{x}: %{text} sd from everybody<extra></extra>",
        xgap=2,
        ygap=2,
    )
    figure = styled(go.Figure(heat), height=170 + 24 * len(order), legend=False)
    short = [f"{j + 1}<br>{where}" for j in range(len(titles)) for where in ("home", "there")]
    said = {"tickvals": names, "ticktext": short, "title": {"text": "Subtype"}}  # fit 900 pixels
    figure.update_xaxes(side="top", showgrid=False, tickangle=0, type="category", **said)
    return figure.update_yaxes(autorange="reversed", showgrid=False, type="category")
