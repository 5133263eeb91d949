"""Colours, words and layout that every figure shares."""

from __future__ import annotations

import html
import textwrap

import plotly.graph_objects as go

# Okabe–Ito: colour-blind people can tell them apart, in light and in dark.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
OUTCOMES = ("#8DA0B3", "#D55E00", "#56B4E9", "#CC79A7", "#009E73", "#E69F00")
NEUTRAL = "#8A8F98"
ACCENT = PALETTE[0]
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "x", "star", "pentagon")
LONGEST = 60


def subtype_color(cluster: int) -> str:
    """The colour of a cluster, the same in every figure."""
    return PALETTE[cluster % len(PALETTE)]


def outcome_color(code: int) -> str:
    """The colour of an outcome class."""
    return OUTCOMES[code % len(OUTCOMES)]


def plain_label(text: object) -> str:
    """User text for a figure: no markup, no line breaks, at most 60 characters."""
    words = " ".join(str(text).split())
    words = words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
    return html.escape(words, quote=False)


def wrapped_label(text: object, width: int = 24) -> str:
    """User text for an axis: `plain_label`, broken into lines between words."""
    lines = textwrap.wrap(html.unescape(plain_label(text)), width)
    return "<br>".join(html.escape(line, quote=False) for line in lines)


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
    figure.update_layout(
        height=height,
        margin={"l": 8, "r": 8, "t": 36 if legend else 12, "b": 8},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        showlegend=legend,
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0, "title": {"text": ""}},
        hoverlabel={"namelength": -1},
        bargap=0.25,
    )
    grid = {"gridcolor": "rgba(138,143,152,0.25)", "zeroline": False, "automargin": True}
    grid |= {"exponentformat": "none", "separatethousands": True}  # 32,052.5, not 32.0525k
    figure.update_xaxes(title={"text": x_title, "font": {"size": 13}}, **grid)
    figure.update_yaxes(title={"text": y_title, "font": {"size": 13}}, tickformat=y_format, **grid)
    return figure
