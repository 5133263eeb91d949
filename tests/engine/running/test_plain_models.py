"""The controls: penalty chosen and trees stopped on folds left out, every patient used."""

import numpy as np
import pytest

from cacviz.engine.deep.deepcac import DeepCAC
from cacviz.engine.metrics import auc
from cacviz.engine.running.methods import METHODS, build_model
from cacviz.engine.running.plain_models import PENALTIES, GradientBoosting, PenalisedLogistic
from cacviz.engine.types import RunConfig


@pytest.fixture(scope="module")
def cohort():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 20))
    y = (X[:, 0] + rng.normal(size=600) > 0.8).astype(int)
    X[rng.random(X.shape) < 0.05] = np.nan
    return X, y


@pytest.mark.parametrize("kind", [PenalisedLogistic, GradientBoosting])
def test_it_ranks_new_patients_and_survives_its_state(cohort, kind):
    X, y = cohort
    model = kind(random_state=0).fit(X[:300], y[:300], validation=(X[300:400], y[300:400]))
    assert auc(y[400:], model.predict_proba(X[400:])) > 0.65
    assert len(model.labels_) == 300
    again = kind.from_state(*model.get_state())
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("kind", [PenalisedLogistic, GradientBoosting])
def test_validation_patients_teach_as_training_patients_do(cohort, kind):
    X, y = cohort
    apart = kind(random_state=0).fit(X[:300], y[:300], validation=(X[300:400], y[300:400]))
    together = kind(random_state=0).fit(X[:400], y[:400])
    np.testing.assert_array_equal(apart.predict_proba(X), together.predict_proba(X))


def test_a_penalty_is_chosen_and_noise_gets_the_heaviest(cohort):
    X, y = cohort
    rng = np.random.default_rng(1)
    noisy = PenalisedLogistic().fit(np.hstack([X, rng.normal(size=(600, 150))]), y)
    assert noisy.history_[0]["C"] < max(PENALTIES)


def test_trees_are_grown_four_times(cohort):
    X, y = cohort
    assert len(GradientBoosting(random_state=0).fit(X, y).models_) == 4
    few = np.r_[1, np.zeros(39, int)]  # one patient of a class: no fold can judge
    assert len(GradientBoosting(random_state=0).fit(X[:40], few).models_) == 1


@pytest.mark.parametrize("kind", [PenalisedLogistic, GradientBoosting])
def test_it_is_kept_without_running_code(cohort, kind):
    from cacviz.store.models import _from_skops, _to_skops

    X, y = cohort
    model = kind(random_state=0, max_iter=50).fit(X, y)
    arrays, meta, models = model.get_state()
    again = kind.from_state(arrays, meta, _from_skops(_to_skops(models)))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("name", ["kmeans", "plain", "lr", "gbm"])
def test_the_registry_knows_whose_risks_validation_patients_taught(name):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 4))
    y = (X[:, 0] + rng.normal(size=400) > 0).astype(int)
    said = []
    for flipped in (y[300:], 1 - y[300:]):
        model = build_model(RunConfig(method=name, n_clusters=2))
        model.fit(X[:300], y[:300], validation=(X[300:], flipped))
        said.append(model.predict_proba(X))
    assert METHODS[name].learns_from_validation != np.array_equal(*said)


def test_deepcac_has_learned_from_validation_patients_in_all_its_forms():
    deep = {name for name, m in METHODS.items() if issubclass(m.estimator_class(), DeepCAC)}
    assert deep == {"deepcac", "deepcac_ts"}
    taught = {name for name, m in METHODS.items() if m.learns_from_validation}
    assert taught == deep | {"lr", "gbm"}
