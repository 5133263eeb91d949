"""The rule in words."""

from dataclasses import replace

from cacviz.engine.insights.bedside.types import Agreement, Band, Bedside, Leaf, Line, Rule, Wish
from cacviz.engine.types import Scored
from cacviz.wording.rule_tables import agreement_table, card_table, price_table
from cacviz.wording.rules import agreement_parts, made_of, rates_apart, rule_text
from tests.wording.grammar import assert_sentence

BANDS = (Band(high=60, points=(2, 0)), Band(60, 70, points=(1, 1)), Band(70, points=(0, 3)))
AGE = Line("age", "Age", "years", "number", "64", BANDS)
UNIT = Line("unit", "Unit", "", "category", "A")
POINTS = Rule("points", 2, (AGE,), start=(1, 0))
LEAVES = (
    Leaf((("age", Band(high=60)),), 0, 9),
    Leaf((("age", Band(60)), ("unit", Band(levels=("A", "B")))), 1, 9),
)
TREE = Rule("tree", 2, (AGE, UNIT), LEAVES)


def made(rule, kappa, free=None, low=0.65):
    share = Scored(0.9, 0.8, 0.95)
    agreement = Agreement(50, Scored(kappa, low, 0.95), share, (share,) * 2, (share,) * 2)
    return Bedside(
        Wish(), rule, agreement, (), ((share,),) * 2, ((share,),) * 2, (25, 25), 100, free
    )


def test_points_are_told_band_by_band():
    text = rule_text(POINTS)
    assert "Everybody starts with 1 / 0" in text
    assert "Age (years): up to 60: 2 / 0; above 60 to 70: 1 / 1; above 70: 0 / 3" in text
    assert "what is typical counts: Age 64." in text


def test_a_tree_is_told_path_by_path():
    assert rule_text(TREE).splitlines()[:2] == [
        "Age up to 60 years: Subtype 1",
        "Age above 60 years and Unit (A or B): Subtype 2",
    ]


def test_tables_say_the_same():
    assert list(card_table(POINTS, ["a", "b"])["Subtype 2"]) == [0, 0, 1, 3]
    assert card_table(TREE, ["Subtype 1", "Renal"])["Then"].tolist() == ["Subtype 1", "Renal"]
    assert len(agreement_table(made(TREE, 0.9), ["a", "b"])) == 2
    assert price_table(made(TREE, 0.9)).empty


def test_what_follows_hangs_on_the_agreement():
    told = [agreement_parts(made(POINTS, kappa))[-1] for kappa in (0.85, 0.7, 0.3)]
    assert "stand in" in told[0]
    assert "fair likeness" in told[1]
    assert "do not fit on a card" in told[2]
    assert "stand in" not in agreement_parts(made(POINTS, 0.85, low=0.4))[-1]
    for part in agreement_parts(made(POINTS, 0.7, Scored(0.8, 0.7, 0.9))):
        assert_sentence(part)


def rates(*values):
    return tuple((Scored(1 - v, 0, 1), Scored(v, 0, 1)) for v in values)


def test_a_subtype_whose_outcome_is_another_by_the_rule_is_named():
    found = replace(made(TREE, 0.8), rates=rates(0.075, 0.2), model_rates=rates(0.122, 0.21))
    said = rates_apart(found, 1)
    assert_sentence(said)
    assert said == (
        "Placed by the rule, another share has the outcome: 7.5% instead of 12.2% in Subtype 1."
    )
    assert rates_apart(replace(found, rates=found.model_rates), 1) == ""


def test_subtypes_that_change_places_by_the_rule_are_named():
    found = replace(made(TREE, 0.8), rates=rates(0.05, 0.065), model_rates=rates(0.061, 0.049))
    said = rates_apart(found, 1)
    assert_sentence(said)
    assert "Subtype 1 has more of the outcome than Subtype 2 by the run, and less by" in said
    near = replace(found, rates=rates(0.055, 0.056))
    assert "and less by the rule" not in rates_apart(near, 1)


def test_a_rule_that_does_not_find_a_subtype_stands_in_for_nothing():
    good = made(POINTS, 0.85)
    none = replace(good.agreement, sensitivity=(Scored(0.0, 0.0, 0.39), Scored(0.9, 0.8, 0.95)))
    parts = agreement_parts(replace(good, agreement=none))
    assert "fewer than half of the patients of Subtype 1" in parts[-2]
    assert "stand in" not in parts[-1]
    for part in parts:
        assert_sentence(part)


def test_subtypes_that_are_two_columns_are_said_to_be():
    two = made(TREE, 0.97, low=0.92)
    said = made_of(two)
    assert_sentence(said)
    assert "little more than “Age” and “Unit”: by these two alone 90% of held-out" in said
    assert "by that alone" in made_of(made(POINTS, 0.97, low=0.92))
    assert made_of(made(TREE, 0.97, low=0.8)) == ""
    assert made_of(made(replace(TREE, lines=(AGE, UNIT, AGE)), 0.97, low=0.92)) == ""
