"""Numbers of subtypes side by side, drawn."""

import pytest

from cacviz.figures import sweeps


@pytest.mark.parametrize(
    ("values", "top"), [([1.0, 1.0], 1.02), ([0.7, float("nan")], 1.02), ([350, 40], None)]
)
def test_the_axis_of_a_score_ends_where_scores_do(values, top):
    axis = sweeps.criterion([2, 3], values, title="Agreement of seeds (ARI)").layout.yaxis
    assert axis.autorangeoptions.clipmax == top
