"""One rule for better, worse and no clear difference."""

import math

import numpy as np
import pytest

from cacviz.engine.running.places import places_of
from cacviz.engine.running.verdicts import conclude, run_verdict, standing_of, word_of
from cacviz.engine.types import ClusterSummary, Control, Place, Scored
from cacviz.wording.verdicts import verdict_sentence


def control(key, value, p, *, score=0.6, half=0.02):
    gap = Scored(value, value - half, value + half)
    return Control(key, key, {"auprc_macro": Scored(score, 0, 1)}, gap, p)


def clusters(events=60):
    rate = Scored(0.5, 0.4, 0.6)
    return [ClusterSummary(j, 100, (80, 20), 50, (100, events // 2), (rate, rate)) for j in (0, 1)]


def said(controls, **more):
    return run_verdict(
        controls,
        clusters(**more),
        ("no", "yes"),
        method="cac",
        score=0.7,
        own=True,
    )


def test_a_difference_that_ends_at_zero_is_not_worse():
    assert word_of(-0.003, 0.05) == "no clear difference"


@pytest.mark.parametrize(("value", "size"), [(0.02, "clearly"), (0.004, "a little")])
def test_the_size_is_told_by_what_the_control_has_beyond_chance(value, size):
    found = standing_of("lr", Scored(value, 0.001, 0.03), 0.01, score=0.6, n_classes=2)
    assert (found.word, found.size) == ("better", size)
    assert found.margin == pytest.approx(0.01)


def test_looking_at_more_controls_asks_for_more():
    alone = said([control("k=1", 0.05, 0.03)])
    beside = said([control("k=1", 0.05, 0.03), control("gbm", 0.0, 0.9)])
    assert (alone.conclusion, beside.conclusion) == ("helps", "not shown")


def test_below_forty_held_out_events_nothing_is_claimed():
    found = said([control("k=1", 0.2, 1e-9)], events=38)
    assert found.conclusion == "too few"
    assert found.events == 38
    words = verdict_sentence(found)
    assert "Compare over several splits" in words
    assert "helps" not in words


def test_its_own_k_of_one_decides():
    better_than_lr = [control("k=1", 0.0, 0.9, half=0.05), control("lr", 0.06, 1e-6)]
    assert said(better_than_lr).conclusion == "method"
    assert (
        said([control("k=1", 0.06, 1e-6), control("gbm", -0.05, 1e-6)]).conclusion == "helps, but"
    )
    assert said([control("k=1", 0.06, 1e-6), control("gbm", 0.0, 0.9)]).conclusion == "helps"


def test_where_one_subtype_predicts_better_it_is_called_harm():
    assert said([control("k=1", -0.05, 1e-6)]).conclusion == "harms"
    assert said([control("k=1", -0.05, 1e-6), control("lr", 0.06, 1e-6)]).conclusion == "harms"


def test_a_gain_is_ruled_out_only_where_the_interval_says_so():
    assert said([control("k=1", -0.02, 0.2, half=0.01)]).conclusion == "no help"
    assert said([control("k=1", -0.02, 0.2, half=0.09)]).conclusion == "not shown"


def test_k_means_has_subtypes_of_its_own_and_overrules_nothing():
    found = said([control("kmeans", -0.05, 1e-6), control("k=1", 0.06, 1e-6)])
    assert found.conclusion == "helps"


def test_a_method_without_k_of_one_is_untested():
    assert conclude((), clusters=True, own=False) == "untested"


def test_scores_that_are_not_known_claim_nothing():
    assert word_of(math.nan, 0.01) == "not known"
    assert said([control("k=1", math.nan, math.nan)]).conclusion == "not shown"


def test_one_subtype_is_not_said_to_cluster():
    found = run_verdict(
        [control("gbm", -0.05, 1e-6)],
        [clusters(events=120)[0]],
        ("no", "yes"),
        method="kmeans",
        score=0.7,
        own=True,
    )
    assert found.conclusion == "no subtypes"
    words = verdict_sentence(found)
    assert "this model predicts" in words
    assert "lustering" not in words


def test_where_clustering_wins_the_last_sentence_says_so():
    words = verdict_sentence(said([control("k=1", 0.06, 1e-6)]))
    assert words.endswith("Clustering helps prediction on this split.")
    assert "This is one split of the patients" in words


def test_where_it_helps_is_said_only_where_it_does():
    gap = Scored(0.1, 0.05, 0.15)
    places = [Place(0, 0.6, 0.5, gap, "better"), Place(1, 0.5, 0.6, gap, "worse")]
    helps, not_shown = (
        said_with([control("k=1", value, p, half=0.09)], places)
        for value, p in ((0.06, 1e-6), (0.0, 0.9))
    )
    assert [p.word for p in helps.places] == ["better", "worse"]
    assert "Subtype 1: AUPRC 0.600 against 0.500 of one model for all" in verdict_sentence(helps)
    assert [p.word for p in not_shown.places] == ["worse"]


def said_with(controls, places):
    about = {"method": "deepcac", "score": 0.7, "own": True, "places": places}
    return run_verdict(controls, clusters(), ("no", "yes"), **about)


def test_the_subtype_in_which_it_helps_is_named():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 900)
    cluster = np.repeat([0, 1, 2], 300)
    flat, sharp = np.full((900, 2), 0.5), np.full((900, 2), 0.5)
    told = np.clip(0.5 + 0.4 * (y - 0.5) + rng.normal(0, 0.2, 900), 0.01, 0.99)
    sharp[cluster == 1] = np.column_stack([1 - told, told])[cluster == 1]
    flat[:, 1] += rng.normal(0, 0.01, 900)
    flat[:, 0] = 1 - flat[:, 1]
    sharp[cluster != 1] = flat[cluster != 1]
    found = {p.cluster: p.word for p in places_of(y, cluster, sharp, flat, 3)}
    assert found == {0: "no clear difference", 1: "better", 2: "no clear difference"}


def test_too_few_patients_are_too_few_however_many_rows_they_have():
    about = {"method": "deepcac", "score": 0.7, "own": True}
    found = run_verdict(
        [control("k=1", 0.06, 1e-6)], clusters(), ("no", "yes"), held_out=(300, 39), **about
    )
    assert (found.conclusion, found.events, found.rarest) == ("too few", 39, "yes")
