"""Trees as tensors say what scikit-learn's trees say."""

import numpy as np
import pytest
import torch
from scipy.special import log_softmax

from cacviz.engine.deep.trees import BoostedTrees, boosted, can_leave


@pytest.mark.parametrize("n_classes", [2, 3])
def test_tensors_say_what_the_trees_say(n_classes):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 5)).astype(np.float32)
    y = np.digitize(X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=600), [0, 0.5][: n_classes - 1])
    out = np.arange(600) % 4 == 0
    model = boosted(X, y, out, seed=0)
    made = BoostedTrees(2, n_classes)
    made.keep(1, model)
    said = made(torch.from_numpy(X)).log_softmax(dim=2).numpy()
    np.testing.assert_allclose(said[1], np.log(model.predict_proba(X)), atol=1e-5)
    np.testing.assert_allclose(said[0], log_softmax(np.zeros((600, n_classes)), axis=1), atol=1e-6)


def test_a_fold_without_a_class_cannot_be_left_out():
    fold = np.array([0, 0, 1, 1])
    assert can_leave(np.array([0, 1, 0, 1]), fold)
    assert not can_leave(np.array([0, 0, 0, 1]), fold)
