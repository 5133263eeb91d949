"""How often the outcome is met: in a cohort, and in each subtype."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from cacviz.engine.insights.types import FEW
from cacviz.engine.types import ClusterSummary, RunSummary, Scored
from cacviz.engine.types.telling import whole_number
from cacviz.figures.theme import (
    NEUTRAL,
    add_hidden,
    axis_labels,
    outcome_color,
    plain_label,
    styled,
    subtype_color,
    text_on,
    upright,
    wrapped_label,
)


def outcome_rates(
    summary: RunSummary,
    titles: Sequence[str],
    overall: Sequence[float],
    shown: Sequence[int] | None = None,
    *,
    hide: bool = False,
    outcome: str = "",
) -> go.Figure:
    """Held-out outcome rate per subtype with its interval; the dotted line is the whole cohort.

    With `hide`, a rate of fewer than 5 patients is drawn as hidden, not as absent.
    """
    figure, last = go.Figure(), len(summary.classes) - 1
    clusters = [c for c in summary.clusters if shown is None or c.cluster in shown]
    places = axis_labels(titles, [c.cluster for c in clusters])
    for code in [last] if last == 1 else range(last + 1):
        rates = [_told(c, code, hide) for c in clusters]
        figure.add_bar(
            x=places,
            y=[r.value for r in rates],
            name=plain_label(summary.classes[code]),
            marker_color=(
                [subtype_color(c.cluster) for c in clusters]
                if last == 1
                else outcome_color(code, last + 1)
            ),
            error_y={
                "type": "data",
                "array": [r.high - r.value for r in rates],
                "arrayminus": [r.value - r.low for r in rates],
                "color": NEUTRAL,
            },
            customdata=[
                [c.cluster, r.low, r.high, c.n_test] for r, c in zip(rates, clusters, strict=True)
            ],
            hovertemplate=(
                "%{x}: %{y:.1%} (%{customdata[1]:.1%} to %{customdata[2]:.1%}) of "
                "%{customdata[3]} held-out patients<extra>%{fullData.name}</extra>"
            ),
        )
    few = [hide and 0 < c.n_test < FEW for c in clusters]
    if any(few):
        add_hidden(figure, [p for p, f in zip(places, few, strict=True) if f], max(overall))
    if last == 1:
        figure.add_hline(overall[1], line_dash="dot", line_color=NEUTRAL)
    event = f"{outcome or summary.outcome.column} = {summary.classes[-1]}"
    title = wrapped_label(f"Share with {event}", 30) if last == 1 else "Share"
    styled(figure, y_title=title, y_format=".0%", legend=last > 1)
    return upright(figure.update_yaxes(rangemode="tozero"), len(places))


def _told(cluster: ClusterSummary, code: int, hide: bool) -> Scored:
    """A rate with its interval; none of so few patients that it could point at one of them."""
    none = cluster.n_test == 0 or (hide and cluster.n_test < FEW)
    return Scored(*[float("nan")] * 3) if none else cluster.test_rates[code]


def class_counts(
    classes: Sequence[str], counts: Sequence[int], *, who: str = "patients"
) -> go.Figure:
    """Patients per outcome class; `who` is what a row is, in the plural."""
    total = max(1, sum(counts))
    colors = [outcome_color(i, len(classes)) for i in range(len(classes))]
    bars = go.Bar(
        x=list(counts),
        y=[plain_label(c) for c in classes],
        orientation="h",
        marker_color=colors,
        insidetextfont={"color": [text_on(color) for color in colors]},
        text=[f"{n:,} ({n / total:.1%})" for n in counts],
        textposition="auto",
        hovertemplate=f"%{{y}}: %{{x:,}} {who}<extra></extra>",
    )
    height = 90 + 34 * len(classes)
    figure = styled(go.Figure(bars), x_title=who.capitalize(), height=height, legend=False)
    # no line through the words on the bars
    return figure.update_yaxes(autorange="reversed", type="category", showgrid=False)


def outcome_histogram(values: np.ndarray, cuts: Sequence[float], *, title: str) -> go.Figure:
    """Distribution of a numeric outcome with its cut points; the longest 1% are drawn as one."""
    known = values[np.isfinite(values)]
    most = np.quantile(known, 0.99) if len(known) else 1.0
    bars = go.Histogram(x=np.minimum(known, most), marker_color=NEUTRAL, nbinsx=60)
    figure = go.Figure(bars)
    for cut in cuts:
        figure.add_vline(cut, line_color=outcome_color(1), annotation_text=whole_number(cut))
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
