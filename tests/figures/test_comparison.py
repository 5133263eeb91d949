"""The comparison's figures hold the numbers that they are given."""

import math

import numpy as np

from cacviz.figures.comparison import patient_flow, score_intervals


def test_means_whiskers_and_single_splits_are_drawn():
    figure = score_intervals(
        ["CAC <b>", "Logistic regression"],
        [(0.7, 0.65, 0.76), (0.6, math.nan, math.nan)],
        [[0.69, 0.71], [0.6]],
        is_control=[False, True],
        x_title="AUPRC",
    )
    method, control, single = figure.data
    assert list(single.x) == [0.69, 0.71, 0.6]
    assert list(method.x) == [0.7]
    np.testing.assert_allclose(method.error_x.arrayminus, [0.05])
    np.testing.assert_allclose(method.error_x.array, [0.06])
    assert list(control.error_x.array) == [0.0]
    assert method.y[0] == "CAC &lt;b&gt;"


def test_flow_shows_shares_of_the_row_and_numbers():
    counts = np.array([[30, 10], [0, 0]])
    figure = patient_flow(counts, ["A", "B"], ["C", "D"], from_title="one", to_title="two")
    (heat,) = figure.data
    np.testing.assert_allclose(heat.z, [[0.75, 0.25], [0, 0]])
    assert heat.text[0][0] == "75%<br>30"
