"""A treatment's effect by subtype: by hand, under no interaction, under a planted one."""

import numpy as np
import pytest

from cacviz.engine.cohorts.choosing import with_roles
from cacviz.engine.cohorts.making import make_cohort, rechosen
from cacviz.engine.insights.material import Material
from cacviz.engine.insights.treated.effects import arm_effects, odds_ratio, risk_difference
from cacviz.engine.insights.treated.exact import exact_p, walk
from cacviz.engine.insights.treated.interacting import (
    interaction_of,
    main_effects,
    pearson,
    power_of,
)
from cacviz.engine.insights.treated.treating import adjusted, arms_of, reference_of, treat_run
from cacviz.engine.insights.treated.types import EVERYBODY, Interaction, TreatmentView
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running.fitting import fit_run
from cacviz.engine.types import Column, Outcome, RunConfig

FLAT = np.array([[0.2, 0.1], [0.2, 0.1]])
CROSSED = np.array([[0.15, 0.35], [0.35, 0.15]])


def test_effects_by_hand():
    """15 of 56 against 20 of 48; Newcombe's interval and Woolf's."""
    gap = risk_difference(56, 15, 48, 20)
    assert gap.value == pytest.approx(15 / 56 - 20 / 48)
    assert (gap.low, gap.high) == pytest.approx((-0.3203, 0.0324), abs=1e-3)
    ratio = odds_ratio(56, 15, 48, 20)
    assert ratio.value == pytest.approx(15 * 28 / (41 * 20))
    assert ratio.low < ratio.value < ratio.high
    assert np.isfinite(odds_ratio(10, 0, 10, 3).value)
    assert np.isnan(risk_difference(0, 0, 5, 1).value)


def test_everybody_stands_before_the_subtypes():
    n, events = np.array([[10, 20], [30, 40]]), np.array([[1, 2], [3, 8]])
    found = arm_effects(n, events, reference=0)
    assert [e.cluster for e in found] == [EVERYBODY, 0, 1]
    assert (found[0].n, found[0].events, found[0].n_reference) == (60, 10, 40)


def called(risks, n, draws, seed=0):
    rng = np.random.default_rng(seed)
    table = np.full(risks.shape, n)
    found = [interaction_of(table, rng.binomial(table, risks), seed=i) for i in range(draws)]
    return np.mean([f is not None and f.p < 0.05 for f in found])


@pytest.mark.heavy
def test_no_interaction_is_rarely_called():
    even = np.array([[0.3, 0.2], [0.3, 0.2]])
    assert called(even, 150, 300) <= 0.09


@pytest.mark.heavy
def test_a_planted_interaction_is_found_as_often_as_theory_says():
    n = 60
    expected = power_of(np.full((2, 2), float(n)), CROSSED)
    assert expected > 0.8
    assert called(CROSSED, n, 150) == pytest.approx(expected, abs=0.1)


def test_small_cells_get_the_exact_test_and_empty_ones_are_no_test():
    n, events = np.array([[12, 11], [10, 13]]), np.array([[1, 5], [4, 2]])
    found = interaction_of(n, events)
    assert found.how == "exact"
    assert found.p == pytest.approx(every_table_p(n, events), abs=0.03)
    assert interaction_of(np.array([[10, 0], [12, 0]]), np.array([[1, 0], [2, 0]])) is None
    assert interaction_of(n, np.zeros((2, 2), dtype=int)) is None
    assert interaction_of(n, np.array([[1, 4], [3, 1]])) is None  # nine events


def every_table_p(n, events):
    """Of two groups and two arms: every table with these margins, counted."""
    from math import comb

    rows, columns = events.sum(axis=1), events.sum(axis=0)
    fitted, weights, found = main_effects(n.astype(float), events.astype(float)), [], []
    for first in range(int(rows.sum()) + 1):
        table = np.array([[first, rows[0] - first], [columns[0] - first, 0]])
        table[1, 1] = rows[1] - table[1, 0]
        if (table >= 0).all() and (table <= n).all():
            weights.append(
                np.prod([comb(int(a), int(b)) for a, b in zip(n.flat, table.flat, strict=True)])
            )
            found.append(pearson(n, table, fitted))
    weights, found = np.array(weights, dtype=float), np.array(found)
    return weights[found >= pearson(n, events, fitted) - 1e-9].sum() / weights.sum()


@pytest.mark.heavy
def test_rare_events_in_small_cells_are_not_called_too_often():
    """Forty patients a cell and 6% events: fewer than three expected in each."""
    n, rng = np.full((3, 2), 40), np.random.default_rng(0)
    found = [exact_of(n, rng.binomial(n, 0.06), seed) for seed in range(40)]
    assert np.mean(np.array(found) < 0.05) <= 0.06


def exact_of(n, events, seed):
    fitted = main_effects(n.astype(float), events.astype(float))
    return exact_p(n, events, lambda tables: pearson(n, tables, fitted), seed)


def test_a_walk_leaves_the_margins_alone_and_cells_possible():
    n = np.array([[12, 9, 0], [10, 13, 4], [3, 30, 8]])
    events = np.array([[1, 5, 0], [4, 2, 1], [0, 9, 2]])
    drawn = walk(n, np.repeat(events[None], 50, axis=0), np.random.default_rng(0))
    assert (drawn.sum(axis=1) == events.sum(axis=0)).all()
    assert (drawn.sum(axis=2) == events.sum(axis=1)).all()
    assert (drawn >= 0).all()
    assert (drawn <= n).all()
    assert len(np.unique(drawn, axis=0)) > 10


def test_more_patients_tell_smaller_gaps():
    few = interaction_of(np.full((2, 2), 60), np.array([[12, 12], [12, 12]]))
    many = interaction_of(np.full((2, 2), 600), np.array([[120, 120], [120, 120]]))
    assert many.factor < few.factor
    assert many.power > few.power


@pytest.mark.heavy
def test_power_is_that_of_odds_ratios_a_factor_of_two_apart():
    """Odds of 1/4 and an odds ratio of √2 in one subtype, 1/√2 in the other; then drawn."""
    n, odds = np.full((2, 2), 300), np.array([[0.25, 0.25 * 2**0.5], [0.25, 0.25 / 2**0.5]])
    found = interaction_of(n, np.full((2, 2), 60))
    assert found.power == pytest.approx(power_of(n.astype(float), odds / (1 + odds)), abs=1e-6)
    assert called(odds / (1 + odds), 300, 200) == pytest.approx(found.power, abs=0.1)
    apart = np.array([[1.0, found.factor**0.5], [1.0, found.factor**-0.5]]) / 4
    assert power_of(n.astype(float), apart / (1 + apart)) == pytest.approx(0.8, abs=0.03)


def test_one_common_odds_ratio_is_no_interaction_though_risk_differences_differ():
    odds = np.array([[0.1, 0.3], [0.7, 2.1]])
    risks = odds / (1 + odds)
    assert abs(np.diff(np.diff(risks, axis=1)[:, 0])[0]) > 0.1
    assert power_of(np.full((2, 2), 5000.0), risks) == pytest.approx(0.05, abs=0.001)


@pytest.fixture(scope="module")
def trial():
    """600 patients of two kinds, two arms at random; the drug helps one kind, harms the other."""
    rng = np.random.default_rng(0)
    kind, arm = rng.integers(0, 2, 600), rng.integers(0, 2, 600)
    import pandas as pd

    frame = pd.DataFrame({f"x{i}": rng.normal(4 * kind, 1) for i in range(4)})
    frame["arm"] = np.where(arm == 1, "drug", "placebo")
    risk = np.array([[0.2, 0.7], [0.7, 0.2]])[kind, arm]
    frame["died"] = (rng.random(600) < risk).astype(int)
    columns = [
        *(Column(f"x{i}", "number") for i in range(4)),
        Column("arm", "category", role="treatment"),
        Column("died", "yesno"),
    ]
    return make_cohort("trial", frame, columns, Outcome("died"))


@pytest.fixture(scope="module")
def run(trial):
    return fit_run(split_cohort(trial, 0), RunConfig("kmeans", 2))


def test_a_trial_shows_what_was_planted(trial, run):
    assert "arm" not in run.preparation.sources_  # the treatment makes no subtype
    found = treat_run(Material(trial, run))
    assert found.arms[found.reference] == "placebo"
    assert sum(map(sum, found.counts)) == (run.part == 2).sum()
    (view,) = found.views
    assert view.interaction.p < 0.001
    by_subtype = [e.difference.value for e in view.effects if e.cluster != EVERYBODY]
    assert min(by_subtype) < -0.2 < 0.2 < max(by_subtype)
    assert found.n_features == 4
    assert all(s is None for s in found.survival)


def test_held_out_patients_alone_are_counted(trial, run):
    from dataclasses import replace

    y = trial.y.copy()
    y[run.part != 2] = 1 - y[run.part != 2]
    other = replace(trial, y=y)
    assert treat_run(Material(other, run)) == treat_run(Material(trial, run))


def test_without_a_treatment_there_is_nothing(trial, run):
    none = rechosen(trial, with_roles(trial.choices, {"arm": "left out"}))
    assert treat_run(Material(none, run)) is None


def test_arms_have_an_order_and_a_reference(trial):
    codes, arms = arms_of(trial, "arm")
    assert len(arms) == 2
    assert set(codes) == {0, 1}
    assert reference_of(("0", "1", "2")) == 0
    assert reference_of(("drug A", "standard care")) == 1
    assert reference_of(("yes", "no")) == 1


@pytest.mark.parametrize(
    ("arms", "reference"),
    [
        (("Drug + standard care", "Placebo + standard care"), 1),
        (("Active, standard dose", "Placebo"), 1),
        (("Eplerenone", "Usual care"), 1),
        (("Control", "Drug"), 0),
    ],
)
def test_a_word_that_several_arms_have_names_no_reference(arms, reference):
    assert reference_of(arms) == reference


def test_tests_of_several_classes_are_adjusted_for_their_number():
    tested = [Interaction(p, 4.0, 1, 100, "chi-square") for p in (0.03, 0.01, 0.6)]
    views = [TreatmentView(c, (), f) for c, f in enumerate([*tested, None])]
    found = adjusted(views)
    assert [v.interaction.p for v in found[:3]] == pytest.approx([0.06, 0.03, 0.6])
    assert {v.interaction.tests for v in found[:3]} == {3}
    assert found[3].interaction is None
    assert adjusted(views[:1])[0].interaction == tested[0]
