import subprocess
import sys

import numpy as np
import pytest

from cacviz.engine.insights.contrasts import features_of
from cacviz.engine.insights.maps import (
    map_patients,
    place,
    stratified_sample,
    umap_positions,
)
from cacviz.engine.insights.material import Material
from cacviz.engine.insights.selection import NO_RULE, as_rule, describe_selection
from cacviz.engine.insights.separation import silhouettes_by_patient


@pytest.fixture(scope="module")
def space(demo, demo_run):
    return Material(demo, demo_run).space


@pytest.fixture(scope="module")
def mapped(demo, demo_run, space):
    return map_patients(space, "features", demo_run.clusters, demo.y, demo_run.part)


@pytest.mark.heavy
def test_neighbours_stay_neighbours_and_the_seed_decides(space, mapped):
    rows, positions = mapped.rows, mapped.positions
    assert positions.shape == (len(rows), 2)
    assert np.isfinite(positions).all()
    again = umap_positions(space[rows], seed=0)
    assert (again == positions).all()
    near = np.linalg.norm(space[rows] - space[rows[0]], axis=1).argsort()[1:6]
    far = np.linalg.norm(positions - positions[0], axis=1)
    assert far[near].mean() < np.median(far) / 2


def test_a_known_patient_is_placed_where_it_is(space, mapped):
    placed = place(mapped, space[mapped.rows], space[mapped.rows[:50]])
    moved = np.linalg.norm(placed - mapped.positions[:50], axis=1)
    assert np.median(moved) < 0.2 * np.ptp(mapped.positions)


def test_a_sample_keeps_every_share():
    strata = np.repeat([0, 1, 2], [9000, 900, 100])
    drawn = stratified_sample(np.arange(10_000), strata, 1000)
    assert len(np.unique(drawn)) == 1000
    assert np.bincount(strata[drawn]) == pytest.approx([900, 90, 10], abs=1)


def test_silhouettes_by_patient_are_scikit_learns(demo_run, space):
    from sklearn.metrics import silhouette_samples

    train = np.flatnonzero(demo_run.part == 0)
    made = silhouettes_by_patient(space, demo_run.clusters, train, 3)
    expected = silhouette_samples(space[train].astype(float), demo_run.clusters[train])
    assert made.values == pytest.approx(expected, abs=1e-4)
    assert made.mean == pytest.approx(expected.mean(), abs=1e-5)
    assert silhouettes_by_patient(space, np.zeros(len(space), int), train, 1) is None


def test_a_selection_is_told_by_what_makes_it_differ(wards):
    cohort, ward = wards
    rows = np.flatnonzero(ward == 1)
    made = describe_selection(features_of(cohort), ward, 2, rows)
    assert (made.n, made.n_other) == (60, 60)
    assert made.by_cluster == (0, 60)
    assert made.differences[0].title == "Age"
    rule = as_rule(cohort, rows)
    assert "Age >" in rule.text
    assert "years" in rule.text
    assert rule.precision > 0.7
    assert rule.recall > 0.7


def test_two_sets_can_be_compared(wards):
    cohort, ward = wards
    made = describe_selection(features_of(cohort), ward, 2, np.arange(30), np.arange(60, 100))
    assert (made.n, made.n_other) == (30, 40)


def test_a_selection_of_three_is_counted_but_compared_with_nobody(wards):
    cohort, ward = wards
    made = describe_selection(features_of(cohort), ward, 2, [1, 2, 70])
    assert (made.n, made.n_other, made.by_cluster) == (3, 117, (2, 1))
    assert sum(made.by_class) == 3
    assert made.differences == ()
    assert as_rule(cohort, [1, 2, 70]) == NO_RULE


def test_a_rule_says_nothing_twice(wards):
    cohort, _ = wards
    rule = as_rule(cohort, np.flatnonzero(cohort.frame["age"] > 66))
    assert rule.text.startswith("Age > ")
    assert " and " not in rule.text
    assert " or " not in rule.text


def test_what_the_app_calls_loads_nothing_heavy():
    code = (
        "import sys; import cacviz.store.insights, cacviz.engine.insights.selection;"
        "heavy = {'torch', 'umap', 'numba', 'shap', 'sklearn', 'statsmodels', 'xgboost'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
