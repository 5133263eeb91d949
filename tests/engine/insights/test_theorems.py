"""The theorems of a run: its own losses, between bounds that hold."""

import numpy as np
import pytest
from sklearn.metrics import log_loss

from cacviz.engine.insights.material import Material
from cacviz.engine.insights.theorems import prove_run


@pytest.fixture(scope="module")
def found(demo, demo_run):
    return prove_run(Material(demo, demo_run))


def test_every_subtype_lies_between_its_bounds(found, demo, demo_run):
    assert len(found.subtypes) == 3
    material = Material(demo, demo_run)
    for subtype in found.subtypes:
        rows = material.train[material.routed[material.train] == subtype.cluster]
        assert subtype.n == len(rows)
        proba = demo_run.model.predict_proba(material.inputs[rows])
        assert subtype.log_loss.loss == pytest.approx(log_loss(demo.y[rows], proba), abs=1e-9)
        bounds = subtype.log_loss
        assert bounds.lower <= bounds.tight <= bounds.loss <= bounds.upper


def test_theorem_1_speaks_of_the_run_s_own_logistic_regressions(found):
    assert found.own_experts
    for subtype in found.subtypes:
        assert subtype.general.loss == pytest.approx(subtype.log_loss.loss, abs=1e-6)
        assert subtype.held_out < subtype.general.bound
        assert subtype.general.void == (subtype.general.needed > subtype.n)
    assert found.one.n == sum(s.n for s in found.subtypes)
    assert found.one.bound < min(s.general.bound for s in found.subtypes)


def test_methods_without_class_vectors_have_no_theorem_3(found):
    assert all(subtype.margin is None for subtype in found.subtypes)
    assert np.isfinite([s.held_out for s in found.subtypes]).all()
