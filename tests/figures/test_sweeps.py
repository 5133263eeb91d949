"""Figures of a sweep: what is drawn where."""

import pytest

from cacviz.figures import sweeps

VALUES = [0.0, 0.01, 0.03, 0.06]


@pytest.mark.parametrize(
    ("critical", "place"), [(0.03, 2.0), (0.045, 2.5), (0.1, 3.5), (0.06, 3.0)]
)
def test_a_critical_alpha_stands_where_it_is_and_beyond_all_values_where_it_is_larger(
    critical, place
):
    figure = sweeps.weight_curves(
        VALUES, [("all", [0.7] * 4)], x_title="α", y_title="AUPRC", critical=critical
    )
    line = figure.layout.shapes[-1]
    assert (line.x0, line.x1) == (pytest.approx(place), pytest.approx(place))
    assert f"{critical:.2g}" in figure.layout.annotations[-1].text


def test_every_line_has_its_scores_at_its_values():
    figure = sweeps.weight_curves(
        VALUES, [("β = 0", [1, 2, 3, 4]), ("β = 5", [5, 6, 7, 8])], x_title="α", y_title="AUC"
    )
    assert [list(trace.y) for trace in figure.data] == [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert list(figure.data[0].x) == ["0", "0.01", "0.03", "0.06"]
    assert not figure.layout.shapes


@pytest.mark.parametrize(
    ("values", "top"), [([1.0, 1.0], 1.02), ([0.7, float("nan")], 1.02), ([350, 40], None)]
)
def test_the_axis_of_a_score_ends_where_scores_do(values, top):
    axis = sweeps.criterion([2, 3], values, title="Agreement of seeds (ARI)").layout.yaxis
    assert axis.autorangeoptions.clipmax == top
