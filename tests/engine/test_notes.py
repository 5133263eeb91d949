import pytest

from cacviz.engine.notes import run_notes, verdict
from cacviz.engine.types import ClusterSummary, Control, Scored


def cluster(j, counts):
    rate = Scored(0.5, 0.4, 0.6)
    return ClusterSummary(j, sum(counts), counts, 10, (5, 5), (rate, rate))


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


@pytest.mark.parametrize(
    ("controls", "helps"),
    [
        ([control("lr", 0.01, 0.05), control("gbm", 0.01, 0.02)], True),
        ([control("lr", 0.01, 0.05), control("gbm", -0.02, 0.02)], True),
        ([control("lr", 0.01, 0.05), control("gbm", -0.05, -0.02)], False),
        ([control("lr", -0.01, 0.05), control("gbm", -0.02, 0.02)], False),
        ([control("kmeans", -0.05, -0.01), control("lr", 0.01, 0.05)], True),
    ],
)
def test_the_verdict_looks_at_models_without_subtypes(controls, helps):
    assert ("does not help" not in verdict(controls)) == helps
