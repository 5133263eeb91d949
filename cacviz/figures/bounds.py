"""What a theorem promises and what came true: an interval a subtype, the true values on it."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from cacviz.figures.theme import NEUTRAL, plain_label, styled, subtype_color


def between(
    names: Sequence[str],
    clusters: Sequence[int],
    bounds: Sequence[tuple[float, float]],
    marks: Sequence[tuple[str, str, Sequence[float]]],
    x_title: str,
) -> go.Figure:
    """A bar from bound to bound for each subtype; `marks` are name, symbol and values."""
    figure = go.Figure()
    labels = [plain_label(name) for name in names]
    figure.add_bar(
        y=labels,
        x=[high - low for low, high in bounds],
        base=[low for low, _ in bounds],
        orientation="h",
        name="between the bounds",
        width=0.45,
        marker={"color": [subtype_color(j) for j in clusters], "opacity": 0.35},
        customdata=bounds,
        hovertemplate="%{y}: %{customdata[0]:.3f} to %{customdata[1]:.3f}<extra></extra>",
    )
    for name, symbol, values in marks:
        figure.add_scatter(
            y=labels,
            x=list(values),
            mode="markers",
            name=name,
            marker={"symbol": symbol, "size": 12, "color": NEUTRAL, "line": {"width": 2}},
            hovertemplate="%{y}: %{x:.3f}<extra>" + name + "</extra>",
        )
    styled(figure, x_title=x_title, height=150 + 46 * len(names))
    figure.update_layout(margin={"t": 64})  # the legend may need two lines
    return figure.update_yaxes(autorange="reversed")
