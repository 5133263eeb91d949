"""Agreement of two clusterings, against scikit-learn's."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from cacviz.engine.scoring.agreement import adjusted_rand_index, crossing


@pytest.mark.parametrize("seed", range(5))
def test_agreement_equals_scikit_learns(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 3, 60), rng.integers(0, 4, 60)
    counts = crossing(a, b)
    assert counts.sum() == 60
    assert counts[1, 2] == np.count_nonzero((a == 1) & (b == 2))
    assert adjusted_rand_index(counts) == pytest.approx(adjusted_rand_score(a, b))
    assert adjusted_rand_index(crossing(a, a)) == pytest.approx(1)


def test_agreement_of_one_cluster_with_itself():
    ones = np.zeros(10, dtype=int)
    assert adjusted_rand_index(crossing(ones, ones)) == 1
