"""Colours, words and layout that every figure shares."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Sequence

import plotly.graph_objects as go

# Subtypes alone have these: colour-blind people can tell them apart, in light and in dark
# (Okabe and Ito's, but for vermilion and yellow, which look like Subtype 2's orange).
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#AA3377", "#999933", "#7A3FE0")
# Outcomes: from slate to crimson, the event strongest.
OUTCOMES = ("#9AA7B5", "#C62838", "#6B7F94", "#D6707A", "#42566B", "#E8B4B8")
# What is neither a subtype nor an outcome: slate; the first two stand out in light and in dark.
SLATE = ("#4A6A8A", "#7890A8", "#A9B8C6", "#D5DDE5")
PARTS = (SLATE[0], SLATE[1], SLATE[2], SLATE[3])  # learn, tune, test, left out
LOW, HIGH = "#2C7A7B", "#A8457A"  # of a diverging scale: teal and plum
NEUTRAL = "#8A8F98"
ACCENT = SLATE[1]
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "x", "star", "pentagon")
LONGEST = 76
WHOLE_WORDS = 14  # letters of a line from which words are not broken
LONG_NAME, LEGEND_LINE = 24, 19  # letters of a legend's entry that fill a line; pixels of a line
LEGEND = {"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0, "title": {"text": ""}}
GRID = {"gridcolor": "rgba(138,143,152,0.25)", "zeroline": False, "automargin": True}
GRID |= {"exponentformat": "none", "separatethousands": True}  # 32,052.5, not 32.0525k

# low to high; the ends of Viridis drown in a dark page (purple) and in a light one (yellow)
SCALE = [[0, "#31688e"], [0.33, "#21918c"], [0.67, "#5ec962"], [1, "#bddf26"]]


def subtype_color(cluster: int) -> str:
    """The colour of a cluster, the same in every figure."""
    return PALETTE[cluster % len(PALETTE)]


def outcome_color(code: int, n_classes: int = 2) -> str:
    """The colour of an outcome class: of several, a ramp from slate to crimson."""
    if n_classes == 3:
        return (OUTCOMES[0], OUTCOMES[3], OUTCOMES[1])[code]
    return OUTCOMES[code % len(OUTCOMES)]


def text_on(color: str) -> str:
    """Ink for text on a bar of this colour: black or white, whichever is read more easily."""
    red, green, blue = (_linear(int(color[i : i + 2], 16) / 255) for i in (1, 3, 5))
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#FFFFFF" if 1.05 / (light + 0.05) > (light + 0.05) / 0.05 else "#000000"


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def plain_label(text: object) -> str:
    """User text for a figure: no markup, no line breaks, at most 76 characters."""
    words = " ".join(str(text).split())
    words = words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
    return html.escape(words, quote=False)


def wrapped_label(text: object, width: int = 24) -> str:
    """User text for an axis: `plain_label`, broken into lines between words."""
    # a long word keeps whole, unless lines are so narrow that it would lie on the next label
    whole = width >= WHOLE_WORDS
    kept = html.unescape(plain_label(text)).replace(" = ", "\u00a0=\u00a0")  # one line holds both
    lines = textwrap.wrap(kept, width, break_long_words=not whole, break_on_hyphens=not whole)
    return "<br>".join(html.escape(line, quote=False) for line in lines)


def axis_labels(titles: Sequence[str], places: Sequence[int]) -> list[str]:
    """Some of the titles for an axis, in narrow lines where there are many."""
    width = 18 if len(places) <= 2 else 14 if len(places) <= 4 else 8
    return [wrapped_label(titles[j], width) for j in places]


def upright(figure: go.Figure, n_labels: int) -> go.Figure:
    """Labels of an x axis lie flat; many of them stand where the window is narrow."""
    many = {"tickangle": None, "autotickangles": [0, 90]}
    return figure.update_xaxes(**(many if n_labels > 4 else {"tickangle": 0}))


def add_hidden(figure: go.Figure, places: list[str], height: float, name: str = "") -> None:
    """Bars for what is hidden: hatched, so that nobody takes it for absent or zero."""
    figure.add_bar(
        x=places,
        y=[height] * len(places),
        name=name or "hidden: fewer than 5 patients",
        marker={
            "color": "rgba(0,0,0,0)",
            "line": {"color": NEUTRAL, "width": 1},
            "pattern": {"shape": "/", "fgcolor": NEUTRAL, "size": 6},
        },
        hovertemplate="%{x}: hidden, fewer than 5 patients or what would give them away"
        "<extra></extra>",
    )


def styled(
    figure: go.Figure,
    *,
    x_title: str = "",
    y_title: str = "",
    y_format: str = "",
    height: int = 320,
    legend: bool = True,
) -> go.Figure:
    """The house's layout: transparent, quiet grid, legend above, room for titles."""
    house = {
        "height": height + (_legend_room(figure) if legend else 0),
        "margin": {"l": 8, "r": 8, "t": 36 if legend else 12, "b": 8},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "showlegend": legend,
        "legend": LEGEND,
        "hoverlabel": {"namelength": -1},
        "bargap": 0.25,
    }
    for name, value in house.items():
        _put(figure.layout, name, value)
    for axis in figure.select_xaxes():
        _put(figure.layout, axis.plotly_name, {"title": _title(x_title), **GRID})
    for axis in figure.select_yaxes():
        shown = {"title": _title(y_title), "tickformat": y_format, **GRID}
        _put(figure.layout, axis.plotly_name, shown)
    return figure


def _legend_room(figure: go.Figure) -> int:
    """Pixels for long names that stand below each other, so that they take none of the plot."""
    names = {t.name for t in figure.data if t.name and t.showlegend is not False}
    stacked = any(len(name) > LONG_NAME for name in names)
    return LEGEND_LINE * max(0, len(names) - 2) if stacked else 0


def _title(text: str) -> dict:
    return {"text": text, "font": {"size": 13}}


def _put(layout: go.Layout, name: str, value: object) -> None:
    """A part of a layout at once: ten times as quick as plotly's `update`, the same result."""
    layout[name] = _over(layout[name].to_plotly_json(), value) if isinstance(value, dict) else value


def _over(before: dict, now: dict) -> dict:
    inner = {name: _over(before.get(name, {}), v) for name, v in now.items() if isinstance(v, dict)}
    return {**before, **now, **inner}


def signed(value: float) -> str:
    """Two digits with their sign; what rounds to 0 has none."""
    text = f"{value:+.2f}"
    return text if float(text) else "0.00"
