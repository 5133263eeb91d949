"""What happened from round to round, or epoch to epoch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from cacviz.figures.theme import ACCENT, DASHES, NEUTRAL, SLATE, styled

UNITS = ("round", "epoch")
Rows = Sequence[Mapping[str, Any]]


def unit_of(rows: Rows) -> str:
    """Whether a history counts rounds (CAC) or epochs (deep methods)."""
    return next((u for u in UNITS if rows and u in rows[-1]), UNITS[0])


def curve(
    rows: Rows,
    key: str,
    *,
    title: str,
    y_format: str = "",
    reference: float | None = None,
    narrowest: float = 0.0,
) -> go.Figure:
    """One quantity over the history; `reference` draws where plain k-means would be."""
    unit = unit_of(rows)
    kept = [row for row in rows if row.get(key) is not None]
    line = go.Scatter(
        x=list(range(len(kept))) if unit == "epoch" else [row.get(unit, 0) for row in kept],
        y=[row[key] for row in kept],
        mode="lines+markers" if len(kept) < 40 else "lines",
        line={"color": ACCENT, "width": 2},
        hovertemplate=f"{unit} %{{x}}: %{{y:.4g}}<extra></extra>",
        showlegend=False,
    )
    figure = go.Figure(line)
    if reference is not None:
        figure.add_hline(
            reference,
            line_dash="dot",
            line_color=NEUTRAL,
            annotation_text="k-means start",
            annotation_position="top left" if _ends_low(kept, key, reference) else "bottom right",
        )
    if narrowest and kept:  # a hair's breadth of change must not look like a landslide
        values = [row[key] for row in kept] + ([] if reference is None else [reference])
        figure.update_yaxes(range=_at_least(values, narrowest))
    if len(kept) <= 8:  # no half rounds
        figure.update_xaxes(dtick=1)
    x_title = unit.capitalize()
    return styled(
        figure, x_title=x_title, y_title=title, y_format=y_format, height=270, legend=False
    )


def _ends_low(rows: Rows, key: str, reference: float) -> bool:
    """Whether the curve ends below the line, where the line's words would stand."""
    return bool(rows) and rows[-1][key] < reference


def _at_least(values: Sequence[float], narrowest: float) -> list[float]:
    """A range of this width or more, with room for the marks at both ends."""
    low, high = min(values), max(values)
    spare = max(0.04 * (high - low), (narrowest - (high - low)) / 2)
    return [low - spare, high + spare]


def by_stage(rows: Rows, key: str, stages: Mapping[str, str], *, title: str) -> go.Figure:
    """One quantity over the epochs of each stage (phase: its name), which all begin at 0."""
    figure = go.Figure()
    for number, (phase, name) in enumerate(stages.items()):
        values = [r[key] for r in rows if r.get("phase") == phase and r.get(key) is not None]
        if values:
            look = {"color": SLATE[number % len(SLATE)], "dash": DASHES[number % len(DASHES)]}
            figure.add_scatter(
                x=list(range(len(values))),
                y=values,
                name=name,
                mode="lines+markers" if len(values) == 1 else "lines",
                line=look | {"width": 2},
                hovertemplate="epoch %{x}: %{y:.3f}<extra>" + name + "</extra>",
                showlegend=True,
            )
    return styled(figure, x_title="Epoch", y_title=title, height=270)


def moves(rows: Rows) -> go.Figure:
    """Patients moved to another subtype in each round."""
    kept = [row for row in rows if row.get("round")]
    bars = go.Bar(
        x=[row["round"] for row in kept],
        y=[row["moves"] for row in kept],
        marker_color=ACCENT,
        hovertemplate="round %{x}: %{y} patients moved<extra></extra>",
    )
    figure = styled(
        go.Figure(bars), x_title="Round", y_title="Patients moved", height=270, legend=False
    )
    return figure.update_xaxes(dtick=1 if len(kept) <= 12 else None)


def loss_terms(rows: Rows, titles: Mapping[str, str]) -> go.Figure:
    """Each term of a deep method's loss over the epochs of its clustering stage."""
    figure = go.Figure()
    for number, (key, title) in enumerate(titles.items()):
        kept = [row for row in rows if row.get(key) is not None]
        if not kept:
            continue
        figure.add_scatter(
            x=list(range(len(kept))),
            y=[row[key] for row in kept],
            name=title,
            mode="lines",
            line={
                "color": SLATE[number % len(SLATE)],
                "dash": DASHES[number % len(DASHES)],
                "width": 2,
            },
            hovertemplate="epoch %{x}: %{y:.4g}<extra>" + title + "</extra>",
        )
    return styled(figure, x_title="Epoch", y_title="Loss", height=270)
