"""One patient drawn: what moves the risk, and what if one value were another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from cacviz.figures.theme import (
    HIGH,
    LOW,
    NEUTRAL,
    SYMBOLS,
    plain_label,
    signed,
    styled,
    subtype_color,
    wrapped_label,
)


def waterfall(labels: Sequence[str], parts: Sequence[float], base: float) -> go.Figure:
    """From the subtype's usual log-odds to the patient's, a step a column."""
    names = ["usual in this subtype", *labels, "this patient"]
    shown = [plain_label(name) for name in names]
    figure = go.Figure(
        go.Waterfall(
            orientation="h",
            y=shown,
            x=[base, *parts, 0],
            measure=["absolute", *["relative"] * len(parts), "total"],
            text=["", *(signed(p) for p in parts), ""],
            textposition="outside",
            cliponaxis=False,
            customdata=_risks(base, parts),
            increasing={"marker": {"color": HIGH}},
            decreasing={"marker": {"color": LOW}},
            totals={"marker": {"color": NEUTRAL}},
            connector={"line": {"color": NEUTRAL, "width": 1}},
            hovertemplate="%{y}<br>risk so far %{customdata:.1%}<extra></extra>",
        )
    )
    steps = np.cumsum([base, *parts])
    room = 0.12 * max(float(np.ptp(steps)), 0.5)
    styled(figure, x_title="Log-odds of the simplified explainer", legend=False)
    figure.update_layout(height=110 + 27 * len(names))
    figure.update_xaxes(range=[float(steps.min()) - room, float(steps.max()) + room])
    order = {"categoryorder": "array", "categoryarray": shown[::-1], "type": "category"}
    return figure.update_yaxes(**order)


def _risks(base: float, parts: Sequence[float]) -> list[float]:
    steps = np.cumsum([base, *parts])
    return [*(1 / (1 + np.exp(-steps))).tolist(), float(1 / (1 + np.exp(-steps[-1])))]


def what_if(
    values: Sequence[float] | Sequence[str],
    risk: Sequence[float],
    clusters: Sequence[int],
    titles: Sequence[str],
    *,
    x_title: str,
    y_title: str,
    here: float | str | None,
) -> go.Figure:
    """Risk as one value changes; colours say the subtype, dashed lines where it changes."""
    figure = go.Figure()
    levels = bool(values) and isinstance(values[0], str)
    if not levels:
        line = {"color": NEUTRAL, "width": 1}
        figure.add_scatter(x=values, y=risk, mode="lines", line=line, showlegend=False)
    for cluster in sorted(set(clusters)):
        at = [i for i, c in enumerate(clusters) if c == cluster]
        figure.add_scatter(
            x=[plain_label(values[i]) if levels else values[i] for i in at],
            y=[risk[i] for i in at],
            mode="markers",
            name=plain_label(titles[cluster]),
            marker={
                "color": subtype_color(cluster),
                "size": 11 if levels else 7,
                "symbol": SYMBOLS[cluster % len(SYMBOLS)],
            },
            hovertemplate="%{x}: %{y:.1%}<extra>%{fullData.name}</extra>",
        )
    if not levels:
        for a, b, first, second in zip(values, values[1:], clusters, clusters[1:], strict=False):
            if first != second:
                middle = (float(str(a)) + float(str(b))) / 2
                figure.add_vline(middle, line_dash="dash", line_color=NEUTRAL, line_width=1)
        if here is not None:
            figure.add_vline(float(here), line_color=HIGH, line_width=2, annotation_text="now")
    styled(
        figure,
        x_title=plain_label(x_title),
        y_title=wrapped_label(y_title, 36),
        y_format=".0%" if max(risk, default=1.0) > 0.05 else ".1%",
        height=360,
    )
    if levels:
        figure.update_xaxes(type="category")
    return figure.update_yaxes(rangemode="tozero")
