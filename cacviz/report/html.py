"""The report as one HTML file that asks nobody for anything: plotly inlined once, or drawings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jinja2
import plotly.graph_objects as go
from markupsafe import Markup
from plotly.offline import get_plotlyjs

from cacviz.report.blocks import Picture, Report
from cacviz.report.numbering import is_number, numbers_of, written
from cacviz.report.printing.drawing import as_svg

TEMPLATE = Path(__file__).with_name("report.html")
WIDTH = 750  # pixels: a page of paper, so that print and screen agree


def as_html(report: Report, *, interactive: bool = True) -> str:
    """The report as a page; without `interactive` its figures are drawings, as for PDF."""
    numbers = numbers_of(report)
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    library = Markup(get_plotlyjs()) if interactive and _has_pictures(report) else ""
    return template.render(
        report=report,
        library=library,
        kinds=lambda block: type(block).__name__,
        number=lambda block: numbers[id(block)],
        rows=lambda frame: frame.astype(object).to_numpy().tolist(),
        is_number=is_number,
        written=written,
        drawing=_plot if interactive else _drawing,
    )


def _has_pictures(report: Report) -> bool:
    return any(isinstance(block, Picture) for block in report.blocks())


def _plot(picture: Picture) -> Markup:
    """A figure that can be looked at more closely; nothing in its JSON can end the script."""
    figure = go.Figure(picture.figure)
    for trace in figure.data:
        if trace.type == "scattergl":  # drawn by the graphics card, which does not print
            figure = _as_shapes(figure)
            break
    figure.update_layout(width=WIDTH, template="plotly_white", dragmode=False)
    body = _harmless(figure.to_json())
    name = f"figure_{picture.name}"
    config = json.dumps({"displaylogo": False, "displayModeBar": False, "responsive": False})
    label = _harmless(json.dumps(picture.caption))
    return Markup(
        f'<div class="plot" id="{name}" role="img"></div><script>(function(){{'
        f"var f={body};document.getElementById('{name}').setAttribute('aria-label',{label});"
        f"Plotly.newPlot('{name}',f.data,f.layout,{config});}})();</script>"
    )


def _as_shapes(figure: go.Figure) -> go.Figure:
    traces: list[Any] = []
    for trace in figure.data:
        said = trace.to_plotly_json()
        traces.append(
            go.Scatter({**said, "type": "scatter"}) if trace.type == "scattergl" else trace
        )
    return go.Figure(traces, figure.layout)


def _harmless(text: str) -> str:
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _drawing(picture: Picture) -> Markup:
    svg = as_svg(picture.figure, editable=False).decode()
    return Markup(f'<div class="drawing">{svg[svg.index("<svg") :]}</div>')
