"""The patient map with a selection: those picked keep their colour, all others turn grey."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

GREY = 0.08


def with_selection(figure: go.Figure) -> go.Figure:
    """Make a map of `scatter` ready for box and lasso; unpicked patients fade."""
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
