"""Trees as tensors say what scikit-learn's trees say, and are heard where they know more."""

import numpy as np
import pytest
import torch
from scipy.special import log_softmax

from cacviz.engine.deep.deepcac import DeepCAC
from cacviz.engine.deep.experts import mixtures
from cacviz.engine.deep.trees import BoostedTrees, boosted, can_leave
from cacviz.engine.metrics import auprc_macro


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


def test_weights_share_one_word_among_the_readings():
    assert mixtures(2) == [(1, 0), (0.75, 0.25), (0.5, 0.5), (0.25, 0.75), (0, 1)]
    assert len(mixtures(3)) == 15
    assert all(sum(w) == 1 for w in mixtures(3))


def steps(n, seed=0):
    """Patients whose outcome hangs on steps and their product: what trees see and lines do not."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 8))
    odds = 4 * ((X[:, 0] > 0.5) ^ (X[:, 1] > -0.5)) - 2
    return X, (rng.random(n) < 1 / (1 + np.exp(-odds))).astype(int)


@pytest.fixture(scope="module")
def heard():
    """A quick fit of networks that cannot have learned much, beside trees that can."""
    quick = {"pretrain_epochs": 1, "epochs": 1, "expert_epochs": 2}
    return DeepCAC(2, random_state=0, **quick).fit(*steps(900))


def test_patients_left_out_hear_trees_that_predict_better(heard):
    X, y = steps(900, seed=1)
    with_trees = auprc_macro(y, heard.predict_proba(X))
    assert heard.network_.weights[1] >= 0.5
    one = DeepCAC.from_state(*heard.get_state())
    one.network_.weights.copy_(torch.tensor([1.0, 0.0]))
    assert with_trees > auprc_macro(y, one.predict_proba(X)) + 0.05


def test_a_stored_model_with_trees_predicts_the_same_bits(heard):
    X, _ = steps(50, seed=2)
    again = DeepCAC.from_state(*heard.get_state())
    np.testing.assert_array_equal(again.predict_proba(X), heard.predict_proba(X))


def test_few_patients_grow_no_trees():
    X, y = steps(120)
    model = DeepCAC(2, random_state=0, pretrain_epochs=1, epochs=1, expert_epochs=2).fit(X, y)
    assert not model.network_.trees.n_trees.any()
    assert model.network_.weights.tolist() == [1, 0]
