"""Numbers of subtypes side by side: criteria, consensus, sizes with rates; and weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from cacviz.figures.theme import (
    HIGH,
    NEUTRAL,
    SLATE,
    outcome_color,
    plain_label,
    styled,
    subtype_color,
)

HEIGHT = 230


def criterion(
    ks: Sequence[int],
    values: Sequence[float],
    *,
    title: str,
    spread: Sequence[float] | None = None,
    reference: Sequence[float] | None = None,
    limit: float | None = None,
    suggested: int | None = None,
) -> go.Figure:
    """One criterion against k; a dotted line is what is asked for, a grey one what one population
    gives; the suggested k is ringed.
    """
    figure = go.Figure()
    if reference is not None:
        figure.add_scatter(
            x=list(ks),
            y=list(reference),
            mode="lines+markers",
            name="one population",
            line={"color": NEUTRAL, "dash": "dash"},
            hovertemplate="k = %{x}: %{y:.3f} without subtypes<extra></extra>",
        )
    bars = None
    if spread is not None and not np.isnan(np.asarray(spread, dtype=float)).all():
        bars = {"type": "data", "array": list(np.nan_to_num(spread)), "color": SLATE[1]}
    figure.add_scatter(
        x=list(ks),
        y=list(values),
        mode="lines+markers",
        name="this cohort",
        line={"color": SLATE[0]},
        error_y=bars,
        hovertemplate="k = %{x}: %{y:.3f}<extra></extra>",
    )
    if suggested is not None and suggested in ks:
        figure.add_scatter(
            x=[suggested],
            y=[values[list(ks).index(suggested)]],
            mode="markers",
            name="suggested",
            marker={"symbol": "circle-open", "size": 16, "color": HIGH, "line": {"width": 2}},
            hoverinfo="skip",
        )
    if limit is not None:
        figure.add_hline(limit, line_dash="dot", line_color=NEUTRAL)
    styled(figure, x_title="k", y_title=title, height=HEIGHT, legend=False)
    if np.nanmax([*values, 0.0]) <= 1:  # a score: none is above 1, nor is its axis
        figure.update_yaxes(autorangeoptions={"clipmax": 1.02})
    return figure.update_xaxes(tickmode="array", tickvals=list(ks))


def consensus(matrix: np.ndarray) -> go.Figure:
    """How often two patients are together, patients ordered by their subtype."""
    heat = go.Heatmap(
        z=matrix,
        zmin=0,
        zmax=1,
        colorscale=[[0.0, "#F4F6F8"], [1.0, SLATE[0]]],
        colorbar={"title": {"text": "together"}, "tickformat": ".0%", "thickness": 12},
        hovertemplate="together in %{z:.0%} of resamples<extra></extra>",
    )
    figure = styled(go.Figure(heat), height=380, legend=False)
    figure.update_xaxes(visible=False)
    return figure.update_yaxes(visible=False, autorange="reversed")


def sizes(ks: Sequence[int], shares: Sequence[Sequence[float]], labels: Sequence[str]) -> go.Figure:
    """Each k as a bar of its subtypes' sizes; `labels` says each one's outcome rate."""
    figure, at = go.Figure(), 0
    for k, parts in zip(ks, shares, strict=True):
        for j, share in enumerate(parts):
            figure.add_bar(
                x=[share],
                y=[f"k = {k}"],
                orientation="h",
                marker_color=subtype_color(j) if k > 1 else NEUTRAL,
                text=plain_label(labels[at]),
                insidetextanchor="middle",
                hovertemplate=f"%{{x:.0%}} of patients; outcome {labels[at]}<extra></extra>",
                showlegend=False,
            )
            at += 1
    styled(figure, x_title="Share of patients", height=90 + 42 * len(ks), legend=False)
    figure.update_layout(barmode="stack")
    figure.update_xaxes(tickformat=".0%")
    return figure.update_yaxes(autorange="reversed")


def weight_curves(
    values: Sequence[float],
    lines: Sequence[tuple[str, Sequence[float]]],
    *,
    x_title: str,
    y_title: str,
    current: float | None = None,
    critical: float | None = None,
) -> go.Figure:
    """A score against a weight, a line for each value of the other; values are evenly placed."""
    places = [f"{v:g}" for v in values]
    figure = go.Figure()
    for i, (name, scores) in enumerate(lines):
        figure.add_scatter(
            x=places,
            y=list(scores),
            mode="lines+markers",
            name=plain_label(name),
            line={"color": (SLATE[0], SLATE[1], SLATE[2], outcome_color(3))[i % 4]},
            hovertemplate="%{x}: %{y:.3f}<extra></extra>",
        )
    styled(figure, x_title=x_title, y_title=y_title, height=HEIGHT + 40, legend=len(lines) > 1)
    figure.update_xaxes(type="category")
    if current is not None and current in values:
        figure.add_vline(list(values).index(current), line_dash="dot", line_color=HIGH)
    if critical is not None:
        text = f"critical α = {critical:.2g}"
        side = "left" if critical > np.median(values) else "right"
        figure.add_vline(
            _place(critical, values),
            line_color=NEUTRAL,
            annotation_text=text,
            annotation_position=f"top {side}",
        )
    return figure


def _place(value: float, values: Sequence[float]) -> float:
    """Where a value stands among evenly placed ones; half a step outside where it is beyond."""
    beyond = float(np.interp(value, values, np.arange(len(values))))
    return beyond + 0.5 * np.sign(value - np.clip(value, values[0], values[-1]))


def weight_map(
    alphas: Sequence[float],
    betas: Sequence[float],
    scores: np.ndarray,
    current: tuple[int, int] | None,
) -> go.Figure:
    """α × β as squares of a score that can be clicked; the current point is ringed."""
    x = [f"{a:g}" for a in alphas for _ in betas]
    y = [f"{b:g}" for _ in alphas for b in betas]
    flat = scores.ravel()
    figure = go.Figure(
        go.Scatter(
            x=x,
            y=y,
            mode="markers+text",
            text=[f"{v:.3f}" for v in flat],
            marker={
                "symbol": "square",
                "size": 46,
                "color": flat,
                "colorscale": [[0.0, "#E3EAF0"], [1.0, "#7FA3C0"]],
            },
            customdata=[(a, b) for a in alphas for b in betas],
            hovertemplate="α %{x}, β %{y}: %{text}<extra></extra>",
        )
    )
    if current is not None:
        figure.add_scatter(
            x=[f"{alphas[current[0]]:g}"],
            y=[f"{betas[current[1]]:g}"],
            mode="markers",
            marker={"symbol": "square-open", "size": 52, "color": HIGH, "line": {"width": 3}},
            hoverinfo="skip",
        )
    height = 110 + 64 * len(betas)
    styled(
        figure,
        x_title="Outcome separation (α)",
        y_title="Subtype tightness (β)",
        height=height,
        legend=False,
    )
    figure.update_xaxes(type="category")
    return figure.update_yaxes(type="category")
