"""Methods of series: the estimator's contract, its laws, and going on after a stop."""

import json

import numpy as np
import pytest
import torch
from safetensors.numpy import load, save

from cacviz.engine import ACTPCTS, GRASPTS, DeepCACTS
from cacviz.engine.exceptions import Stopped
from cacviz.engine.metrics import auc
from cacviz.engine.preparation.stays import Stays
from tests.engine.deep.sequences.courses import courses
from tests.engine.deep.test_deepcac import Memory

pytestmark = pytest.mark.heavy
QUICK = {"pretrain_epochs": 2, "epochs": 2, "expert_epochs": 2, "hidden": 8}
ALL = {
    "soft": (DeepCACTS, {"routing": "soft"}),
    "hard": (DeepCACTS, {"routing": "hard"}),
    "grasp": (GRASPTS, {}),
    "actpc": (ACTPCTS, {}),
}
EACH = pytest.mark.parametrize("name", ALL)
SAID = ("predict_proba", "predict", "predict_cluster", "embed")


def quick(name, k=2, **more):
    method, settings = ALL[name]
    return method(k, random_state=0, **(QUICK | settings | more))


@pytest.fixture(scope="module")
def stays():
    return courses()


@EACH
def test_shapes_attributes_and_names_of_classes(stays, name):
    X, y, _ = stays
    rows = []
    model = quick(name, 3).fit(X, np.array(["home", "died"])[y], on_step=rows.append)
    assert rows == model.history_
    json.dumps(rows)
    assert model.labels_.shape == (240,)
    assert model.centroids_.shape == (3, 32)
    assert model.classes_.tolist() == ["died", "home"]
    assert model.embed(X).shape == (240, 32)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(model.labels_, model.predict_cluster(X))
    assert set(model.predict(X)) <= {"died", "home"}


@pytest.fixture(scope="module")
def fitted(stays):
    """What several tests look at: a quick fit of each."""
    X, y, _ = stays
    return {name: quick(name).fit(X, y) for name in ALL}


@pytest.mark.parametrize("name", ["soft", "hard"])
def test_it_finds_the_courses_and_ranks_new_patients(name):
    X, y, course = courses(400)
    model = quick(name, pretrain_epochs=15, epochs=8, expert_epochs=15, hidden=32)
    model.set_params(learning_rate=0.002).fit(X[:300], y[:300])
    assert auc(y[300:], model.predict_proba(X[300:])) > 0.85
    alike = (model.predict_cluster(X[300:]) == course[300:]).mean()
    assert max(alike, 1 - alike) > 0.85


@EACH
def test_the_same_seed_gives_the_same_bits_and_leaves_torch_as_it_was(stays, fitted, name):
    X, y, _ = stays
    before = torch.get_rng_state()
    first, second = (model.predict_proba(X) for model in (fitted[name], quick(name).fit(X, y)))
    np.testing.assert_array_equal(first, second)
    assert torch.equal(before, torch.get_rng_state())
    other = quick(name).set_params(random_state=1).fit(X, y).predict_proba(X)
    assert not np.array_equal(first, other)


@EACH
@pytest.mark.parametrize("stop_at", [3, 6])
def test_a_stopped_fit_goes_on_to_the_same_bits(stays, name, stop_at):
    X, y = stays[0][:100], stays[1][:100]
    memory, seen = Memory(), []
    whole = quick(name).fit(X, y)

    def stop(row):
        seen.append(row["phase"])
        if len(seen) > min(stop_at, len(whole.history_) - 1):
            raise Stopped

    with pytest.raises(Stopped):
        quick(name).fit(X, y, on_step=stop, checkpoint=memory)
    resumed = quick(name).fit(X, y, checkpoint=memory)
    np.testing.assert_array_equal(resumed.predict_proba(X), whole.predict_proba(X))
    np.testing.assert_array_equal(resumed.labels_, whole.labels_)
    assert len(resumed.history_) == len(whole.history_)


@EACH
def test_state_through_safetensors_and_json_predicts_the_same_bits(stays, fitted, name):
    X, y, _ = stays
    both = Stays(X, np.column_stack([y + 0.1 * np.arange(240), np.arange(240) % 7]))
    for given, model in ((X, fitted[name]), (both, quick(name).fit(both, y))):
        arrays, meta, _ = model.get_state()
        again = type(model).from_state(load(save(arrays)), json.loads(json.dumps(meta)))
        for method in SAID:
            np.testing.assert_array_equal(
                getattr(again, method)(given), getattr(model, method)(given)
            )
        assert again.history_ == model.history_


def test_experts_read_static_features_beside_the_hours(stays):
    X, _, _ = stays
    rng = np.random.default_rng(0)
    static = rng.normal(size=(240, 2))
    y = (static[:, 0] > 0).astype(int)
    proba = quick("soft", expert_epochs=20).fit(Stays(X, static), y).predict_proba
    assert auc(y, proba(Stays(X, static))) > 0.9
    swapped = static[:, ::-1].copy()
    assert auc(y, proba(Stays(X, swapped))) < 0.7


def test_what_is_not_measured_may_hold_any_number_of_gaps(stays):
    X, y = stays[0].copy(), stays[1]
    X[:5] = np.nan  # nothing was measured of these
    X[:, :, 2] = np.nan  # nor this of anybody
    model = quick("soft").fit(X, y)
    assert np.isfinite(model.predict_proba(X)).all()
    assert np.isfinite(model.embed(X)).all()


@pytest.fixture(scope="module")
def simple(stays):
    X, y, _ = stays
    return quick("soft", pretrain_epochs=1, epochs=1, expert_epochs=1).fit(X[:60], y[:60])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda X: X[:, 0], "patients × hours × variables"),
        (lambda X: X[:, :5], "5 hours × 3 variables"),
        (lambda X: np.where(np.isnan(X), np.inf, X), "infinite"),
        (lambda X: Stays(X, np.ones((len(X), 1))), "1 static features"),
        (lambda X: Stays(X, np.ones((7, 1))), "7 rows of static"),
    ],
)
def test_other_shapes_are_refused_with_a_reason(stays, simple, change, said):
    with pytest.raises(ValueError, match=said):
        simple.predict_proba(change(stays[0]))
