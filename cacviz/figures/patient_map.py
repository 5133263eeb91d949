"""The patient map: patients as points, coloured by group or number; a lasso fades the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from cacviz.engine.types.telling import short_number
from cacviz.figures.theme import NEUTRAL, PALETTE, SCALE, SYMBOLS, plain_label, styled

GREY = 0.08


def by_group(
    points: np.ndarray,
    groups: np.ndarray,
    names: Sequence[str],
    colors: Sequence[str],
    ids: np.ndarray,
    said: Sequence[str] | None = None,
) -> go.Figure:
    """Patients coloured by groups; code -1 is drawn grey as not known.

    `said` is what hovering tells of each patient beside its group.
    """
    figure = go.Figure()
    for code in [-1, *range(len(names))]:
        rows = groups == code
        if not rows.any():
            continue
        name = "not known" if code < 0 else plain_label(names[code])
        color = NEUTRAL if code < 0 else colors[code % len(colors)]
        trace = _points(points[rows], ids[rows], name, color, code)
        figure.add_trace(_told(trace, name, said, rows))
    return _framed(figure)


def by_number(
    points: np.ndarray,
    values: np.ndarray,
    title: str,
    ids: np.ndarray,
    said: Sequence[str] | None = None,
) -> go.Figure:
    """Patients coloured by a number; those without stay grey; the scale spans the middle 98 %."""
    figure, known = go.Figure(), np.isfinite(values)
    if (~known).any():
        trace = _points(points[~known], ids[~known], "not measured", NEUTRAL, -1)
        figure.add_trace(_told(trace, f"{plain_label(title)} not measured", said, ~known))
    if known.any():
        low, high = np.quantile(values[known], [0.01, 0.99])
        trace = _points(points[known], ids[known], plain_label(title), values[known], 0)
        trace.marker.update(
            colorscale=SCALE, cmin=low, cmax=high, colorbar={"title": "", "thickness": 12}
        )
        told = [f"{plain_label(title)} {short_number(v)}" for v in values[known]]
        more = (
            [""] * len(told) if said is None else [said[i] for i in np.flatnonzero(known).tolist()]
        )
        trace.text = ["<br>".join(filter(None, pair)) for pair in zip(told, more, strict=True)]
        trace.hovertemplate = "%{text}<extra></extra>"
        figure.add_trace(trace)
    return _framed(figure)


def _points(
    points: np.ndarray, ids: np.ndarray, name: str, color: object, code: int
) -> go.Scattergl:
    return go.Scattergl(
        x=points[:, 0],
        y=points[:, 1],
        mode="markers",
        name=name,
        customdata=ids,
        marker={
            "size": 5,
            "opacity": 0.35 if code < 0 else 0.7,
            "color": color,
            "symbol": _symbol(max(code, 0)),
        },
        hovertemplate=name + "<extra></extra>",
    )


def _told(
    trace: go.Scattergl, name: str, said: Sequence[str] | None, rows: np.ndarray
) -> go.Scattergl:
    if said is not None:
        trace.text = [said[i] for i in np.flatnonzero(rows).tolist()]
        trace.hovertemplate = f"{name}<br>%{{text}}<extra></extra>"
    return trace


def _symbol(code: int) -> str:
    """Where colours begin anew symbols are one further: no two groups look the same."""
    return SYMBOLS[(code + code // len(PALETTE)) % len(SYMBOLS)]


def _framed(figure: go.Figure) -> go.Figure:
    styled(figure, height=480)
    figure.update_layout(legend={"itemsizing": "constant"}, dragmode="pan")
    return figure.update_xaxes(showticklabels=False).update_yaxes(showticklabels=False)


def with_selection(figure: go.Figure) -> go.Figure:
    """Make a map ready for box and lasso; unpicked patients fade."""
    figure.update_traces(
        selected={"marker": {"opacity": 0.9}},
        unselected={"marker": {"opacity": GREY}},
    )
    figure.update_layout(dragmode="lasso", uirevision="map")
    return figure


def picked_rows(points: Iterable[Mapping[str, Any]]) -> np.ndarray:
    """Rows of the cohort from Streamlit's selected points.

    Rows are told by our own id: point indices count within a trace (streamlit #8914).
    """
    rows = [_row(point.get("customdata")) for point in points]
    return np.unique([row for row in rows if row is not None]).astype(int)


def _row(customdata: Any) -> int | None:
    """`customdata` arrives as a number, a list of one, or {"0": number}."""
    if isinstance(customdata, Mapping):
        customdata = customdata.get("0", customdata.get(0))
    if isinstance(customdata, (list, tuple, np.ndarray)):
        customdata = customdata[0] if len(customdata) else None
    return None if customdata is None else int(customdata)
