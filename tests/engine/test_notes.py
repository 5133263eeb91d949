from dataclasses import replace

import pytest

from cacviz.engine.notes import one_outcome_note, run_notes, verdict
from cacviz.engine.types import ClusterSummary, Control, Scored


def cluster(j, counts):
    rate = Scored(0.5, 0.4, 0.6)
    return ClusterSummary(j, sum(counts), counts, 40, (20, 20), (rate, rate))


def control(name, low, high):
    return Control(name, name.upper(), {}, Scored((low + high) / 2, low, high))


def test_healthy_subtypes_need_no_words():
    assert run_notes([cluster(0, (90, 30)), cluster(1, (80, 20))], ("no", "yes")) == ()


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((0, 0), "is empty"),
        ((50, 0), "one outcome only"),
        ((50, 6), "6 training patients with outcome “yes”"),
        ((12, 12), "holds only"),
    ],
)
def test_a_weak_subtype_is_named(counts, words):
    (note,) = run_notes([cluster(0, (900, 300)), cluster(1, counts)], ("no", "yes"))
    assert note.startswith("Subtype 2")
    assert words in note


def test_poor_routing_is_said():
    found = run_notes([cluster(0, (90, 30))], ("no", "yes"), routing_agreement=0.7)
    assert "70%" in found[0]


SUBTYPES = [cluster(0, (90, 30)), cluster(1, (80, 20))]


def said(controls, subtypes=SUBTYPES):
    return verdict(controls, subtypes, ("no", "yes"))


@pytest.mark.parametrize(
    ("controls", "helps"),
    [
        ([control("lr", 0.01, 0.05), control("gbm", 0.01, 0.02)], True),
        ([control("lr", 0.01, 0.05), control("gbm", -0.02, 0.02)], True),
        ([control("lr", 0.01, 0.05), control("gbm", -0.05, -0.02)], False),
        ([control("lr", -0.01, 0.05), control("gbm", -0.02, 0.01)], False),
        ([control("kmeans", -0.05, -0.01), control("lr", 0.01, 0.05)], True),
    ],
)
def test_the_verdict_looks_at_models_without_subtypes(controls, helps):
    assert ("does not help" not in said(controls)) == helps


def test_a_wide_interval_does_not_rule_a_gain_out():
    assert "nor ruled out" in said([control("lr", -0.05, 0.09), control("gbm", -0.04, 0.08)])


def test_what_one_subtype_does_as_well_is_the_methods_gain():
    own = Control("deepcac", "The same method with one subtype (k = 1)", {}, Scored(0, -0.01, 0.01))
    assert "comes from the method" in said([own, control("lr", 0.01, 0.05)])


def test_too_few_held_out_events_give_no_verdict():
    few = [replace(c, test_counts=(20, 1)) for c in SUBTYPES]
    words = said([control("lr", -0.3, -0.02)], few)
    assert words.startswith("Only 2 held-out patients have the outcome “yes”")
    assert "worse than" not in words.replace("worse than plain", "")


def test_scores_that_are_not_known_give_no_verdict():
    assert said([control("lr", float("nan"), float("nan"))]) == ""


def test_one_subtype_is_not_said_to_cluster():
    words = said([control("gbm", -0.05, -0.02)], [cluster(0, (90, 30))])
    assert "this model predicts" in words
    assert "Clustering" not in words


def test_a_subtype_with_few_events_is_no_collapse():
    found = [cluster(0, (40, 1)), cluster(1, (170, 60)), cluster(2, (48, 31))]
    notes = run_notes(found, ("no", "yes"), alpha=0.07, critical=0.05)
    assert not any("collapsed" in note for note in notes)
    assert any("1 training patient with outcome “yes”" in note for note in notes)


def test_subtypes_that_repeat_the_outcome_are_said_to_whatever_made_them():
    found = [cluster(0, (300, 2)), cluster(1, (4, 200))]
    assert "all but repeat the outcome" in run_notes(found, ("no", "yes"))[0]
    assert "collapsed" in run_notes(found, ("no", "yes"), alpha=0.5, critical=0.1)[0]


def test_the_same_thing_is_said_once():
    found = [cluster(0, (300, 90)), cluster(1, (40, 0))]
    notes = run_notes(found, ("no", "yes"), said=[one_outcome_note(1)])
    assert notes == (one_outcome_note(1),)
