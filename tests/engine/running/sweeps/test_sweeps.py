"""A sweep's work: which cells there are, what each finds, and that nothing sees too much."""

import numpy as np
import pytest
from sklearn.metrics import silhouette_score

from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.exceptions import ConfigError
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running.studies import decode_clusters, encode_clusters, split_parts
from cacviz.engine.running.sweeps import plans
from cacviz.engine.running.sweeps.cells import _drawn, _halved, dealt_anew, run_sweep_cell
from cacviz.engine.running.sweeps.evidence import (
    COLUMNS,
    cell_of,
    consensus_at,
    evidence,
    flow_at,
    table_columns,
    table_rows,
    twin_scores,
)
from cacviz.engine.running.sweeps.plans import SweepCell, SweepPlan, check_plan, sweep_plan
from cacviz.engine.running.sweeps.running import run_sweep
from cacviz.engine.running.sweeps.stability import stability_of, word_of
from cacviz.engine.types import TEST, RunConfig

PLAN = SweepPlan(
    "kmeans", (1, 2, 3), seeds=2, resamples=3, halvings=1, twins=2, own_twins=2, permutations=2
)


@pytest.fixture(scope="module")
def cohort():
    return make_demo(400, seed=77)


@pytest.fixture(scope="module")
def rows(cohort):
    found = []
    run_sweep(cohort, PLAN, on_row=found.append)
    return found


def test_what_a_weight_cannot_change_is_fitted_once_and_said_for_each():
    plan = sweep_plan("cac", [1, 2], [0.0, 0.05], seeds=2)
    fits = [c for c in plan.cells() if c.kind == plans.FIT]
    assert [c for c in fits if c.clusters == 1] == [
        SweepCell(plans.FIT, 1, number=0),
        SweepCell(plans.FIT, 1, number=1),
    ]
    assert len(fits) == 2 * (1 + 2)


def test_an_alpha_for_a_method_without_one_is_refused():
    with pytest.raises(ConfigError, match="has no alpha"):
        sweep_plan("kmeans", [2], [1.0])
    with pytest.raises(ConfigError, match="finds no subtypes"):
        sweep_plan("lr")
    with pytest.raises(ConfigError, match="between 1 and"):
        sweep_plan("cac", [0])


def test_numbers_of_clusters_are_compared_at_the_default_or_the_middle_weight():
    assert sweep_plan("deepcac", [2]).base() == (None, None)
    own = sweep_plan("deepcac", [2]).config(SweepCell(plans.FIT, 2)).get("alpha")
    assert own is None
    assert sweep_plan("cac", [2], [0.3, 0.1, 0.2]).base()[0] == 0.2


def test_a_check_repeats_the_runs_own_settings():
    config = RunConfig("cac", 3, 5, alpha=0.02, expert="lda")
    plan = check_plan(config)
    fits = [c for c in plan.cells() if c.kind == plans.FIT]
    assert plan.config(fits[0]) == config
    assert plan.config(SweepCell(plans.RESAMPLE, 3, 0.02, None, 9)) == config


def test_every_cell_has_its_row_and_the_same_seed_gives_the_same(cohort, rows):
    assert [cell_of(row) for row in rows] == PLAN.cells()
    for kind in (plans.HALVES, plans.TWIN, plans.RESAMPLE):
        first = next(row for row in rows if row["kind"] == kind)
        again = run_sweep_cell(cohort, PLAN, cell_of(first))
        assert {**again, "seconds": 0} == {**first, "seconds": 0}


def test_what_is_done_is_not_done_again(cohort):
    found, cells = [], PLAN.cells()
    run_sweep(cohort, PLAN, done=cells[:-1], on_row=found.append)
    assert [cell_of(row) for row in found] == cells[-1:]


def test_halves_hold_no_held_out_patient_and_share_none(cohort):
    config = RunConfig("kmeans", 2, 3)
    held_out = set(split_cohort(cohort, 3).rows(TEST))
    first, second = (set(np.flatnonzero(s.part >= 0)) for s in _halved(cohort, config, 0))
    assert not first & second
    assert not (first | second) & held_out
    assert abs(len(first) - len(second)) <= 1


def test_whole_patients_are_drawn():
    class Parts:
        train = np.arange(6)
        train_patients = np.array([0, 0, 1, 1, 2, 2])

    drawn = _drawn(Parts, np.random.default_rng(0))
    counts = np.bincount(drawn, minlength=6)
    assert (counts[::2] == counts[1::2]).all()


def visits():
    """Patients with one to five rows, whose outcome is the same in all of them."""
    demo, rng = make_demo(400, seed=77), np.random.default_rng(0)
    patient = np.repeat(np.arange(400), rng.integers(1, 6, 400))[:400]
    outcome, who = demo.outcome.column, demo.names("patient id")[0]
    same = demo.frame[outcome].to_numpy()[patient]
    frame = demo.frame.assign(**{outcome: same, who: patient})
    return make_cohort("visits", frame, demo.columns, demo.outcome), patient


def test_outcomes_are_dealt_to_whole_patients():
    cohort, patient = visits()
    y = dealt_anew(cohort, np.random.default_rng(1))
    assert (y != cohort.y).any()
    n_rows = np.bincount(patient)
    first = np.unique(patient, return_index=True)[1]
    assert (y == y[first][patient]).all()
    for n in np.unique(n_rows):
        assert y[first][n_rows == n].sum() == cohort.y[first][n_rows == n].sum()


def test_outcomes_of_single_rows_are_shuffled_among_all(cohort):
    y = dealt_anew(cohort, np.random.default_rng(1))
    assert (y != cohort.y).any()
    assert (np.bincount(y) == np.bincount(cohort.y)).all()


@pytest.mark.parametrize("kind", [plans.TWIN, plans.OWN_TWIN])
def test_no_twin_is_drawn_of_patients_with_several_rows(kind):
    cohort, _ = visits()
    row = run_sweep_cell(cohort, PLAN, SweepCell(kind, 0, number=0))
    assert row["silhouettes"] == [None, None, None]
    assert twin_scores(PLAN, [row], 3, kind) == []


def test_evidence_has_each_k_with_what_was_looked_at(cohort, rows):
    one, two, three = evidence(PLAN, rows)
    assert (one.k, one.fits, one.resamples, one.n_twins) == (1, 2, 0, 0)
    assert three.resamples == 3
    assert three.n_twins == 2
    assert sum(three.sizes) == 400
    assert len(three.rates) == 3
    assert all(sum(line) == pytest.approx(1) for line in three.rates)
    assert 0 <= two.strength <= 1
    assert -0.5 <= three.seeds <= 1
    fits = [r for r in rows if (r["kind"], r["clusters"]) == (plans.FIT, 2)]
    assert two.auprc == np.mean([r["auprc_macro"] for r in fits])


def test_the_table_has_the_contracts_columns_and_a_jaccard_a_cluster(rows):
    table = table_rows(PLAN, rows)
    assert len(table) == 3 * 2
    assert set(COLUMNS) <= set(table[0])
    assert table_columns(PLAN)[-3:] == ["jaccard_1", "jaccard_2", "jaccard_3"]
    three = [r for r in table if r["clusters"] == 3]
    assert all(0 <= r[f"jaccard_{j}"] <= 1 for r in three for j in (1, 2, 3))
    assert "jaccard_1" not in table[0]


def test_flow_and_consensus_count_everybody(rows):
    assert flow_at(PLAN, rows, 2, 3).sum() == 400
    matrix = consensus_at(PLAN, rows, 2)
    assert matrix.shape == (120, 120)
    assert np.nanmax(matrix) == 1.0
    assert consensus_at(PLAN, rows, 1) is None


def test_a_check_says_what_was_found(rows):
    found = stability_of(PLAN, rows)
    assert found.k == 3
    assert [c.resamples for c in found.clusters] == [3, 3, 3]
    assert found.structure.p >= 1 / 3
    assert 0 < found.outcome.p <= 1
    assert [word_of(j) for j in (0.9, 0.75, 0.7, 0.6, 0.59)] == [
        *("stable", "stable", "pattern", "pattern", "not stable")
    ]


def test_clusters_travel_as_text():
    labels = np.array([0, 9, 10, 35, 36, 49, -1])
    assert (decode_clusters(encode_clusters(labels)) == labels).all()


def test_a_learned_embedding_is_not_what_twins_are_compared_by():
    cohort = make_demo(300, seed=5)
    plan = SweepPlan("deepcac", (3,), seeds=1, settings=(("epochs", 1), ("expert_epochs", 1)))
    row = run_sweep_cell(cohort, plan, plan.cells()[0])
    parts = split_parts(cohort, plan.config(plan.cells()[0]))
    labels = decode_clusters(row["assigned"])[parts.train]
    by_hand = silhouette_score(parts.prepared.X[parts.train], labels)
    assert row["in_features"] == pytest.approx(by_hand, abs=1e-6)
    assert row["in_features"] != row["silhouette"]
