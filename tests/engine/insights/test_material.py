"""What insights share: patients as the run's method took them."""

from dataclasses import replace

import numpy as np
import pytest

from cacviz.engine.insights.material import Material
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running.fitting import fit_model, prepare
from cacviz.engine.types import TEST, TRAIN, RunConfig


@pytest.fixture(scope="module")
def material(demo, demo_run):
    return Material(demo, demo_run)


@pytest.fixture(scope="module")
def deep(demo, demo_run):
    """The run as if a deep method had made it, which takes longer with all its controls."""
    config = RunConfig("kmeans_z", 2, 3, pretrain_epochs=1, epochs=1, hidden=8, expert_hidden=4)
    preparation, parts = prepare(split_cohort(demo, 3), config)
    summary = replace(demo_run.summary, config=config)
    model = fit_model(parts, config)
    return Material(demo, replace(demo_run, summary=summary, preparation=preparation, model=model))


def test_parts_are_those_of_the_run(material, demo_run):
    assert material.n_clusters == 3
    assert material.seed == 0
    assert (demo_run.part[material.train] == TRAIN).all()
    assert (demo_run.part[material.test] == TEST).all()
    assert len(material.train) == (demo_run.part == TRAIN).sum()


def test_matrices_are_made_once(material):
    assert material.prepared is material.prepared
    assert material.space is material.space
    assert material.routed is material.routed


def test_a_method_that_fills_gaps_sees_the_prepared_features(material):
    assert not material.takes_gaps
    assert material.inputs is material.prepared.X
    assert np.isfinite(material.inputs).all()
    assert material.space_kind == "features"
    assert np.allclose(material.space, material.prepared.X)


@pytest.mark.heavy
def test_a_deep_method_takes_gaps_itself_and_groups_in_its_embedding(deep):
    assert deep.takes_gaps
    assert deep.inputs is deep.prepared.gaps
    assert np.isnan(deep.inputs).any()
    assert deep.space_kind == "embedding"
    assert deep.space.shape == (deep.cohort.n_patients, deep.fitted.model.embedding)
    assert deep.seed == 3


def test_routing_asks_no_outcome_and_repeats_what_the_run_routed(material, demo_run):
    others = demo_run.part != TRAIN
    assert (material.routed[others] == demo_run.clusters[others]).all()
    inside = demo_run.model.predict_cluster(material.prepared.X[material.train])
    assert (material.routed[material.train] == inside).all()
