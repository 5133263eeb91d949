"""Every baseline: the estimator's contract, its laws, and going on after a stop."""

import json

import numpy as np
import pytest
import torch
from safetensors.numpy import load, save
from sklearn.utils.estimator_checks import parametrize_with_checks

from cacviz.engine import ACTPC, ACTPCTS, DCNZ, DMNN, GRASP, GRASPTS, IDECZ, METHODS, KMeansZ
from cacviz.engine.exceptions import Stopped
from cacviz.engine.metrics import auc
from tests.engine.deep.test_deepcac import Memory

pytestmark = pytest.mark.heavy
QUICK = {"pretrain_epochs": 2, "epochs": 2, "expert_epochs": 2, "hidden": 16}
ALL = (KMeansZ, DCNZ, IDECZ, DMNN, ACTPC, GRASP)
EACH = pytest.mark.parametrize("method", ALL)


@pytest.fixture(scope="module")
def wards():
    """Three kinds of patients; which feature matters differs between them; some values missing."""
    rng = np.random.default_rng(0)
    ward = rng.integers(0, 3, 400)
    X = rng.normal(size=(400, 6))
    X[:, 3:] += 4 * np.eye(3)[ward]
    y = (X[np.arange(400), ward] + X[:, 0] + 0.5 * rng.normal(size=400) > 0).astype(int)
    X[rng.random(X.shape) < 0.05] = np.nan
    return X, y, ward


def quick(method, k=3, **more):
    return method(k, random_state=0, **(QUICK | more))


# DeepCAC's own contract covers the stages of KM-Z, DCN-Z and IDEC-Z
@parametrize_with_checks([quick(DMNN, 2, learning_rate=0.03, expert_epochs=8)])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@EACH
def test_a_trained_model_ranks_new_patients(wards, method):
    X, y, _ = wards
    model = method(3, random_state=0, pretrain_epochs=10, epochs=5, expert_epochs=20)
    proba = model.fit(X[:300], y[:300]).predict_proba(X[300:])
    np.testing.assert_allclose(proba.sum(axis=1), 1, atol=1e-5)
    assert auc(y[300:], proba) > 0.75


@EACH
@pytest.mark.parametrize("k", [1, 2, 3])
def test_shapes_attributes_and_names_of_classes(wards, method, k):
    X, y, _ = wards
    model = quick(method, k).fit(X, np.array(["home", "died"])[y])
    assert model.labels_.shape == (400,)
    assert set(model.labels_) <= set(range(k))
    assert model.centroids_.shape == (k, 32)
    assert np.isfinite(model.centroids_).all()
    assert model.classes_.tolist() == ["died", "home"]
    assert model.embed(X).shape == (400, 32)
    assert set(model.predict(X)) <= {"died", "home"}
    np.testing.assert_array_equal(model.labels_, model.predict_cluster(X))
    assert np.isfinite(model.predict_proba(X)).all()


@EACH
def test_three_outcomes(wards, method):
    X, _, ward = wards
    model = method(3, random_state=0, pretrain_epochs=8, epochs=4, expert_epochs=10)
    proba = model.fit(X, ward).predict_proba(X)
    assert proba.shape == (400, 3)
    assert (proba.argmax(axis=1) == ward).mean() > 0.8


@EACH
def test_history_is_a_row_per_epoch_and_json(wards, method):
    X, y, _ = wards
    rows = []
    model = quick(method).fit(X, y, on_step=rows.append)
    assert rows == model.history_
    assert {row["phase"] for row in rows} >= {"pretrain", "experts"}
    assert rows[-1]["validation_auprc"] > 0
    json.dumps(rows)


@EACH
def test_the_same_seed_gives_the_same_bits_and_leaves_torch_as_it_was(wards, method):
    X, y, _ = wards
    before = torch.get_rng_state()
    first, second = (quick(method).fit(X, y).predict_proba(X) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert torch.equal(before, torch.get_rng_state())
    assert not np.array_equal(first, quick(method, hidden=17).fit(X, y).predict_proba(X))


@pytest.fixture(scope="module")
def unstopped(wards):
    return {method: quick(method).fit(wards[0][:100], wards[1][:100]) for method in ALL}


@EACH
@pytest.mark.parametrize("stop_at", range(5))
def test_a_stopped_fit_goes_on_to_the_same_bits(wards, unstopped, method, stop_at):
    X, y, whole = wards[0][:100], wards[1][:100], unstopped[method]
    memory, seen = Memory(), []

    def stop(row):
        seen.append(row["phase"])
        if len(seen) > min(stop_at, 3 if method in (KMeansZ, GRASP) else 4):
            raise Stopped

    with pytest.raises(Stopped):
        quick(method).fit(X, y, on_step=stop, checkpoint=memory)
    resumed = quick(method).fit(X, y, checkpoint=memory)
    np.testing.assert_array_equal(resumed.predict_proba(X), whole.predict_proba(X))
    np.testing.assert_array_equal(resumed.labels_, whole.labels_)
    assert len(resumed.history_) == len(whole.history_)


@EACH
def test_state_through_safetensors_and_json_predicts_the_same_bits(wards, method):
    X, y, _ = wards
    model = quick(method).fit(X, np.array(["home", "died"])[y])
    arrays, meta, _ = model.get_state()
    again = method.from_state(load(save(arrays)), json.loads(json.dumps(meta)))
    for name in ("predict_proba", "predict", "predict_cluster", "embed"):
        np.testing.assert_array_equal(getattr(again, name)(X), getattr(model, name)(X))
    np.testing.assert_array_equal(again.centroids_, model.centroids_)
    assert again.get_params() == model.get_params()


@EACH
def test_more_clusters_than_kinds_of_patients_is_told_and_survived(method):
    X = np.repeat([[0.0, 0.0], [1.0, 1.0]], 40, axis=0)
    y = np.tile([0, 1], 40)
    model = quick(method, 4).fit(X, y)
    assert np.isfinite(model.predict_proba(X)).all()
    assert {n.code for n in model.notes_} & {"empty subtype", "revived"}


def test_a_cluster_with_one_outcome_gets_a_constant_risk_and_a_note():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(-6, 1, (150, 4)), rng.normal(6, 1, (150, 4))])
    y = np.r_[np.zeros(150, int), rng.integers(0, 2, 150)]
    model = quick(KMeansZ, 2).fit(X, y)
    assert any(note.code == "one outcome" for note in model.notes_)
    assert len(np.unique(model.predict_proba(X[:150])[:, 1])) == 1


def test_every_baseline_is_in_the_registry():
    found = [METHODS[n].estimator_class() for n in METHODS if "baselines" in METHODS[n].where]
    assert found == [*ALL, GRASPTS, ACTPCTS]
    assert all(m.help and m.title for m in METHODS.values())
