"""What every figure shares: colours that stand out, and the house's layout."""

import tomllib

import numpy as np
import plotly.graph_objects as go
import pytest
from plotly.subplots import make_subplots

from cacviz.figures import theme
from tests.conftest import ROOT


def _contrast(color, ground):
    light, dark = sorted((_light(color), _light(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _light(color):
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("ground", ["#FFFFFF", "#11181F"])
def test_lines_of_a_figure_stand_out_on_light_and_on_dark_ground(ground):
    lines = (theme.SLATE[0], theme.SLATE[1], theme.HIGH, theme.OUTCOMES[1], theme.NEUTRAL)
    assert min(_contrast(color, ground) for color in lines) >= 3


def test_the_house_layout_reaches_every_axis_and_keeps_what_the_figure_said():
    figure = make_subplots(1, 2)
    figure.update_xaxes(range=[0, 3], row=1, col=2)
    figure.update_layout(legend={"itemsizing": "constant"})
    theme.styled(figure, x_title="Hours", y_format=".0%", height=200)
    layout = figure.layout
    assert [axis.title.text for axis in figure.select_xaxes()] == ["Hours", "Hours"]
    assert {axis.tickformat for axis in figure.select_yaxes()} == {".0%"}
    assert layout.xaxis2.range == (0, 3)
    assert (layout.legend.itemsizing, layout.legend.orientation) == ("constant", "h")
    assert layout.height == 200


@pytest.mark.parametrize(("n", "more"), [(2, 0), (8, 6)])
def test_long_names_in_a_legend_take_no_room_from_the_plot(n, more):
    names = [f"Subtype {j}: High creatinine, low sodium" for j in range(n)]
    figure = theme.styled(
        go.Figure([go.Bar(x=[1], y=[1], name=name) for name in names]), height=320
    )
    assert figure.layout.height == 320 + more * theme.LEGEND_LINE
    short = theme.styled(
        go.Figure([go.Bar(x=[1], y=[1], name=f"{j}") for j in range(n)]), height=320
    )
    assert short.layout.height == 320


# What red-, green- and blue-blind eyes see of linear RGB (Machado, Oliveira and Fernandes, 2009).
EYES = {
    "all cones": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "no red": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "no green": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "no blue": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = TO_XYZ.sum(axis=1)


def _lab(color, eyes):
    """A colour as these eyes see it, in CIELAB, where distances are differences seen."""
    channels = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    x, y, z = np.cbrt(TO_XYZ @ np.clip(np.array(EYES[eyes]) @ linear, 0, 1) / WHITE)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("eyes", EYES)
def test_eight_subtypes_have_colours_that_colour_blind_eyes_tell_apart(eyes):
    seen = [_lab(theme.subtype_color(j), eyes) for j in range(8)]
    gaps = {(a, b): np.linalg.norm(seen[a] - seen[b]) for a in range(8) for b in range(a)}
    assert min(gaps.values()) > 12, min(gaps, key=gaps.get)


def test_the_theme_has_the_subtypes_colours_in_their_order():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert tuple(config["theme"]["chartCategoricalColors"]) == theme.PALETTE


def test_a_class_stays_on_the_line_of_its_sign():
    said = theme.wrapped_label("Share with In-hospital_death = 1", 30)
    assert said == "Share with<br>In-hospital_death\u00a0=\u00a01"
