"""A patient's risks, subtype and margin are the same to the bit in whichever company."""

import numpy as np
import pytest

from cacviz.engine.preparation.blocks import ROWS, in_blocks
from cacviz.engine.running.applying.routing import routed_by
from cacviz.engine.running.methods import build_model
from cacviz.engine.types import RunConfig


def cohort(n, n_features=90):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, n_features))
    return X, (X[:, :3].sum(axis=1) + rng.normal(size=n) > 0).astype(int) + (X[:, 3] > 1)


@pytest.mark.parametrize(
    ("method", "settings"),
    [
        ("cac", {"alpha": 0.0}),
        ("kmeans", {"expert": "lda"}),
        ("lr", {}),
        pytest.param(
            "deepcac",
            {"pretrain_epochs": 1, "epochs": 1, "expert_epochs": 1},
            marks=pytest.mark.heavy,
        ),
    ],
)
def test_a_patient_has_the_same_bits_alone_and_among_others(method, settings):
    X, y = cohort(700)
    config = RunConfig(method, 1 if method == "lr" else 2, 0).having(**settings)
    model = build_model(config).fit(X, y)
    everybody, routed = model.predict_proba(X), routed_by(model, X)
    rng = np.random.default_rng(1)
    for n in (1, 3, 50, ROWS - 1, ROWS + 1, 699):
        rows = rng.permutation(700)[:n]
        assert np.array_equal(model.predict_proba(X[rows]), everybody[rows])
        for one, all_of_them in zip(routed_by(model, X[rows]), routed, strict=True):
            assert np.array_equal(one, all_of_them[rows])


def test_every_block_has_as_many_rows_and_none_is_lost():
    asked = []

    def doubled(block):
        asked.append(len(block))
        return block * 2

    X = np.arange(2.0 * (ROWS + 3)).reshape(-1, 2)
    assert np.array_equal(in_blocks(doubled, X), X * 2)
    assert asked == [ROWS, ROWS]
    assert in_blocks(doubled, X[:0]).shape == (0, 2)
