"""A figure of the pages, drawn again for print: the same numbers, colours and words.

Word processors and journals take no interactive figure, and plotly's own export needs a Chrome. So
each plotly figure is read and drawn by matplotlib; a new figure needs no second drawing.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
import plotly.graph_objects as go
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from cacviz.report.printing import axes as axes_of
from cacviz.report.printing import traces
from cacviz.report.printing.words import cleaned

SINGLE, DOUBLE = 89.0, 183.0  # mm, columns of a journal
INCH = 25.4
STYLE: dict[Any, Any] = {
    "font.size": 7,
    "axes.titlesize": 7.5,
    "axes.labelsize": 7,
    "xtick.labelsize": 6.5,
    "ytick.labelsize": 6.5,
    "legend.fontsize": 6.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.edgecolor": "#6B8299",
    "axes.axisbelow": True,
    "grid.color": "#D5DDE5",
    "grid.linewidth": 0.5,
    "xtick.major.width": 0.5,
    "ytick.major.width": 0.5,
    "hatch.linewidth": 0.5,
    "svg.hashsalt": "cacviz",  # the same figure gives the same file
}


@contextmanager
def _styled(editable: bool) -> Iterator[None]:
    words: dict[Any, Any] = {"svg.fonttype": "none" if editable else "path"}
    with mpl.rc_context(STYLE | words), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a glyph that the font lacks is drawn as a box
        yield


def as_png(figure: go.Figure, width: float = DOUBLE, dpi: int = 300) -> bytes:
    """The figure as PNG, `width` in mm."""
    return _saved(figure, width, editable=False, format="png", dpi=dpi)


def as_svg(figure: go.Figure, width: float = DOUBLE, *, editable: bool = True) -> bytes:
    """The figure as SVG, `width` in mm; `editable` keeps words as words, else as outlines."""
    more = {"metadata": {"Date": None}}
    return _saved(figure, width, editable=editable, format="svg", **more)


def _saved(figure: go.Figure, width: float, *, editable: bool, **how: Any) -> bytes:
    buffer = io.BytesIO()
    with _styled(editable):
        drawn(figure, width).savefig(buffer, **how)
    return buffer.getvalue()


def drawn(figure: go.Figure, width: float) -> Figure:
    """The matplotlib figure."""
    size = (width / INCH, _height(figure, width) / INCH)
    page = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(page)
    frames = axes_of.frames_of(figure, page)
    for frame in frames.values():
        axes_of.scale(frame)
    bars = traces.BarPlaces(figure)
    handles: dict[str, Any] = {}
    for trace in figure.data:
        frame = frames[axes_of.key_of(trace)]
        handle = traces.draw(trace, frame, bars)
        if handle is not None and trace.name and trace.showlegend is not False:
            handles.setdefault(cleaned(trace.name), handle)
    for frame in frames.values():
        axes_of.finish(frame)
    axes_of.add_shapes(figure, frames)
    axes_of.add_words(figure, frames)
    if (figure.layout.showlegend is not False and len(handles) > 1) or _wants_legend(
        figure, handles
    ):
        _legend(page, handles, width)
    return page


def _wants_legend(figure: go.Figure, handles: dict[str, Any]) -> bool:
    return bool(handles) and figure.layout.showlegend is True


def _legend(page: Figure, handles: dict[str, Any], width: float) -> None:
    longest = max(len(name) for name in handles)
    columns = max(1, min(len(handles), int(width / (6 + 1.25 * longest))))
    page.legend(
        list(handles.values()),
        list(handles),
        loc="outside upper left",
        ncols=columns,
        frameon=False,
        handlelength=1.4,
        columnspacing=1.2,
    )


def _height(figure: go.Figure, width: float) -> float:
    """mm: as high as on screen, where a page is about 700 pixels wide; narrow ones a bit less."""
    pixels = figure.layout.height or 360
    return max(28.0, pixels * DOUBLE / 780 * (1.0 if width > SINGLE else 0.85))
