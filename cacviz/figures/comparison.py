"""Methods on the same splits, and two runs side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from cacviz.figures.theme import (
    ACCENT,
    NEUTRAL,
    SLATE,
    axis_labels,
    plain_label,
    styled,
    upright,
    wrapped_label,
)

ROW_HEIGHT = 26
OPEN = "diamond-open"  # as bright as the others, in light and in dark


def score_intervals(
    titles: Sequence[str],
    means: Sequence[tuple[float, float, float]],
    splits: Sequence[Sequence[float]],
    *,
    is_control: Sequence[bool],
    x_title: str,
) -> go.Figure:
    """A line an entry: mean with its 95% interval over the scores of single splits.

    `means` are (mean, low, high); the interval is left out where it is not known. Controls have
    another symbol.
    """
    labels = [plain_label(title) for title in titles]
    figure = go.Figure()
    for kind, name, symbol in ((False, "with subtypes", "circle"), (True, "control", OPEN)):
        rows = [i for i, control in enumerate(is_control) if control is kind]
        low, high = (_arm(means, rows, side) for side in (1, 2))
        figure.add_scatter(
            x=[means[i][0] for i in rows],
            y=[labels[i] for i in rows],
            mode="markers",
            name=name,
            marker={"color": ACCENT, "size": 11, "symbol": symbol, "line": {"width": 2}},
            error_x={"type": "data", "array": high, "arrayminus": low, "color": ACCENT},
            hovertemplate="%{y}: %{x:.3f}<extra></extra>",
        )
    figure.add_scatter(  # last, so that whiskers do not hide it
        x=[value for each in splits for value in each],
        y=[label for label, each in zip(labels, splits, strict=True) for _ in each],
        mode="markers",
        name="one split",
        marker={"color": NEUTRAL, "size": 11, "symbol": "line-ns-open", "line": {"width": 1.5}},
        hovertemplate="%{y}: %{x:.3f} on one split<extra></extra>",
    )
    figure.update_yaxes(categoryorder="array", categoryarray=labels[::-1])
    return styled(figure, x_title=x_title, height=110 + ROW_HEIGHT * len(labels))


def _arm(means: Sequence[tuple[float, float, float]], rows: Sequence[int], side: int) -> list:
    """Lengths of the whiskers on one side; none where the interval is not known."""
    lengths = [abs(means[i][side] - means[i][0]) for i in rows]
    return [0.0 if np.isnan(length) else length for length in lengths]


def patient_flow(
    counts: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    from_title: str,
    to_title: str,
) -> go.Figure:
    """Where the patients of each subtype of one run are in another: share of the row, and n."""
    totals = counts.sum(axis=1, keepdims=True)
    shares = counts / np.maximum(totals, 1)
    text = [
        [f"{share:.0%}<br>{int(n):,}" for share, n in zip(*pair, strict=True)]
        for pair in zip(shares, counts, strict=True)
    ]
    heat = go.Heatmap(
        z=shares,
        x=axis_labels(columns, range(len(columns))),
        y=[wrapped_label(name, 34) for name in rows],
        text=text,
        texttemplate="%{text}",
        colorscale=[[0.0, "#F4F6F8"], [1.0, SLATE[2]]],  # dark words stand out on all of it
        zmin=0,
        zmax=1,
        showscale=False,
        hovertemplate="%{y} → %{x}: %{text}<extra></extra>",
    )
    figure = styled(
        go.Figure(heat),
        x_title=plain_label(to_title),
        y_title=plain_label(from_title),
        height=140 + (ROW_HEIGHT * 2 + 8) * len(rows),
        legend=False,
    )
    return upright(figure.update_yaxes(autorange="reversed"), len(columns))
