"""The laws of CAC."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from cacviz.engine.cac.cac import CAC, KMeansExperts
from cacviz.engine.cac.critical import critical_alpha
from cacviz.engine.cac.experts import EXPERTS
from cacviz.engine.exceptions import DegenerateClusterWarning
from cacviz.engine.metrics import auc
from tests.engine.cac import reference

pytestmark = pytest.mark.filterwarnings("ignore::cacviz.engine.exceptions.DegenerateClusterWarning")


@parametrize_with_checks(
    [
        CAC(n_clusters=2, max_iter=3, n_init=1, random_state=0),
        KMeansExperts(n_clusters=2, n_init=1, random_state=0),
    ]
)
def test_scikit_learn_contract_holds_without_exception(estimator, check):
    check(estimator)


@pytest.mark.parametrize("separation", ["paper", "balanced"])
@pytest.mark.parametrize("alpha", [0, 0.05, 0.5, 1])
def test_cost_never_rises(two_wards, alpha, separation):
    model = CAC(3, alpha=alpha, separation=separation, random_state=0).fit(*two_wards)
    assert np.diff(model.costs_).max() <= 1e-9


@pytest.mark.parametrize("separation", ["paper", "balanced"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_at_the_end_no_legal_move_lowers_the_cost(separation, n_classes):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, n_classes, 60)
    model = CAC(3, alpha=0.1, separation=separation, random_state=0).fit(X, y)
    cost = {"alpha": 0.1, "balanced": separation == "balanced"}
    for i in range(60):
        if reference.may_leave(y, model.labels_, i):
            _, change = reference.best_move(X, y, model.labels_, i, 3, **cost)
            assert change >= -1e-7


@pytest.mark.parametrize("separation", ["paper", "balanced"])
def test_last_cost_is_phi_of_the_labels(two_wards, separation):
    X, y = two_wards
    model = CAC(3, alpha=0.1, separation=separation, random_state=0).fit(X, y)
    expected = reference.total(X, y, model.labels_, alpha=0.1, balanced=separation == "balanced")
    assert model.costs_[-1] == pytest.approx(expected)


def test_cost_is_the_same_far_from_the_origin(two_wards):
    X, y = two_wards
    near = CAC(3, alpha=0.1, random_state=0).fit(X, y)
    far = CAC(3, alpha=0.1, random_state=0).fit(X + 1e5, y)
    assert far.costs_ == pytest.approx(near.costs_, rel=1e-6)


def test_without_separation_the_cost_is_at_most_that_of_k_means(two_wards):
    model = CAC(3, alpha=0, random_state=0).fit(*two_wards)
    assert model.costs_[-1] <= model.costs_[0] + 1e-9


def test_same_seed_gives_the_same_run(two_wards):
    X, y = two_wards
    first, second = (CAC(3, expert="rf", random_state=7).fit(X, y) for _ in range(2))
    assert np.array_equal(first.labels_, second.labels_)
    assert np.array_equal(first.predict_proba(X), second.predict_proba(X))


def test_default_alpha_is_half_the_critical_value_of_the_start(two_wards):
    X, y = two_wards
    model = CAC(2, random_state=0).fit(X, y)
    start = KMeansExperts(2, random_state=0).fit(X, y).labels_
    shares = [y[start == j].mean() for j in range(2)]
    assert model.critical_alpha_ == pytest.approx(min(p * (1 - p) for p in shares))
    assert model.alpha_ == pytest.approx(model.critical_alpha_ / 2)


def test_critical_value_of_three_equal_classes_is_a_third():
    assert critical_alpha(np.array([0, 1, 2]), np.zeros(3, dtype=int), 3) == pytest.approx(1 / 3)


def test_alpha_beyond_its_critical_value_collapses_and_says_so():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 5)), (rng.random(400) < 0.15).astype(int)
    with pytest.warns(DegenerateClusterWarning, match="critical value"):
        model = CAC(2, alpha=0.5, random_state=0).fit(X, y)
    assert model.class_counts_.min() == 1
    assert model.routing_agreement_ < 0.95


def test_min_class_size_keeps_enough_of_each_class_in_each_cluster():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 5)), (rng.random(400) < 0.3).astype(int)
    model = CAC(2, alpha=0.5, min_class_size=20, random_state=0).fit(X, y)
    assert model.class_counts_.min() >= 20


def test_one_cluster_is_the_plain_expert(two_wards):
    X, y = two_wards
    one, plain = CAC(1, random_state=0).fit(X, y), KMeansExperts(1, random_state=0).fit(X, y)
    assert np.array_equal(one.predict_proba(X), plain.predict_proba(X))
    assert one.routing_agreement_ == 1


def test_experts_of_two_wards_beat_one_for_both(two_wards):
    X, y = two_wards
    one, two = (CAC(k, random_state=0).fit(X[::2], y[::2]) for k in (1, 2))
    assert auc(y[1::2], two.predict_proba(X[1::2])) > auc(y[1::2], one.predict_proba(X[1::2]))


@pytest.mark.parametrize("expert", [*EXPERTS, RandomForestClassifier(3)])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_expert_gives_probabilities(two_wards, expert, n_classes):
    X, _ = two_wards
    y = np.random.default_rng(0).integers(0, n_classes, len(X))
    proba = CAC(2, expert=expert, random_state=0).fit(X, y).predict_proba(X)
    assert proba.shape == (len(X), n_classes)
    assert proba.min() >= 0
    assert proba.sum(axis=1) == pytest.approx(1)


def test_a_cluster_of_one_class_gets_a_constant_short_of_certainty():
    X = (
        np.concatenate([np.full((30, 1), 0.0), np.full((30, 1), 50.0)])
        + np.arange(60)[:, None] / 99
    )
    y = np.r_[np.zeros(30, dtype=int), np.tile([0, 1], 15)]
    proba = CAC(2, alpha=0, random_state=0).fit(X, y).predict_proba(X[:1])
    assert 0 < proba[0, 1] < 0.02


@pytest.mark.parametrize("expert", EXPERTS)
def test_one_patient_of_a_class_is_enough_for_any_expert(expert):
    X = np.random.default_rng(0).normal(size=(40, 3))
    y = np.r_[np.zeros(39, dtype=int), 1]
    proba = CAC(1, expert=expert, random_state=0).fit(X, y).predict_proba(X)
    assert np.isfinite(proba).all()


def test_nearest_refit_trains_experts_on_who_is_routed_to_them():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 5)), (rng.random(400) < 0.3).astype(int)
    settings = {"alpha": 0.5, "random_state": 0}
    members = CAC(2, refit="members", **settings).fit(X, y)
    nearest = CAC(2, refit="nearest", **settings).fit(X, y)
    assert np.array_equal(members.labels_, nearest.labels_)
    assert not np.allclose(members.predict_proba(X), nearest.predict_proba(X))


def test_best_round_is_chosen_on_validation_patients(two_wards):
    X, y = two_wards
    model = CAC(3, alpha=0.2, choose="validation", random_state=0)
    model.fit(X[::2], y[::2], validation=(X[1::2], y[1::2]))
    assert 0 <= model.round_ < len(model.costs_)
    with pytest.raises(ValueError, match="validation"):
        CAC(3, choose="validation").fit(X, y)


def test_validation_patients_of_one_class_leave_the_last_round(two_wards):
    X, y = two_wards
    model = CAC(3, alpha=0.2, choose="validation", random_state=0)
    model.fit(X, y, validation=(X[y == 0], y[y == 0]))
    assert model.round_ == len(model.costs_) - 1


def test_history_has_a_row_for_the_start_and_each_round(two_wards):
    rows = []
    model = CAC(3, random_state=0).fit(*two_wards, on_step=rows.append)
    assert [row["round"] for row in model.history_] == list(range(len(model.costs_)))
    assert [row["round"] for row in rows] == list(range(1, len(model.costs_)))
    assert all(-1 <= row["silhouette"] <= 1 for row in model.history_)


@pytest.mark.parametrize("wrong", [{"n_clusters": 0}, {"alpha": -1}, {"expert": "magic"}])
def test_a_wrong_setting_is_named(two_wards, wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        CAC(**wrong).fit(*two_wards)


def test_a_fit_that_moves_nobody_says_that_it_is_kmeans():
    rng = np.random.default_rng(0)
    X = np.repeat([[0.0, 0.0], [20.0, 0.0]], 60, axis=0) + rng.normal(size=(120, 2))
    y = np.tile([0, 1], 60)
    still = CAC(2, alpha=0.01, random_state=0).fit(X, y)
    assert not any(row["moves"] for row in still.history_)
    assert still.notes_[0].code == "k-means subtypes"
    assert still.notes_[0].values["moved"] == 0
    assert CAC(2, alpha=0.0, random_state=0).fit(X, y).notes_ == []  # nothing else was asked for


@pytest.mark.parametrize("model", [CAC(3, random_state=4), KMeansExperts(3, random_state=4)])
def test_clusters_alone_are_the_clusters_of_the_whole_fit(two_wards, model):
    X, y = two_wards
    whole, alone = clone(model).fit(X, y), clone(model).fit_clusters(X, y)
    assert (whole.labels_ == alone.labels_).all()
    assert (whole.predict_cluster(X) == alone.predict_cluster(X)).all()
    assert not hasattr(alone, "experts_")
