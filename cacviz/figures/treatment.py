"""A treatment's effect by subtype: a forest plot, and survival by arm."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from cacviz.engine.insights.types import Survival
from cacviz.engine.types import Scored
from cacviz.figures.survival import band, framed, step_line
from cacviz.figures.theme import NEUTRAL, SLATE, SYMBOLS, styled, subtype_color, wrapped_label

MOST_BANDS = 2  # of one colour; more would cover each other
Row = tuple[str, int, int, Scored]  # title, cluster (-1 for all), arm, effect


def forest(rows: Sequence[Row], arms: Sequence[str], *, ratio: bool) -> go.Figure:
    """A line a subtype and arm: the effect with its interval; the dotted line is no effect."""
    figure, several = go.Figure(), len({row[2] for row in rows}) > 1
    labels = [_label(title, arms[arm], several) for title, _, arm, _ in rows]
    for place, (_, cluster, arm, effect) in enumerate(rows):
        color = SLATE[1] if cluster < 0 else subtype_color(cluster)
        figure.add_scatter(
            x=[effect.value],
            y=[labels[place]],
            error_x={
                "type": "data",
                "array": [effect.high - effect.value],
                "arrayminus": [effect.value - effect.low],
                "color": color,
                "thickness": 1.5,
            },
            mode="markers",
            marker={
                "symbol": "diamond" if cluster < 0 else SYMBOLS[arm % len(SYMBOLS)],
                "size": 12 if cluster < 0 else 9,
                "color": color,
            },
            customdata=[[effect.low, effect.high]],
            hovertemplate="%{y}: %{x:.3f} (%{customdata[0]:.3f} to %{customdata[1]:.3f})"
            "<extra></extra>",
        )
    figure.add_vline(1 if ratio else 0, line_dash="dot", line_color=NEUTRAL)
    title = "Odds ratio" if ratio else "Risk difference"
    styled(figure, x_title=title, height=120 + 30 * len(rows), legend=False)
    if ratio:
        figure.update_xaxes(type="log", tickvals=[0.1, 0.2, 0.5, 1, 2, 5, 10])
    else:
        figure.update_xaxes(tickformat=".0%")
    return figure.update_yaxes(autorange="reversed", type="category")


def _label(title: str, arm: str, several: bool) -> str:
    return wrapped_label(f"{title}, {arm}" if several else title, 40)


def survival_by_arm(survival: Survival, arms: Sequence[str], cluster: int) -> go.Figure:
    """Share without the event over time in one subtype, a line an arm; of two with 95% bands."""
    figure = go.Figure()
    for curve in survival.curves:
        if len(survival.curves) <= MOST_BANDS:
            figure.add_trace(band(curve, cluster))
        name = f"{arms[curve.cluster]} ({curve.events:,} of {curve.n:,} with the event)"
        figure.add_trace(step_line(curve, name, cluster))
    return framed(figure, survival)
