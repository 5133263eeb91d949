"""The rule on a card: learned on training patients, judged on others, and done by hand."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.exceptions import CohortError, ConfigError
from cacviz.engine.insights.bedside.applying import apply_rule
from cacviz.engine.insights.bedside.choosing import order_variables
from cacviz.engine.insights.bedside.making import _with_gaps, bedside_rule
from cacviz.engine.insights.bedside.points import points_rule
from cacviz.engine.insights.bedside.trees import tree_rule
from cacviz.engine.insights.bedside.types import Band, Leaf, Line, Rule, Wish
from cacviz.engine.insights.bedside.variables import Variable, _answers, readable, variables_of
from cacviz.engine.insights.material import Material
from cacviz.engine.preparation.preparing import Preparation
from cacviz.engine.scoring.agreement import cohens_kappa
from cacviz.engine.types import Column, Outcome
from cacviz.wording.rules import rule_text


@pytest.fixture(scope="module")
def material(demo, demo_run):
    return Material(demo, demo_run)


@pytest.fixture(scope="module")
def found(material):
    return bedside_rule(material, Wish())


def a_number(name, values):
    values = np.asarray(values, dtype=float)
    return Variable(name, name, "", "number", (), values, float(np.median(values)), (0,))


def test_kappa_is_cohens():
    assert cohens_kappa(np.array([[20, 5], [10, 15]])) == pytest.approx(0.4)
    assert cohens_kappa(np.array([[3, 0], [0, 4]])) == 1
    assert cohens_kappa(np.array([[5.0, 5.0], [5.0, 5.0]])) == 0


@pytest.mark.heavy
def test_five_variables_of_the_demo_stand_in_for_the_run(found):
    assert len(found.rule.lines) <= 5
    assert found.agreement.kappa.value >= 0.8
    assert found.agreement.kappa.low < found.agreement.kappa.value < found.agreement.kappa.high
    assert sum(found.sizes) == found.agreement.n
    assert len(found.agreement.sensitivity) == len(found.agreement.ppv) == 3


def test_what_is_told_is_what_the_rule_gives_on_held_out_patients(material, found):
    variables, _ = variables_of(
        material.fitted.preparation, material.cohort.frame, material.cohort.columns, material.train
    )
    said = apply_rule(found.rule, variables)[material.test]
    routed = material.routed[material.test]
    assert found.agreement.same.value == pytest.approx((said == routed).mean())
    assert found.agreement.sensitivity[1].value == pytest.approx((said == 1)[routed == 1].mean())
    assert found.agreement.ppv[2].value == pytest.approx((routed == 2)[said == 2].mean())
    y = material.cohort.y[material.test]
    assert found.rates[0][1].value == pytest.approx(y[said == 0].mean())


def test_held_out_patients_have_no_say_in_the_rule(material, found):
    frame = material.cohort.frame.copy()
    numbers = [c.name for c in material.cohort.columns if c.kind == "number"]
    shuffled = frame[numbers].iloc[np.random.default_rng(0).permutation(material.test)]
    frame.loc[material.test, numbers] = shuffled.to_numpy()
    other = Material(replace(material.cohort, frame=frame), material.fitted)
    assert bedside_rule(other, Wish()).rule == found.rule


def test_a_vetoed_variable_is_not_in_the_rule_and_its_price_is_told(material, found):
    gone = found.rule.variables[:2]
    without = bedside_rule(material, Wish(most=3, without=gone))
    assert not set(gone) & set(without.rule.variables)
    assert not any(set(gone) & set(p.variables) for p in without.prices)
    assert len(without.rule.lines) <= 3
    assert without.unrestricted is not None
    assert found.unrestricted is None


def test_more_variables_are_priced_up_to_six(found):
    assert max(p.n_variables for p in found.prices) == 6
    by_points = [p.learned for p in found.prices if p.form == "points"]
    assert by_points[0] < by_points[-1]


def test_the_form_can_be_chosen(material):
    tree = bedside_rule(material, Wish(most=2, form="tree"))
    assert tree.rule.form == "tree"
    assert {p.form for p in tree.prices} == {"tree"}
    assert all(len(leaf.bands) <= 3 for leaf in tree.rule.leaves)


def test_what_cannot_be_is_said(material):
    with pytest.raises(CohortError, match="no column"):
        bedside_rule(material, Wish(without=("Agee",)))
    with pytest.raises(ConfigError, match="1 to 6"):
        bedside_rule(material, Wish(most=9))
    with pytest.raises(ConfigError, match="No variable is left"):
        bedside_rule(material, Wish(without=tuple(material.cohort.names("feature"))))


def test_one_subtype_needs_no_rule(demo, demo_run):
    one = replace(demo_run.summary, clusters=demo_run.summary.clusters[:1])
    assert bedside_rule(Material(demo, replace(demo_run, summary=one)), Wish()) is None


def test_a_tree_asks_what_was_planted():
    rng = np.random.default_rng(0)
    age, noise = rng.normal(60, 10, 400), rng.normal(size=400)
    labels = (age > 65).astype(int)
    rule = tree_rule([a_number("age", age), a_number("noise", noise)], labels, np.arange(400), 2, 1)
    assert rule.variables == ("age",)
    first, second = rule.leaves
    assert first.bands[0][1].high == second.bands[0][1].low == pytest.approx(65, abs=0.6)
    assert (first.cluster, second.cluster) == (0, 1)


def test_points_find_the_levels_of_a_category():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, 300)
    unit = Variable("unit", "Unit", "", "category", ("A", "B", "C"), codes.astype(float), 0.0, (0,))
    labels = (codes == 1).astype(int)
    rule = points_rule([unit], labels, np.arange(300), 2)
    assert (apply_rule(rule, [unit]) == labels).all()
    assert sorted(level for band in rule.lines[0].bands for level in band.levels) == list("ABC")


def test_a_rule_by_hand():
    """Two variables, three patients, a pencil."""
    age, sex = a_number("age", [50, 65, 80]), a_number("sex", [0, 1, 0])
    old = (Band(high=60, points=(2, 0)), Band(60, points=(0, 1)))
    female = (Band(high=0, points=(0, 0)), Band(0, points=(3, 0)))
    lines = (
        Line("age", "Age", "", "number", "60", old),
        Line("sex", "Sex", "", "number", "0", female),
    )
    points = Rule("points", 2, lines, start=(0, 0))
    assert list(apply_rule(points, [age, sex])) == [0, 0, 1]
    leaves = (Leaf((("age", Band(high=60)),), 1, 1), Leaf((("age", Band(low=60)),), 0, 2))
    assert list(apply_rule(Rule("tree", 2, lines[:1], leaves), [age])) == [1, 0, 0]


def test_a_value_that_is_not_known_counts_as_typical_of_training_patients():
    frame = pd.DataFrame({"age": [40.0, 50, 60, np.nan, 900], "unit": ["A", "A", "B", None, "B"]})
    columns = [Column("age", "number"), Column("unit", "category"), Column("y", "yesno")]
    cohort = make_cohort("ward", frame.assign(y=[0, 1, 0, 1, 0]), columns, Outcome("y"))
    train = np.arange(3)
    prep = Preparation().fit(cohort.frame.iloc[train], cohort.columns, cohort.y[train])
    (age, unit), _ = variables_of(prep, cohort.frame, cohort.columns, train)
    assert age.values[3] == 50
    assert unit.levels[int(unit.values[3])] == "A"
    assert age.line().typical == "50"


def ventilated():
    """Half have minutes on the ventilator; who has any is one subtype, whatever their number."""
    rng = np.random.default_rng(0)
    there = rng.random(400) < 0.5
    minutes = np.where(there, rng.normal(2000, 600, 400).clip(60), np.nan)
    frame = pd.DataFrame({"vent": minutes, "age": rng.normal(60, 9, 400)})
    frame["died"] = rng.integers(0, 2, 400)
    columns = [Column("vent", "number", label="Ventilation", unit="min")]
    columns += [Column("age", "number"), Column("died", "yesno")]
    return make_cohort("icu", frame, columns, Outcome("died")), there


def test_of_a_column_with_many_gaps_a_card_asks_whether_there_is_a_value():
    cohort, there = ventilated()
    train = np.arange(300)
    prep = Preparation().fit(cohort.frame.iloc[train], cohort.columns, cohort.y[train])
    variables, _ = variables_of(prep, cohort.frame, cohort.columns, train)
    vent = next(v for v in variables if v.name == "vent")
    assert (vent.title, vent.levels) == ("Ventilation", ("has no value", "has a value"))
    assert np.array_equal(vent.values, there.astype(float))
    assert vent.line().typical == ""
    X, placed = _with_gaps(prep.transform(cohort.frame).X, variables, train)
    (chosen,) = order_variables(X[train], there[train].astype(int), placed, most=1)
    assert chosen.name == "vent"
    rule = tree_rule(placed, there.astype(int), train, 2, 1)
    assert np.array_equal(apply_rule(rule, placed), there)
    assert rule_text(rule).splitlines()[0] == "Ventilation has no value: Subtype 1"
    assert "what is typical" not in rule_text(rule)


@pytest.mark.parametrize(
    ("at", "values", "cut"),
    [
        (8.5, [3, 8, 9, 15], 8),
        (37.4583, np.linspace(35, 40, 50), 37.4),
        (1123.7, np.linspace(0, 4000, 99), 1100),
        (0.0213, np.linspace(0, 0.1, 99), 0.022),
    ],
)
def test_cut_points_are_written_as_a_person_would(at, values, cut):
    assert readable(at, np.asarray(values, dtype=float)) == pytest.approx(cut, rel=0.03)


def test_a_card_says_the_words_of_a_sex_and_never_yes():
    assert _answers(pd.Series([0, 1, 1]), "gender") == ("0", "1")
    assert _answers(pd.Series(["no", "yes"]), "smoker") == ("no", "yes")
    assert _answers(pd.Series([0, 1]), "smoker") == ("no", "yes")
