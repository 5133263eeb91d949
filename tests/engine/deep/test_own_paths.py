"""Experts leave the shared risk where effects differ, and only there."""

import numpy as np
import pytest

from cacviz.engine.deep import linear, own_paths
from cacviz.engine.deep.deepcac import DeepCAC
from cacviz.engine.metrics import auprc_macro

N, FEATURES, K = 1000, 12, 3
QUICK = {"pretrain_epochs": 8, "epochs": 15, "expert_epochs": 15}


def planted(own, n=N, seed=0):
    """Three kinds of patients far apart; effects are shared (own = 0) or each kind's own (1)."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, K, n)
    X = rng.normal(size=(n, FEATURES + K))
    X[:, FEATURES:] += 5 * np.eye(K)[kind]
    slopes = rng.normal(size=(K, FEATURES)) * 0.7
    slopes = own * slopes + (1 - own) * slopes[:1]
    odds = (X[:, :FEATURES] * slopes[kind]).sum(axis=1)
    return X, (rng.random(n) < 1 / (1 + np.exp(-odds))).astype(int)


def scores(own, routing="soft"):
    X, y = planted(own)
    risks = [
        DeepCAC(k, routing=routing, random_state=0, **QUICK).fit(X[:600], y[:600]).predict_proba(X)
        for k in (1, K)
    ]
    return [auprc_macro(y[600:], risk[600:]) for risk in risks], risks


@pytest.mark.heavy
@pytest.mark.parametrize("routing", ["soft", "hard"])
def test_where_effects_differ_three_clusters_gain(routing):
    (one, three), _ = scores(1.0, routing)
    assert three > one + 0.03


@pytest.mark.heavy
def test_where_effects_are_shared_nothing_is_lost():
    (one, three), _ = scores(0.0)
    assert three > one - 0.003


def pool(own, n=1200, seed=0):
    """Two kinds, told apart by the second feature; the first has effects that are opposite."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 2, n)
    member = np.eye(2)[kind]
    x = np.column_stack([rng.normal(size=(n, 3)), np.ones(n)])
    x[:, 1] += 6 * kind
    slope = np.where(kind == 0, 1.5, -1.5 if own else 1.5)
    shared = np.column_stack([np.zeros(n), np.zeros(n) if own else slope * x[:, 0]])
    y = (rng.random(n) < 1 / (1 + np.exp(-slope * x[:, 0]))).astype(int)
    shared -= np.logaddexp(*shared.T)[:, None]
    return own_paths.Pool(x, shared, member, y, np.arange(n) % 4)


def test_left_out_patients_choose_own_paths_where_effects_are_opposite():
    found, shared = own_paths.choose(pool(own=True))
    assert found.choice.own
    assert found.auprc > shared.auprc + 0.1
    paths = own_paths.fit_paths(pool(own=True), found.choice)
    own = paths[:, 0, 1] - paths[:, 0, 0]
    assert own[0] > 1 > -1 > own[1]


@pytest.mark.parametrize("seed", range(5))
def test_left_out_patients_choose_to_share_where_nothing_is_left_over(seed):
    found, shared = own_paths.choose(pool(False, seed=seed))
    assert found is shared
    assert not own_paths.fit_paths(pool(False, seed=seed), found.choice).any()


def test_clusters_that_only_know_the_outcome_do_not_leave_the_shared_risk():
    """A judge's own membership would tell its outcome; the gate's cannot."""
    honest = pool(own=False)
    told = honest._replace(member=np.eye(2)[honest.y])
    found, shared = own_paths.choose(told)
    assert found is shared


def test_a_blind_membership_follows_the_features_and_not_the_outcome():
    some = pool(own=True)
    blind = own_paths.blind(some)
    assert (blind.argmax(axis=1) == some.member.argmax(axis=1)).mean() > 0.98
    assert set(np.unique(blind)) == {0, 1}  # in one cluster each, as they were
    soft = own_paths.blind(some._replace(member=0.9 * some.member + 0.05))
    np.testing.assert_allclose(soft.sum(axis=1), 1)
    assert 0 < soft.min() < soft.max() < 1


def test_a_patient_says_nothing_about_its_own_blind_membership():
    some = pool(own=True)
    other = some.member.copy()
    other[some.fold == 2] = other[some.fold == 2][:, ::-1]
    changed = own_paths.blind(some._replace(member=other))
    same = changed[some.fold == 2] == own_paths.blind(some)[some.fold == 2]
    assert same.all()


def test_the_same_pool_gives_the_same_choice_to_the_bit():
    first, second = (own_paths.choose(pool(own=True))[0] for _ in range(2))
    assert first.choice == second.choice
    assert (first.losses == second.losses).all()


def test_clusters_get_no_credit_for_what_one_linear_path_does():
    """Where the networks learned nothing and slopes are shared, all share a linear path."""
    nothing = pool(own=False)
    nothing = nothing._replace(shared=np.full_like(nothing.shared, np.log(0.5)))
    common = own_paths.choose_common(nothing)
    assert common.own
    linear_risk = own_paths.left_out(nothing.in_one(), common)
    before = own_paths.choose(nothing)
    after = own_paths.choose(nothing._replace(shared=linear_risk))
    gains = [(shared.losses - found.losses).mean() for found, shared in (before, after)]
    assert gains[0] > 0.1
    assert gains[1] < 0.01


def test_a_path_is_the_penalised_optimum():
    """The slope of the penalised loss vanishes there."""
    some, choice = pool(own=True), own_paths.Choice(1.0, 10.0)
    everyone = np.ones(len(some.y), dtype=bool)
    path = own_paths.fit_path(some, choice, 0, everyone)
    risk = linear.softmax(some.shared + some.plain @ path)
    gap = some.member[:, :1] * (risk - np.eye(2)[some.y])
    slope = some.plain.T @ gap + np.array([[10.0]] * 3 + [[1.0]]) * path
    assert np.abs(slope).max() < 0.5  # of about 600 patients' slopes


@pytest.mark.heavy
def test_one_cluster_and_three_share_the_very_same_risk():
    """What clusters cost is nothing where left-out patients choose to share."""
    X, y = planted(0.0, 400)
    quick = {"pretrain_epochs": 2, "epochs": 2, "expert_epochs": 4}
    one, three = (DeepCAC(k, random_state=0, **quick).fit(X, y) for k in (1, 3))
    for ours, theirs in zip(
        one.network_.averaged.parameters(), three.network_.averaged.parameters(), strict=True
    ):
        assert (ours == theirs).all()
    assert [note.code for note in three.notes_] == ["shared risk"]
    assert (one.predict_proba(X) == three.predict_proba(X)).all()


@pytest.mark.heavy
def test_a_fit_knows_what_one_cluster_would_have_said_to_the_bit():
    X, y = planted(1.0, n=600)
    how = {"random_state": 0, **QUICK}
    three = DeepCAC(K, **how).fit(X, y)
    assert not np.array_equal(three.proba_of_one(X), three.predict_proba(X))
    np.testing.assert_array_equal(
        three.proba_of_one(X), DeepCAC(1, **how).fit(X, y).predict_proba(X)
    )
