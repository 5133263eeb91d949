"""The bedside rule, drawn: what each variable is worth, and the risk the rule still tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from cacviz.engine.types import Scored
from cacviz.figures.theme import (
    NEUTRAL,
    SLATE,
    axis_labels,
    outcome_color,
    plain_label,
    styled,
    subtype_color,
    upright,
    wrapped_label,
)

LOOKS = {"points": ("circle", SLATE[0]), "tree": ("diamond", SLATE[1])}
OVERLAY = {"fillmode": "overlay", "fgcolor": "white", "fgopacity": 0.9, "size": 6}
Point = tuple[int, Scored, str]  # number of variables, kappa, which


def price_curve(curves: Mapping[str, Sequence[Point]], chosen: tuple[str, int]) -> go.Figure:
    """Agreement against the number of variables, a line a form; the chosen rule is ringed."""
    figure = go.Figure()
    for form, points in curves.items():
        symbol, color = LOOKS[form]
        figure.add_scatter(
            x=[n for n, _, _ in points],
            y=[k.value for _, k, _ in points],
            error_y=_whiskers([k for _, k, _ in points], color),
            mode="lines+markers",
            name={"points": "points", "tree": "questions (tree)"}[form],
            marker={"symbol": symbol, "size": 9, "color": color},
            line={"color": color, "width": 2},
            customdata=[plain_label(words) for _, _, words in points],
            hovertemplate="%{x} variables: kappa %{y:.2f}<br>%{customdata}<extra></extra>",
        )
    ringed = [k for n, k, _ in curves.get(chosen[0], ()) if n == chosen[1]]
    figure.add_scatter(
        x=[chosen[1]] * len(ringed),
        y=[k.value for k in ringed],
        mode="markers",
        name="this rule",
        marker={"symbol": "circle-open", "size": 20, "color": NEUTRAL, "line": {"width": 2}},
        hoverinfo="skip",
    )
    figure.add_hline(0.8, line_dash="dot", line_color=NEUTRAL)
    styled(figure, x_title="Number of variables", y_title="Kappa with the run", height=340)
    figure.update_xaxes(dtick=1)
    return figure.update_yaxes(range=[0, 1.08], tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1])


def rates_twice(
    titles: Sequence[str],
    rates: Sequence[Scored],
    model_rates: Sequence[Scored],
    word: str,
    *,
    code: int = 1,
    n_classes: int = 2,
    names: tuple[str, str] = ("by the run", "by the rule"),
) -> go.Figure:
    """Outcome rate of each subtype twice: by the run and by the rule, or at home and there."""
    figure, labels = go.Figure(), axis_labels(titles, range(len(titles)))
    colors = [subtype_color(j) for j in range(len(titles))]
    colors = colors if n_classes == 2 else [outcome_color(code, n_classes)] * len(titles)
    for name, found, pattern in zip(names, (model_rates, rates), ("", "/"), strict=True):
        figure.add_bar(
            x=labels,
            y=[r.value for r in found],
            error_y=_whiskers(found, NEUTRAL),
            name=name,
            marker={"color": colors, "pattern": {"shape": pattern} | OVERLAY},
            hovertemplate="%{x}: %{y:.1%}<extra>%{fullData.name}</extra>",
            legendgroup=name,
            showlegend=False,
        )
        # in the legend grey: a subtype's colour would name that subtype
        grey = {"color": NEUTRAL, "pattern": {"shape": pattern} | OVERLAY}
        figure.add_bar(x=labels[:1], y=[None], name=name, marker=grey, legendgroup=name)
    styled(figure, y_title=wrapped_label(f"Share with {word}", 36), y_format=".0%")
    return upright(figure.update_yaxes(rangemode="tozero"), len(titles))


def _whiskers(found: Sequence[Scored], color: str) -> dict:
    return {
        "type": "data",
        "array": [max(0.0, s.high - s.value) for s in found],
        "arrayminus": [max(0.0, s.value - s.low) for s in found],
        "color": color,
        "thickness": 1,
    }
