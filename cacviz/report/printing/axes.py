"""Axes of a plotly figure for print: places, categories, titles, ticks, lines across and words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from cacviz.report.printing.words import cleaned, folded, formatted


@dataclass(slots=True)
class Frame:
    """One pair of axes: where it is drawn, what plotly says of it, and its categories."""

    ax: Any  # matplotlib's own
    x: Any  # plotly's own axis
    y: Any
    traces: list[Any]
    categories: dict[str, list[str]] = field(default_factory=dict)
    last: tuple[np.ndarray, np.ndarray] | None = None  # the line before, to fill up to

    def places(self, values: Sequence[Any] | None, side: str) -> np.ndarray:
        """Values as numbers on an axis; words by their place among the categories."""
        if values is None:
            return np.zeros(0)
        known = self.categories.get(side)
        if known is None:
            return np.asarray(values, dtype=float)
        return np.array([known.index(str(v)) for v in values], dtype=float)


def key_of(trace: Any) -> tuple[str, str]:
    return trace.xaxis or "x", trace.yaxis or "y"


def frames_of(figure: go.Figure, page: Figure) -> dict[tuple[str, str], Frame]:
    """A frame for each pair of axes, in the grid in which plotly has them."""
    keys = list(dict.fromkeys(key_of(trace) for trace in figure.data)) or [("x", "y")]
    named = {k: (_axis(figure, k[0]), _axis(figure, k[1])) for k in keys}
    across = sorted({_start(x) for x, _ in named.values()})
    down = sorted({_start(y) for _, y in named.values()}, reverse=True)
    widths = [max(_span(x) for x, _ in named.values() if _start(x) == s) for s in across]
    heights = [max(_span(y) for _, y in named.values() if _start(y) == s) for s in down]
    grid = page.add_gridspec(len(down), len(across), width_ratios=widths, height_ratios=heights)
    frames = {}
    for key, (x, y) in named.items():
        ax = page.add_subplot(grid[down.index(_start(y)), across.index(_start(x))])
        own = [t for t in figure.data if key_of(t) == key]
        frames[key] = Frame(ax, x, y, own)
    return frames


def _axis(figure: go.Figure, name: str) -> Any:
    return figure.layout[f"{name[0]}axis{name[1:]}"]


def _start(axis: Any) -> float:
    return round(axis.domain[0], 3) if axis.domain else 0.0


def _span(axis: Any) -> float:
    return axis.domain[1] - axis.domain[0] if axis.domain else 1.0


def scale(frame: Frame) -> None:
    """Find the categories before anything is drawn."""
    for side, axis in (("x", frame.x), ("y", frame.y)):
        values = [v for t in frame.traces for v in _values(t, side)]
        words = axis.type == "category" or any(isinstance(v, str) for v in values)
        if words:
            first = [str(v) for v in (axis.categoryarray if axis.categoryarray is not None else ())]
            frame.categories[side] = list(dict.fromkeys([*first, *map(str, values)]))


def _values(trace: Any, side: str) -> Sequence[Any]:
    if trace.type == "violin" or (trace.type == "histogram" and side == "y"):
        return ()
    found = getattr(trace, side, None)
    return () if found is None else found


def finish(frame: Frame) -> None:
    """Titles, ticks, limits and grid."""
    ax = frame.ax
    for side, axis in (("x", frame.x), ("y", frame.y)):
        mine = ax.xaxis if side == "x" else ax.yaxis
        _ticks(frame, side, axis, mine)
        if axis.title.text:
            mine.set_label_text(folded(axis.title.text, 60))
        if axis.type == "log":
            (ax.set_xscale if side == "x" else ax.set_yscale)("log")
        _limits(frame, side, axis)
        ax.grid(axis.showgrid is not False and side not in frame.categories, axis=side)
        if axis.visible is False or axis.showticklabels is False:
            mine.set_ticks([])
        if axis.visible is False:
            ax.spines[["left", "bottom"]].set_visible(False)
    if frame.x.side == "top":
        ax.xaxis.tick_top()


def _ticks(frame: Frame, side: str, axis: Any, mine: Any) -> None:
    known = frame.categories.get(side)
    if known is not None:
        folding = 34 if side == "y" else max(10, 88 // max(1, len(known)))
        mine.set_ticks(range(len(known)), [folded(word, folding) for word in known])
        if side == "x" and len(known) > 6:
            mine.set_tick_params(rotation=35)
    elif axis.tickvals is not None:
        texts = axis.ticktext if axis.ticktext is not None else [f"{v:g}" for v in axis.tickvals]
        mine.set_ticks(list(axis.tickvals), [folded(t, 34) for t in texts])
    else:
        style = axis.tickformat or ""
        mine.set_major_locator(MaxNLocator(6))
        mine.set_major_formatter(FuncFormatter(lambda v, _: formatted(v, style)))


def _limits(frame: Frame, side: str, axis: Any) -> None:
    ax, known = frame.ax, frame.categories.get(side)
    get, put = (ax.get_xlim, ax.set_xlim) if side == "x" else (ax.get_ylim, ax.set_ylim)
    if known is not None:
        put(-0.6, len(known) - 0.4)
    if axis.range is not None and axis.type != "log":
        low, high = get()
        put(
            low if axis.range[0] is None else axis.range[0],
            high if axis.range[1] is None else axis.range[1],
        )
    elif axis.rangemode == "tozero":
        low, high = get()
        put(min(0.0, low) if low < 0 else 0.0, high)
    if axis.autorange == "reversed":
        low, high = get()
        put(max(low, high), min(low, high))


def add_shapes(figure: go.Figure, frames: dict[tuple[str, str], Frame]) -> None:
    """Lines and bands across."""
    for shape in figure.layout.shapes:
        frame = _frame_at(shape, frames)
        color = shape.line.color or "#8A8F98"
        dash = {"dot": ":", "dash": "--", "dashdot": "-."}.get(shape.line.dash or "", "-")
        if shape.type == "line" and _whole(shape.xref):
            frame.ax.axhline(shape.y0, color=color, linestyle=dash, linewidth=0.9)
        elif shape.type == "line" and _whole(shape.yref):
            frame.ax.axvline(shape.x0, color=color, linestyle=dash, linewidth=0.9)
        elif shape.type == "line":
            ends = ([shape.x0, shape.x1], [shape.y0, shape.y1])
            frame.ax.plot(*ends, color=color, linestyle=dash, linewidth=0.9)
        elif shape.type == "rect" and _whole(shape.yref):
            frame.ax.axvspan(shape.x0, shape.x1, color=shape.fillcolor or color, alpha=0.15)
        elif shape.type == "rect" and _whole(shape.xref):
            frame.ax.axhspan(shape.y0, shape.y1, color=shape.fillcolor or color, alpha=0.15)


def _whole(ref: str | None) -> bool:
    return bool(ref) and (ref == "paper" or str(ref).endswith("domain"))


def _frame_at(thing: Any, frames: dict[tuple[str, str], Frame]) -> Frame:
    x, y = (str(ref or "").split(" ")[0] for ref in (thing.xref, thing.yref))
    close = [f for key, f in frames.items() if key[0] == x or key[1] == y]
    return frames.get((x, y)) or (close or list(frames.values()))[0]


def add_words(figure: go.Figure, frames: dict[tuple[str, str], Frame]) -> None:
    """Annotations: at a place, or as the title of the frame that they stand above."""
    for note in figure.layout.annotations:
        if not note.text:
            continue
        if note.xref == "paper" and note.yref == "paper":
            frame = min(frames.values(), key=lambda f: _distance(f, note))
            frame.ax.set_title(folded(note.text, 48))
            continue
        frame = _frame_at(note, frames)
        across, down = _whole(note.xref), _whole(note.yref)
        place = (
            note.x if across else frame.places([note.x], "x")[0],
            note.y if down else frame.places([note.y], "y")[0],
        )
        kinds = ("axes fraction" if across else "data", "axes fraction" if down else "data")
        sides = {"left": "left", "right": "right"}
        align = {"ha": sides.get(note.xanchor or "", "center")}
        frame.ax.annotate(cleaned(note.text), place, xycoords=kinds, fontsize=6.5, **align)


def _distance(frame: Frame, note: Any) -> float:
    middle = _start(frame.x) + _span(frame.x) / 2
    return abs(middle - note.x) + abs(_start(frame.y) + _span(frame.y) - note.y)
