"""What every figure shares: colours that stand out, and the house's layout."""

import plotly.graph_objects as go
import pytest
from plotly.subplots import make_subplots

from cacviz.figures import theme


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
