"""Figures for print hold the numbers of the figures on screen, at the width that was asked for."""

import numpy as np
import plotly.graph_objects as go
import pytest

from cacviz.figures import flow, theme
from cacviz.report.printing.drawing import DOUBLE, SINGLE, as_png, as_svg, drawn
from cacviz.report.printing.words import cleaned, formatted


def test_bars_keep_their_heights_colours_and_whiskers():
    figure = go.Figure(
        go.Bar(x=["a", "b"], y=[0.1, 0.3], marker_color=["#0072B2", "#E69F00"], name="risk")
    )
    figure.update_traces(error_y={"type": "data", "array": [0.05, 0.1]})
    theme.styled(figure, y_title="Share", y_format=".0%")
    (ax,) = drawn(figure, SINGLE).axes
    assert [bar.get_height() for bar in ax.patches] == [0.1, 0.3]
    assert [t.get_text() for t in ax.get_xticklabels()] == ["a", "b"]
    assert ax.get_ylabel() == "Share"
    assert ax.yaxis.get_major_formatter()(0.2, 0) == "20%"


def test_stacked_bars_stand_on_each_other():
    (ax,) = drawn(flow.patients((57, 18, 25, 0), ("a", "b", "c", "d")), DOUBLE).axes
    assert [(bar.get_x(), bar.get_width()) for bar in ax.patches] == [(0, 57), (57, 18), (75, 25)]


def test_lines_points_heat_and_lines_across_are_drawn():
    figure = go.Figure()
    figure.add_scatter(x=[0, 1, 2], y=[1, 3, 2], mode="lines", line={"dash": "dash"}, name="one")
    figure.add_scatter(x=[0, 1], y=[1, 2], mode="markers", name="two")
    figure.add_hline(2, line_dash="dot")
    figure.update_yaxes(autorange="reversed")
    (ax,) = drawn(figure, DOUBLE).axes
    assert list(ax.lines[0].get_ydata()) == [1, 3, 2]
    assert np.allclose(ax.collections[0].get_offsets(), [[0, 1], [1, 2]])
    assert ax.get_ylim()[0] > ax.get_ylim()[1]
    heat = go.Figure(go.Heatmap(z=[[1, -1]], x=["a", "b"], y=["f"], text=[["+1", "-1"]]))
    heat.update_traces(texttemplate="%{text}", zmin=-1, zmax=1, zmid=0)
    assert {t.get_text() for t in drawn(heat, DOUBLE).axes[0].texts} == {"+1", "-1"}


@pytest.mark.parametrize("width", [SINGLE, DOUBLE])
def test_files_are_as_wide_as_a_column_of_the_journal(width):
    figure = flow.patients((57, 18, 25, 0), ("a", "b", "c", "d"))
    png = as_png(figure, width, dpi=300)
    assert int.from_bytes(png[16:20], "big") == pytest.approx(width / 25.4 * 300, abs=2)
    assert f'width="{width / 25.4 * 72:.4f}'[:12] in as_svg(figure, width).decode()
    assert as_svg(figure, width) == as_svg(figure, width)


def test_markup_and_formulas_become_plain_words():
    assert cleaned("<b>a</b><br>R&amp;D $5") == "a\nR&D \\$5"
    assert formatted(0.256, ".0%") == "26%"
    assert formatted(1234.5, "~s") == "1,234.5"
