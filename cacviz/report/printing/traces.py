"""Traces of a plotly figure for print: bars, lines, points, heatmaps, violins, histograms."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
import plotly.graph_objects as go
from matplotlib.colors import LinearSegmentedColormap, Normalize, TwoSlopeNorm, to_rgba
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from cacviz.report.printing.axes import Frame, key_of
from cacviz.report.printing.words import cleaned

DASHES = {"dash": "--", "dot": ":", "dashdot": "-.", "longdash": (0, (7, 2))}
MARKERS = {
    "circle": "o",
    "diamond": "D",
    "square": "s",
    "triangle-up": "^",
    "triangle-down": "v",
    "cross": "P",
    "x": "X",
    "star": "*",
    "pentagon": "p",
}
PLAIN = "#6B8299"


class BarPlaces:
    """Where bars of several traces stand: beside each other, or on each other."""

    def __init__(self, figure: go.Figure) -> None:
        self.stacked = figure.layout.barmode in ("stack", "relative", "overlay")
        self.over = figure.layout.barmode == "overlay"
        self.bars = [t for t in figure.data if t.type == "bar"]
        self.tops: dict[tuple[Any, float, bool], float] = {}

    def width(self, trace: Any) -> float:
        return 0.75 if self.stacked else 0.75 / max(1, len(self._beside(trace)))

    def shift(self, trace: Any) -> float:
        if self.stacked:
            return 0.0
        beside = self._beside(trace)
        return (beside.index(id(trace)) - (len(beside) - 1) / 2) * self.width(trace)

    def _beside(self, trace: Any) -> list[int]:
        return [id(t) for t in self.bars if key_of(t) == key_of(trace)]

    def base(self, trace: Any, places: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        """The lower end of each bar; what is drawn on top of it starts there."""
        if not self.stacked or self.over:
            return np.zeros(len(places))
        found = np.zeros(len(places))
        for i, (place, size) in enumerate(zip(places, np.nan_to_num(sizes), strict=True)):
            key = (key_of(trace), float(place), bool(size < 0))
            found[i] = self.tops.get(key, 0.0)
            self.tops[key] = found[i] + size
        return found


def draw(trace: Any, frame: Frame, bars: BarPlaces) -> Any:
    """Draw one trace; gives what stands for it in the legend, or None."""
    if trace.type == "bar":
        return _bar(trace, frame, bars)
    if trace.type in ("scatter", "scattergl"):
        return _scatter(trace, frame)
    how = {"heatmap": _heatmap, "violin": _violin, "histogram": _histogram, "box": _violin}
    return how[trace.type](trace, frame) if trace.type in how else None


def _bar(trace: Any, frame: Frame, bars: BarPlaces) -> Patch:
    lying = trace.orientation == "h"
    along, up = ("y", "x") if lying else ("x", "y")
    places = frame.places(getattr(trace, along), along)
    sizes = frame.places(getattr(trace, up), up)
    base, shift = bars.base(trace, places, sizes), bars.shift(trace)
    colors = _colors(trace.marker.color, len(places))
    hatched = _hatches(trace, len(places))
    put = frame.ax.barh if lying else frame.ax.bar
    drawn = put(places + shift, sizes, bars.width(trace), base, color=colors)
    for bar, hatch in zip(drawn, hatched, strict=True):
        if hatch:
            bar.set(facecolor="none", edgecolor=PLAIN, hatch="////", linewidth=0.6)
    _whiskers(trace, frame, (places + shift, sizes), lying=lying)
    _bar_words(trace, frame, (places + shift, sizes, base), lying=lying)
    if any(hatched):
        return Patch(facecolor="none", edgecolor=PLAIN, hatch="////")
    return Patch(color=colors[0] if len(colors) else PLAIN)


def _hatches(trace: Any, n: int) -> list[bool]:
    shape = trace.marker.pattern.shape
    if shape is None or isinstance(shape, str):
        return [bool(shape)] * n
    return [bool(s) for s in shape]


def _whiskers(
    trace: Any, frame: Frame, ends: tuple[np.ndarray, np.ndarray], *, lying: bool
) -> None:
    for name, side in (("error_y", False), ("error_x", True)):
        error = getattr(trace, name)
        if error.array is None:
            continue
        up = np.asarray(error.array, dtype=float)
        down = up if error.arrayminus is None else np.asarray(error.arrayminus, dtype=float)
        x, y = (ends[1], ends[0]) if lying else ends
        span = np.maximum(np.nan_to_num(np.vstack([down, up])), 0)
        how = {"xerr": span} if side else {"yerr": span}
        frame.ax.errorbar(x, y, **how, fmt="none", ecolor="#33475B", elinewidth=0.8, capsize=2)


def _bar_words(trace: Any, frame: Frame, where: tuple[np.ndarray, ...], *, lying: bool) -> None:
    if trace.text is None:
        return
    places, sizes, base = where
    words = [trace.text] * len(places) if isinstance(trace.text, str) else trace.text
    for place, size, start, word in zip(places, sizes, base, words, strict=True):
        inside = trace.textposition == "inside"
        end = start + size / 2 if inside else start + size
        spot = (end, place) if lying else (place, end)
        color = "white" if inside and _is_dark(trace.marker.color) else "black"
        align = {"ha": "center" if inside or not lying else "left", "va": "center"}
        if not lying and not inside:
            align["va"] = "bottom"
        frame.ax.text(*spot, f" {cleaned(word)}", fontsize=6.5, color=color, **align)


def _is_dark(color: Any) -> bool:
    red, green, blue, _ = _rgba(color)
    return 0.3 * red + 0.6 * green + 0.1 * blue < 0.6


def _scatter(trace: Any, frame: Frame) -> Any:
    x, y = frame.places(trace.x, "x"), frame.places(trace.y, "y")
    mode = trace.mode or "lines+markers"
    color = _rgba(trace.line.color or _one_color(trace.marker.color))
    dash: Any = DASHES.get(trace.line.dash or "", "-")
    handle: Any = None
    if trace.fill in ("toself", "tozerox", "tozeroy", "tonexty"):
        _fill(trace, frame, x, y)
        handle = None if "none" in mode else Line2D([], [], color=color)
    if "lines" in mode:
        steps = {"hv": "steps-post", "vh": "steps-pre"}.get(trace.line.shape or "", "default")
        width = 0.55 * (2 if trace.line.width is None else trace.line.width)
        frame.ax.plot(x, y, color=color, linestyle=dash, linewidth=width, drawstyle=steps)
        handle = Line2D([], [], color=color, linestyle=dash, linewidth=width)
        if width == 0:  # the edge of a band
            handle = Patch(color=_rgba(trace.fillcolor))
    if "markers" in mode:
        _points(trace, frame, x, y)
        marker = MARKERS.get(_one_symbol(trace), "o")
        point: dict[str, Any] = {
            "marker": marker,
            "markersize": 3.5,
            "color": _rgba(_one_color(trace.marker.color)),
        }
        line: Any = dash if "lines" in mode else "none"
        handle = Line2D([], [], linestyle=line, linewidth=1, **point)
    if "text" in mode and trace.text is not None:
        words = [trace.text] * len(x) if isinstance(trace.text, str) else trace.text
        for place, height, word in zip(x, y, words, strict=True):
            frame.ax.annotate(cleaned(word), (place, height), fontsize=6, ha="center")
    _whiskers(trace, frame, (x, y), lying=False)
    frame.last = (x, y)
    return handle


def _fill(trace: Any, frame: Frame, x: np.ndarray, y: np.ndarray) -> None:
    color = _rgba(trace.fillcolor or trace.line.color)
    alpha = (
        color[3] if color[3] < 1 else (trace.opacity or (0.9 if trace.fill != "toself" else 0.2))
    )
    if trace.fill == "tozerox":
        frame.ax.fill_betweenx(y, 0, x, color=color[:3], alpha=alpha, linewidth=0)
    elif trace.fill == "tonexty" and frame.last is not None:
        under = np.interp(x, *frame.last)
        frame.ax.fill_between(x, under, y, color=color[:3], alpha=alpha, linewidth=0)
    elif trace.fill == "tozeroy":
        frame.ax.fill_between(x, 0, y, color=color[:3], alpha=alpha, linewidth=0)
    else:
        frame.ax.fill(x, y, color=color[:3], alpha=alpha, linewidth=0)


def _points(trace: Any, frame: Frame, x: np.ndarray, y: np.ndarray) -> None:
    size = trace.marker.size if isinstance(trace.marker.size, (int, float)) else 6
    area = (0.45 * size) ** 2 if len(x) > 400 else (0.7 * size) ** 2
    how: dict[str, Any] = {"s": area, "alpha": trace.marker.opacity or 1.0, "linewidths": 0}
    shade = trace.marker.color
    if shade is not None and not isinstance(shade, str) and not isinstance(shade[0], str):
        how |= {"c": np.asarray(shade, dtype=float), "cmap": "viridis"}
        how |= {"vmin": trace.marker.cmin, "vmax": trace.marker.cmax}
    else:
        how["color"] = _colors(shade or trace.line.color, len(x))
    marker = MARKERS.get(_one_symbol(trace), "o")
    drawn = frame.ax.scatter(x, y, marker=marker, rasterized=len(x) > 400, **how)
    if "c" in how and trace.marker.showscale is not False:
        frame.ax.figure.colorbar(drawn, ax=frame.ax, pad=0.02, aspect=30)


def _heatmap(trace: Any, frame: Frame) -> None:
    z = np.asarray(trace.z, dtype=float)
    low = np.nanmin(z) if trace.zmin is None else trace.zmin
    high = np.nanmax(z) if trace.zmax is None else trace.zmax
    norm: Normalize = Normalize(low, high)
    if trace.zmid is not None and low < trace.zmid < high:
        norm = TwoSlopeNorm(trace.zmid, low, high)
    x = frame.places(trace.x, "x") if trace.x is not None else np.arange(z.shape[1])
    y = frame.places(trace.y, "y") if trace.y is not None else np.arange(z.shape[0])
    scale = _scale(trace.colorscale)
    edges = {"edgecolors": "white", "linewidth": 1.0} if trace.xgap else {}
    mesh = frame.ax.pcolormesh(x, y, z, norm=norm, cmap=scale, shading="nearest", **edges)
    bar = frame.ax.figure.colorbar(mesh, ax=frame.ax, pad=0.02, aspect=40)
    if trace.colorbar.title.text:
        bar.ax.set_title(cleaned(trace.colorbar.title.text), fontsize=6.5)
    bar.outline.set_visible(False)  # type: ignore[operator]
    if trace.text is None or not trace.texttemplate:
        return
    for row, words in enumerate(trace.text):
        for column, word in enumerate(words):
            shade = scale(norm(z[row, column])) if np.isfinite(z[row, column]) else (1, 1, 1, 1)
            ink = "white" if np.dot(shade[:3], (0.3, 0.6, 0.1)) < 0.5 else "black"
            spot = (x[column], y[row])
            frame.ax.text(*spot, cleaned(word), ha="center", va="center", fontsize=6, color=ink)


def _scale(stops: Any) -> Any:
    if not stops:
        return mpl.colormaps["viridis"]
    made = [(float(stop), _rgba(color)) for stop, color in stops]
    return LinearSegmentedColormap.from_list("scale", made)


def _violin(trace: Any, frame: Frame) -> None:
    """A trace is a group of its own, one below the other."""
    lying = trace.orientation == "h" or trace.y is None
    values = np.asarray(trace.x if lying else trace.y, dtype=float)
    place = [t.uid or id(t) for t in frame.traces].index(trace.uid or id(trace))
    axis = frame.ax.yaxis if lying else frame.ax.xaxis
    color = _rgba(trace.line.color or PLAIN)
    if len(values) > 1 and np.ptp(values) > 0:
        way = "horizontal" if lying else "vertical"
        parts = frame.ax.violinplot(
            [values], [place], orientation=way, widths=0.8, showextrema=False, showmeans=True
        )
        for body in parts["bodies"]:  # type: ignore[attr-defined]
            body.set(facecolor=color[:3], alpha=0.5, edgecolor=color)
        parts["cmeans"].set(color=color, linewidth=1)
    names = [cleaned(t.name or "") for t in frame.traces]
    axis.set_ticks(range(len(names)), names)
    frame.categories["y" if lying else "x"] = names


def _histogram(trace: Any, frame: Frame) -> Patch:
    values = np.asarray(trace.x, dtype=float)
    color = _rgba(_one_color(trace.marker.color))
    frame.ax.hist(values[np.isfinite(values)], bins=trace.nbinsx or 40, color=color)
    return Patch(color=color)


def _one_symbol(trace: Any) -> str:
    symbol = trace.marker.symbol
    return symbol if isinstance(symbol, str) else "circle"


def _one_color(color: Any) -> str:
    if color is None or isinstance(color, str):
        return color or PLAIN
    return color[0] if len(color) and isinstance(color[0], str) else PLAIN


def _colors(color: Any, n: int) -> list[Any]:
    if color is None or isinstance(color, str):
        return [_rgba(color)] * n
    return [_rgba(c) for c in color]


def _rgba(color: Any) -> tuple[float, float, float, float]:
    """Plotly's colours: #RRGGBB, names and rgba(r,g,b,a)."""
    text = str(color or PLAIN).replace(" ", "")
    if text.startswith("rgb"):
        numbers = [float(n) for n in text[text.index("(") + 1 : -1].split(",")]
        red, green, blue = (n / 255 for n in numbers[:3])
        return red, green, blue, numbers[3] if len(numbers) > 3 else 1.0
    return to_rgba(text)
