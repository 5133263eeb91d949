"""DeepCAC: its laws, and going on after a stop."""

import copy
import json

import numpy as np
import pytest
import torch
from safetensors.numpy import load, save

from cacviz.engine.deep.clustering import move, paper_loss
from cacviz.engine.deep.deepcac import DeepCAC
from cacviz.engine.exceptions import Stopped
from cacviz.engine.metrics import auc

QUICK = {"pretrain_epochs": 2, "epochs": 3, "expert_epochs": 3, "hidden": 16}
ROUTINGS = pytest.mark.parametrize("routing", ["hard", "soft"])


class Memory:
    """A checkpoint that keeps the last state, through the formats of the run store."""

    def __init__(self):
        self.saved = None

    def load(self):
        return None if self.saved is None else (load(self.saved[0]), json.loads(self.saved[1]))

    def save(self, arrays, meta):
        self.saved = save(arrays), json.dumps(meta)


@pytest.fixture(scope="module")
def wards():
    """Three kinds of patients; which feature matters differs between them; some values missing."""
    rng = np.random.default_rng(0)
    ward = rng.integers(0, 3, 600)
    X = rng.normal(size=(600, 6))
    X[:, 3:] += 4 * np.eye(3)[ward]
    y = (X[np.arange(600), ward] + 0.5 * rng.normal(size=600) > 0).astype(int)
    X[rng.random(X.shape) < 0.05] = np.nan
    return X, y, ward


def _quick(routing="soft", **more):
    return DeepCAC(3, routing=routing, random_state=0, **(QUICK | more))


@pytest.fixture(scope="module")
def fitted(wards):
    """What several tests look at: by routing, a quick fit with the rows that it reported."""
    X, y, _ = wards
    made = {routing: (_quick(routing), []) for routing in ("hard", "soft")}
    return {r: (model.fit(X, y, on_step=rows.append), rows) for r, (model, rows) in made.items()}


@pytest.fixture(scope="module")
def named(wards):
    """The same where outcomes have names, by routing."""
    X, y, _ = wards
    return {r: _quick(r).fit(X, np.array(["home", "died"])[y]) for r in ("hard", "soft")}


@pytest.mark.heavy
@ROUTINGS
def test_a_trained_model_ranks_new_patients_of_all_wards(wards, routing):
    X, y, _ = wards
    model = DeepCAC(3, routing=routing, random_state=0, epochs=15)
    proba = model.fit(X[:450], y[:450]).predict_proba(X[450:])
    np.testing.assert_allclose(proba.sum(axis=1), 1, atol=1e-5)
    assert auc(y[450:], proba) > {"hard": 0.7, "soft": 0.8}[routing]  # about 340 patients learn


@ROUTINGS
def test_clusters_alone_are_those_of_the_whole_fit(wards, fitted, routing):
    X, y, _ = wards
    (whole, _), alone = fitted[routing], _quick(routing).fit_clusters(X, y)
    assert np.array_equal(alone.labels_, whole.labels_)
    assert {row["phase"] for row in alone.history_} < {row["phase"] for row in whole.history_}


@ROUTINGS
def test_shapes_and_attributes(wards, named, routing):
    X, model = wards[0], named[routing]
    assert model.labels_.shape == (600,)
    assert model.centroids_.shape == (3, 32)
    assert model.classes_.tolist() == ["died", "home"]
    assert model.embed(X).shape == (600, 32)
    member = model.membership(X)
    np.testing.assert_allclose(member.sum(axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(member.argmax(axis=1), model.predict_cluster(X))
    np.testing.assert_array_equal(model.labels_, model.predict_cluster(X))
    assert set(model.predict(X)) <= {"died", "home"}


@pytest.mark.heavy
@ROUTINGS
def test_three_outcomes(wards, routing):
    X, _, ward = wards
    model = DeepCAC(2, routing=routing, random_state=0, epochs=8, expert_epochs=15)
    proba = model.fit(X, ward).predict_proba(X)
    assert proba.shape == (600, 3)
    assert (proba.argmax(axis=1) == ward).mean() > 0.8


@ROUTINGS
def test_history_has_a_row_per_epoch_with_every_term(fitted, routing):
    model, rows = fitted[routing]
    assert rows == model.history_
    phases = [row["phase"] for row in rows]
    assert phases[:2] == ["pretrain"] * 2
    assert {"cluster", "experts"} < set(phases)
    row = next(r for r in rows if r["phase"] == "cluster")
    assert {"reconstruction", "compactness", "separation", "silhouette"} < set(row)
    assert sum(row["sizes"]) == 450
    np.testing.assert_allclose(np.sum(row["ratios"], axis=1), 1, atol=1e-6)
    assert 0 < row["validation_auprc"] <= 1
    json.dumps(rows)


@ROUTINGS
def test_the_same_seed_gives_the_same_bits_and_leaves_torch_as_it_was(wards, fitted, routing):
    X, y, _ = wards
    before, threads = torch.get_rng_state(), torch.get_num_threads()
    first, second = (m.predict_proba(X) for m in (fitted[routing][0], _quick(routing).fit(X, y)))
    np.testing.assert_array_equal(first, second)
    assert torch.equal(before, torch.get_rng_state())
    assert torch.get_num_threads() == threads
    other = _quick(routing).set_params(random_state=1).fit_clusters(X, y)
    assert not np.array_equal(fitted[routing][0].centroids_, other.centroids_)


@pytest.fixture(scope="module")
def unstopped(wards):
    return {r: _quick(r).fit(wards[0][:120], wards[1][:120]) for r in ("hard", "soft")}


@pytest.mark.heavy
@ROUTINGS
@pytest.mark.parametrize("stop_at", range(8))
def test_a_stopped_fit_goes_on_to_the_same_bits(wards, unstopped, routing, stop_at):
    X, y, whole = wards[0][:120], wards[1][:120], unstopped[routing]
    memory, seen = Memory(), []

    def stop(row):
        seen.append(row["phase"])
        if len(seen) > stop_at:
            raise Stopped

    with pytest.raises(Stopped):
        _quick(routing).fit(X, y, on_step=stop, checkpoint=memory)
    resumed = _quick(routing).fit(X, y, checkpoint=memory)
    np.testing.assert_array_equal(resumed.predict_proba(X), whole.predict_proba(X))
    np.testing.assert_array_equal(resumed.centroids_, whole.centroids_)
    assert _without_time(resumed.history_) == _without_time(whole.history_)


def _without_time(rows):
    return [{k: v for k, v in row.items() if "seconds" not in k} for row in rows]


@ROUTINGS
def test_state_through_safetensors_and_json_predicts_the_same_bits(wards, named, routing):
    X, model = wards[0], named[routing]
    arrays, meta, _ = model.get_state()
    again = DeepCAC.from_state(load(save(arrays)), json.loads(json.dumps(meta)))
    for method in ("predict_proba", "predict", "predict_cluster", "embed", "membership"):
        np.testing.assert_array_equal(getattr(again, method)(X), getattr(model, method)(X))
    np.testing.assert_array_equal(again.labels_, model.labels_)
    np.testing.assert_array_equal(again.centroids_, model.centroids_)
    assert again.history_ == model.history_
    assert again.get_params() == model.get_params()


@pytest.mark.parametrize(("weight", "place"), [("alpha", 2), ("beta", 1)])
def test_a_weight_of_zero_removes_just_its_own_term(weight, place):
    terms = torch.tensor([1.0, 10.0, 100.0])
    weights = {"alpha": 5.0, "beta": 20.0}
    without = terms.clone()
    without[place] = 0
    assert paper_loss(terms, **(weights | {weight: 0.0})) == paper_loss(without, **weights)
    assert paper_loss(terms, **weights) == 1 + 20 * 10 + 5 * 100  # as typed, no hidden factors


def test_hard_routing_asks_the_nearest_expert_alone(wards, fitted):
    X, (model, _) = wards[0], fitted["hard"]
    member = model.membership(X)
    np.testing.assert_array_equal(member.max(axis=1), 1)
    np.testing.assert_array_equal(member.argmax(axis=1), model.predict_cluster(X))


def test_centroids_move_by_cumulative_counts(fitted):
    """The closed form equals the update one patient at a time, step 1/count."""
    network = copy.deepcopy(fitted["hard"][0].network_)
    network.counts.copy_(torch.tensor([100.0, 300.0, 7.0]))
    centroids, counts = network.centroids.detach().clone(), network.counts.clone()
    z, labels = torch.randn(40, 32), torch.randint(0, 2, (40,))
    for point, j in zip(z, labels, strict=True):
        counts[j] += 1
        centroids[j] += (point - centroids[j]) / counts[j]
    with torch.no_grad():
        move(network, z, labels)
    torch.testing.assert_close(network.centroids.detach(), centroids, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(network.counts, counts)


@ROUTINGS
def test_more_clusters_than_kinds_of_patients_is_told_and_survived(routing):
    X = np.repeat([[0.0, 0.0], [1.0, 1.0]], 40, axis=0)
    y = np.tile([0, 1], 40)
    model = DeepCAC(4, routing=routing, random_state=0, **QUICK).fit(X, y)
    assert np.isfinite(model.predict_proba(X)).all()
    assert {n.code for n in model.notes_} & {"empty subtype", "revived"}


def test_a_cluster_with_one_outcome_is_told_and_has_a_low_risk():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(-6, 1, (150, 4)), rng.normal(6, 1, (150, 4))])
    y = np.r_[np.zeros(150, int), rng.integers(0, 2, 150)]
    model = DeepCAC(2, routing="hard", random_state=0, **(QUICK | {"expert_epochs": 30})).fit(X, y)
    assert any(note.code == "one outcome" for note in model.notes_)
    calm = model.predict_proba(X[:150])[:, 1]
    assert calm.min() > 0
    assert calm.mean() < 0.1


def test_validation_patients_may_be_given(wards):
    X, y, _ = wards
    model = _quick().fit(X[:400], y[:400], validation=(X[400:], y[400:]))
    assert len(model.labels_) == 400
    assert all(sum(row["sizes"]) == 400 for row in model.history_ if "sizes" in row)
    with pytest.raises(ValueError, match="classes that training has not"):
        _quick().fit(X[:400], y[:400], validation=(X[400:], y[400:] + 1))


def test_one_class_and_too_few_patients_are_refused_with_a_reason(wards):
    X = wards[0]
    with pytest.raises(ValueError, match="one class"):
        _quick().fit(X, np.zeros(600))
    with pytest.raises(ValueError, match="n_clusters=3"):
        _quick().fit(X[:2], [0, 1])


def test_a_table_that_tells_nobody_apart_is_refused():
    with pytest.raises(ValueError, match="tells patients apart"):
        _quick().fit(np.ones((20, 3)), [0, 1] * 10)
