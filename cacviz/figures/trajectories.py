"""Mean course of a variable by subtype, how many patients stand behind it, and one's own course."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from cacviz.engine.insights.types import Trajectory
from cacviz.figures.theme import DASHES, SLATE, plain_label, styled, subtype_color, wrapped_label


class Course(NamedTuple):
    """One patient's own values by hour, and which of them were measured."""

    title: str
    values: np.ndarray
    measured: np.ndarray


def mean_courses(
    courses: Sequence[Trajectory],
    titles: Sequence[str],
    shown: Sequence[int],
    *,
    variable: str,
    own: Course | None = None,
) -> go.Figure:
    """Means with 95% bands above, counts of patients below, on the same hours."""
    figure = make_subplots(
        rows=2, cols=1, shared_xaxes=True, row_heights=[0.75, 0.25], vertical_spacing=0.06
    )
    for course in courses:
        if course.cluster in shown:
            _add(figure, course, titles[course.cluster])
    if own is not None:
        _add_own(figure, own)
    styled(figure, height=480)
    hours = len(courses[0].mean) if courses else 1
    figure.update_xaxes(range=[0.5, hours + 0.5])
    figure.update_xaxes(title={"text": "Hour of the stay"}, row=2, col=1)
    figure.update_yaxes(title={"text": wrapped_label(variable, 30)}, row=1, col=1)
    figure.update_yaxes(title={"text": "Patients"}, rangemode="tozero", row=2, col=1)
    return figure.update_layout(hovermode="x unified")


def _add(figure: go.Figure, course: Trajectory, title: str) -> None:
    hours = list(range(1, len(course.mean) + 1))
    color = subtype_color(course.cluster)
    look = {"color": color, "dash": DASHES[course.cluster % len(DASHES)], "width": 2}
    for band in _bands(course, color):
        figure.add_trace(band, row=1, col=1)
    limits = np.column_stack([course.low, course.high, course.counts])
    figure.add_scatter(
        x=hours,
        y=course.mean,
        mode="lines+markers",
        marker={"size": 4},
        line=look,
        name=plain_label(title),
        legendgroup=str(course.cluster),
        customdata=limits,
        hovertemplate="%{y:.4g} (%{customdata[0]:.4g} to %{customdata[1]:.4g}), "
        "%{customdata[2]:,} patients",
        row=1,
        col=1,
    )
    figure.add_scatter(
        x=hours,
        y=np.where(course.counts >= 0, course.counts, np.nan),
        mode="lines",
        line=look,
        name=plain_label(title),
        legendgroup=str(course.cluster),
        showlegend=False,
        hoverinfo="skip",
        row=2,
        col=1,
    )


def _bands(course: Trajectory, color: str) -> list[go.Scatter]:
    """The interval as filled areas, one for each stretch of hours that has one."""
    told = np.isfinite(course.low)
    edges = np.flatnonzero(np.diff(np.r_[False, told, False]))
    return [
        _band(course, color, begin, end)
        for begin, end in zip(edges[::2], edges[1::2], strict=True)
        if end - begin > 1
    ]


def _band(course: Trajectory, color: str, begin: int, end: int) -> go.Scatter:
    hours = np.arange(begin + 1, end + 1)
    return go.Scatter(
        x=np.r_[hours, hours[::-1]],
        y=np.r_[course.high[begin:end], course.low[begin:end][::-1]],
        fill="toself",
        mode="none",
        fillcolor=color,
        opacity=0.15,
        hoverinfo="skip",
        showlegend=False,
        legendgroup=str(course.cluster),
    )


def _add_own(figure: go.Figure, own: Course) -> None:
    """Carried values as a thin line of steps, measurements as marks upon it."""
    hours = np.arange(1, len(own.values) + 1)
    dark = {"color": SLATE[1], "width": 1.5}
    name = plain_label(own.title)
    figure.add_scatter(
        x=hours,
        y=own.values,
        mode="lines",
        line=dark | {"shape": "hv"},
        name=name,
        legendgroup="own",
        showlegend=False,
        hoverinfo="skip",
        row=1,
        col=1,
    )
    figure.add_scatter(
        x=hours[own.measured],
        y=own.values[own.measured],
        mode="markers",
        marker={"color": SLATE[1], "size": 9, "symbol": "diamond"},
        name=name,
        legendgroup="own",
        hovertemplate="%{y:.4g}",
        row=1,
        col=1,
    )
