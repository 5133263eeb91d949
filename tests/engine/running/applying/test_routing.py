"""The margin: 0 on the border between two subtypes, 1 at its own centre; by hand and as a law."""

from types import SimpleNamespace

import numpy as np
import pytest

from cacviz.engine.running.applying.routing import routed_by
from cacviz.engine.types import RunConfig


def nearest(centres, shares=None):
    centres = np.array(centres, dtype=float)

    def predict_cluster(X):
        return ((X[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)

    return SimpleNamespace(
        n_clusters=len(centres),
        embeds=False,
        centroids_=centres,
        shares=lambda X: shares,
        predict_cluster=predict_cluster,
    )


def test_margins_by_hand():
    model = nearest([[0, 0], [4, 0], [0, 8]])
    X = np.array([[0.0, 0], [1.9, 5], [2.0, 0], [-3, 0], [0, 4.1]])
    clusters, second, margin = routed_by(model, X)
    assert clusters.tolist() == [0, 2, 0, 0, 2]
    assert second[[0, 2]].tolist() == [1, 1]
    assert margin.tolist() == pytest.approx([1, 0.21, 0, 1, 0.025], abs=1e-9)
    assert second[4] == 0


def test_what_all_patients_share_does_not_move_the_margin():
    flat, deep = nearest([[0, 0], [4, 0]]), nearest([[0, 0], [4, 0]])
    X = np.array([[1.0, 0], [1.0, 50]])
    assert np.ptp(routed_by(flat, X).margin) == 0
    assert routed_by(deep, X).margin[0] == pytest.approx(0.5)


def test_shares_give_the_difference_of_the_two_largest():
    shares = np.array([[0.6, 0.3, 0.1]])
    model = nearest([[0.0], [4.0], [9.0]], shares)
    assert routed_by(model, np.array([[0.0]])).margin == pytest.approx([0.3])
    assert routed_by(model, np.array([[0.0]])).second.tolist() == [1]


def test_one_subtype_has_no_border_and_an_empty_one_no_neighbours():
    assert routed_by(nearest([[0.0]]), np.zeros((2, 1))).margin.tolist() == [1, 1]
    model = nearest([[0.0], [4.0]])
    model.n_clusters, model.centroids_ = 3, np.array([[0.0], [4.0], [np.nan]])
    assert routed_by(model, np.array([[1.0]])).second.tolist() == [1]


@pytest.mark.parametrize("config", [RunConfig("cac", 3), RunConfig("kmeans", 2), RunConfig("lr")])
def test_every_margin_is_from_0_to_1(config, instrument_of, ward):
    run = instrument_of(config)
    routed = routed_by(run.model, run.preparation.transform(ward.frame).X)
    assert routed.margin.min() >= 0
    assert routed.margin.max() <= 1
    assert config.method == "lr" or (routed.second != routed.clusters).all()
