"""The patient map: patients as points, coloured by group or number; a lasso fades the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from cacviz.figures.theme import NEUTRAL, PALETTE, SCALE, SYMBOLS, plain_label, styled

GREY = 0.08
CELLS = 10_000  # a plane's width in whole numbers: a lasso sends each picked point back as text


class Said(NamedTuple):
    """What hovering tells of each patient, as codes of a few sentences.

    A trace is drawn for each: a text a patient would be sent to the browser, and back by a lasso.
    """

    codes: np.ndarray
    words: Sequence[str]

    def parts(self, rows: np.ndarray) -> Iterator[tuple[np.ndarray, str]]:
        """Those of the rows that have one sentence, and the sentence."""
        for code in np.unique(self.codes[rows]):
            yield rows & (self.codes == code), self.words[code]


def nothing_said(n: int) -> Said:
    return Said(np.zeros(n, dtype=int), ("",))


def on_grid(points: np.ndarray) -> np.ndarray:
    """The points as whole numbers, both directions on one scale: the picture is the same."""
    low = points.min(axis=0)
    span = max(float(np.ptp(points, axis=0).max()), 1e-9)
    return np.round((points - low) / span * CELLS).astype(np.int16)


def by_group(
    points: np.ndarray,
    groups: np.ndarray,
    names: Sequence[str],
    colors: Sequence[str],
    ids: np.ndarray,
    said: Said | None = None,
) -> go.Figure:
    """Patients coloured by groups; code -1 is drawn grey as not known.

    `said` is what hovering tells of each patient beside its group.
    """
    figure, said = go.Figure(), said or nothing_said(len(points))
    for code in [-1, *range(len(names))]:
        name = "not known" if code < 0 else plain_label(names[code])
        color = NEUTRAL if code < 0 else colors[code % len(colors)]
        for place, (rows, words) in enumerate(said.parts(groups == code)):
            trace = _points(points[rows], ids[rows], name, color, code)
            trace.update(legendgroup=str(code), showlegend=place == 0)
            figure.add_trace(_told(trace, name, words))
    return _framed(figure)


def by_number(
    points: np.ndarray,
    values: np.ndarray,
    title: str,
    ids: np.ndarray,
    said: Said | None = None,
) -> go.Figure:
    """Patients coloured by a number; those without stay grey; the scale spans the middle 98%."""
    figure, known = go.Figure(), np.isfinite(values)
    said, name = said or nothing_said(len(points)), plain_label(title)
    for place, (rows, words) in enumerate(said.parts(~known)):
        trace = _points(points[rows], ids[rows], "not measured", NEUTRAL, -1)
        trace.update(legendgroup="-1", showlegend=place == 0)
        figure.add_trace(_told(trace, f"{name} not measured", words))
    for place, (rows, words) in enumerate(said.parts(known)):
        trace = _points(points[rows], ids[rows], name, _few_digits(values[rows]), 0)
        trace.marker.update(coloraxis="coloraxis")
        trace.update(legendgroup="0", showlegend=place == 0)
        figure.add_trace(_told(trace, f"{name} %{{marker.color:,.6~r}}", words))
    if known.any():
        low, high = np.quantile(values[known], [0.01, 0.99])
        bar = {"title": "", "thickness": 12}
        figure.update_layout(
            coloraxis={"colorscale": SCALE, "cmin": low, "cmax": high, "colorbar": bar}
        )
    return _framed(figure)


def _few_digits(values: np.ndarray) -> np.ndarray:
    """Four digits at least, and whole numbers above: what hovering shows as it is drawn."""
    sizes = np.floor(np.log10(np.maximum(np.abs(values), 1e-300)))
    unit = 10.0 ** np.minimum(sizes - 3, 0)
    return np.where(values == 0, 0.0, np.round(values / unit) * unit)


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
    )


def _told(trace: go.Scattergl, name: str, words: str) -> go.Scattergl:
    trace.hovertemplate = "<br>".join(filter(None, (name, words))) + "<extra></extra>"
    return trace


def _symbol(code: int) -> str:
    """Where colours begin anew symbols are one further: no two groups look the same."""
    return SYMBOLS[(code + code // len(PALETTE)) % len(SYMBOLS)]


def _framed(figure: go.Figure) -> go.Figure:
    styled(figure, height=480)
    figure.update_layout(legend={"itemsizing": "constant"}, dragmode="pan")
    bare = {"showticklabels": False, "showgrid": False}  # where a point lies has no unit
    return figure.update_xaxes(bare).update_yaxes(bare)


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
