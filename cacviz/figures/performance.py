"""How good risks are, drawn: ROC, precision and recall, calibration, net benefit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from cacviz.figures.theme import HIGH, LOW, NEUTRAL, SLATE, plain_label, styled

RUN = SLATE[1]
DOTS = {"color": NEUTRAL, "dash": "dot", "width": 1.5}


def roc_curve(grid: np.ndarray, band: np.ndarray, color: str = RUN) -> go.Figure:
    """Sensitivity against false alarms, with its 95% band and the line of chance."""
    figure = _with_band(grid, band, color, "%{x:.0%} of the others flagged: %{y:.0%} found")
    figure.add_scatter(x=[0, 1], y=[0, 1], mode="lines", line=DOTS, name="chance")
    styled(figure, x_title="False-positive rate", y_title="Sensitivity", y_format=".0%")
    return _unit_square(figure)


def precision_curve(grid: np.ndarray, band: np.ndarray, rate: float, color: str = RUN) -> go.Figure:
    """Precision against recall, with its 95% band; chance is the outcome's share."""
    figure = _with_band(grid, band, color, "%{x:.0%} of the events found: %{y:.0%} precision")
    figure.add_scatter(
        x=[0, 1], y=[rate, rate], mode="lines", line=DOTS, name=f"chance ({rate:.1%})"
    )
    styled(figure, x_title="Recall (sensitivity)", y_title="Precision (PPV)", y_format=".0%")
    return _unit_square(figure)


def calibration_curve(
    bins: Sequence[tuple[int, float, int]],
    limits: Sequence[tuple[float, float]],
    *,
    name: str,
    before: Sequence[tuple[int, float, int]] = (),
    color: str = RUN,
) -> go.Figure:
    """Observed share against mean risk in groups of like risk; on the diagonal both agree."""
    shares = [events / n for n, _, events in bins]
    risks = [risk for _, risk, _ in bins]
    top = min(1.0, 1.1 * max([*shares, *risks, *(high for _, high in limits), 0.05]))
    figure = go.Figure()
    figure.add_scatter(x=[0, 1], y=[0, 1], mode="lines", line=DOTS, name="as said")
    if before:
        figure.add_scatter(
            x=[risk for _, risk, _ in before],
            y=[events / n for n, _, events in before],
            mode="lines+markers",
            line={"color": SLATE[2], "dash": "dash", "width": 1.5},
            marker={"size": 5, "symbol": "diamond"},
            name="before recalibration",
            hovertemplate="said %{x:.1%}, observed %{y:.1%}<extra>before</extra>",
        )
    figure.add_scatter(
        x=risks,
        y=shares,
        mode="lines+markers",
        name=plain_label(name),
        line={"color": color, "width": 2},
        marker={"size": 8},
        error_y={
            "type": "data",
            "array": [high - s for s, (_, high) in zip(shares, limits, strict=True)],
            "arrayminus": [s - low for s, (low, _) in zip(shares, limits, strict=True)],
            "color": color,
            "thickness": 1,
        },
        customdata=[[n, events] for n, _, events in bins],
        hovertemplate="said %{x:.1%}, observed %{y:.1%} (%{customdata[1]} of %{customdata[0]})"
        "<extra></extra>",
    )
    styled(figure, x_title="Mean risk said", y_title="Share observed", y_format=".0%", height=360)
    figure.update_xaxes(range=[0, top], tickformat=".0%")
    return figure.update_yaxes(range=[0, top])


def decision_curve(
    thresholds: np.ndarray,
    band: np.ndarray,
    others: Sequence[tuple[str, np.ndarray]],
    *,
    rate: float,
    threshold: float,
    color: str = RUN,
) -> go.Figure:
    """Net benefit by threshold: the run with its band, one model for all, treat all, treat none."""
    show = thresholds <= min(0.95, max(4 * rate, 0.3, threshold + 0.05))
    x = thresholds[show]
    figure = _with_band(x, band[:, show], color, "threshold %{x:.1%}: net benefit %{y:.4f}")
    everyone = rate - (1 - rate) * thresholds / (1 - thresholds)
    styles = ((LOW, "dash"), (HIGH, "dashdot"))
    for (name, values), (shade, dash) in zip(
        [*others, ("treat all", everyone)], styles[1 - len(others) :], strict=True
    ):
        figure.add_scatter(
            x=x,
            y=values[show],
            mode="lines",
            name=plain_label(name),
            line={"color": shade, "dash": dash, "width": 2},
            hovertemplate="threshold %{x:.1%}: %{y:.4f}<extra>%{fullData.name}</extra>",
        )
    figure.add_scatter(x=[x[0], x[-1]], y=[0, 0], mode="lines", line=DOTS, name="treat none")
    figure.add_vline(threshold, line_color=NEUTRAL, line_width=1)
    styled(figure, x_title="Risk from which you would treat", y_title="Net benefit", height=360)
    figure.update_xaxes(tickformat=".0%")
    floor = -0.15 * max(rate, 0.02)
    return figure.update_yaxes(range=[floor, 1.15 * max(rate, float(band[2][show].max()))])


def _with_band(x: np.ndarray, band: np.ndarray, color: str, hover: str) -> go.Figure:
    figure = go.Figure()
    for edge, fill in ((band[1], None), (band[2], "tonexty")):
        figure.add_scatter(
            x=x,
            y=edge,
            mode="lines",
            line={"width": 0, "color": color},
            fill=fill,
            fillcolor=_faint(color),
            showlegend=fill is not None,
            name="95% interval",
            hoverinfo="skip",
        )
    figure.add_scatter(
        x=x,
        y=band[0],
        mode="lines",
        line={"color": color, "width": 2.5},
        name="this run",
        hovertemplate=f"{hover}<extra></extra>",
    )
    return figure


def _faint(color: str) -> str:
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.22)"


def _unit_square(figure: go.Figure) -> go.Figure:
    figure.update_xaxes(range=[-0.01, 1.05], tickformat=".0%", dtick=0.2)  # room for 100%
    return figure.update_yaxes(range=[-0.01, 1.02])
