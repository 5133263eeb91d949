"""How often the outcome is met: in a cohort, and in each subtype."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from cacviz.engine.insights.types import FEW
from cacviz.engine.types import ClusterSummary, RunSummary, Scored
from cacviz.figures.theme import (
    NEUTRAL,
    outcome_color,
    plain_label,
    styled,
    subtype_color,
    wrapped_label,
)


def outcome_rates(summary: RunSummary, names: Sequence[str], overall: Sequence[float]) -> go.Figure:
    """Held-out outcome rate per subtype with its interval; the dotted line is the whole cohort."""
    figure, last = go.Figure(), len(summary.classes) - 1
    codes = [last] if last == 1 else range(last + 1)
    for code in codes:
        rates = [_told(c, code) for c in summary.clusters]
        figure.add_bar(
            x=[wrapped_label(n, 18) for n in names],
            y=[r.value for r in rates],
            name=plain_label(summary.classes[code]),
            marker_color=(
                [subtype_color(c.cluster) for c in summary.clusters]
                if last == 1
                else outcome_color(code)
            ),
            error_y={
                "type": "data",
                "array": [r.high - r.value for r in rates],
                "arrayminus": [r.value - r.low for r in rates],
                "color": NEUTRAL,
            },
            customdata=[
                [r.low, r.high, c.n_test] for r, c in zip(rates, summary.clusters, strict=True)
            ],
            hovertemplate=(
                "%{x}: %{y:.1%} (%{customdata[0]:.1%} to %{customdata[1]:.1%}) of "
                "%{customdata[2]} held-out patients<extra>%{fullData.name}</extra>"
            ),
        )
    if last == 1:
        figure.add_hline(
            overall[1],
            line_dash="dot",
            line_color=NEUTRAL,
        )
    title = wrapped_label(f"Share with outcome {summary.classes[-1]}", 36) if last == 1 else "Share"
    styled(figure, y_title=title, y_format=".0%", legend=last > 1)
    return figure.update_yaxes(rangemode="tozero").update_xaxes(tickangle=0)


def _told(cluster: ClusterSummary, code: int) -> Scored:
    """A rate with its interval; none of so few patients that it could point at one of them."""
    return cluster.test_rates[code] if cluster.n_test >= FEW else Scored(*[float("nan")] * 3)


def class_counts(classes: Sequence[str], counts: Sequence[int]) -> go.Figure:
    """Patients per outcome class."""
    total = max(1, sum(counts))
    bars = go.Bar(
        x=list(counts),
        y=[plain_label(c) for c in classes],
        orientation="h",
        marker_color=[outcome_color(i) for i in range(len(classes))],
        text=[f"{n:,} ({n / total:.1%})" for n in counts],
        textposition="auto",
        hovertemplate="%{y}: %{x:,} patients<extra></extra>",
    )
    figure = styled(
        go.Figure(bars), x_title="Patients", height=90 + 34 * len(classes), legend=False
    )
    return figure.update_yaxes(autorange="reversed", type="category")


def outcome_histogram(values: np.ndarray, cuts: Sequence[float], *, title: str) -> go.Figure:
    """Distribution of a numeric outcome with its cut points; the longest 1 % are drawn as one."""
    known = values[np.isfinite(values)]
    most = np.quantile(known, 0.99) if len(known) else 1.0
    bars = go.Histogram(x=np.minimum(known, most), marker_color=NEUTRAL, nbinsx=60)
    figure = go.Figure(bars)
    for cut in cuts:
        figure.add_vline(cut, line_color=outcome_color(1), annotation_text=f"{cut:g}")
    return styled(figure, x_title=plain_label(title), y_title="Patients", height=240, legend=False)


def missing_shares(names: Sequence[str], shares: Sequence[float]) -> go.Figure:
    """Share of missing values by column, the most first."""
    bars = go.Bar(
        x=list(shares),
        y=[plain_label(n) for n in names],
        orientation="h",
        marker_color=NEUTRAL,
        hovertemplate="%{y}: %{x:.1%} missing<extra></extra>",
    )
    figure = styled(go.Figure(bars), x_title="Missing", height=80 + 20 * len(names), legend=False)
    figure.update_xaxes(tickformat=".0%", range=[0, 1])
    return figure.update_yaxes(autorange="reversed", type="category")
