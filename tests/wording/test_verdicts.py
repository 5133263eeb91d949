"""Every conclusion, every word and every size of a verdict turns into sentences."""

from dataclasses import replace
from typing import get_args

import pytest

from cacviz.engine.running.controls import control_configs
from cacviz.engine.running.methods import METHODS
from cacviz.engine.scoring.resampling import Mean
from cacviz.engine.types import Conclusion, Place, RunConfig, Scored, Size, Standing, Verdict, Word
from cacviz.wording.studies import agreement_words, entry_title, mean_text, standing_words
from cacviz.wording.verdicts import (
    CONTROLS,
    ONE_SPLIT,
    TAILS,
    comparison_parts,
    control_title,
    few_words,
    of_itself,
    over_splits,
    verdict_parts,
    worse_words,
)
from cacviz.wording.verdicts import verdict_sentence as said
from tests.wording.grammar import assert_clean, assert_sentence

GAP = Scored(0.05, 0.01, 0.09)
SIZES = {"better": ("clearly", "a little"), "worse": ("clearly", "a little")}


def standing(control="lr", word="better", size="clearly"):
    return Standing(control, GAP, 0.01, word, size, 0.02)


ONE = Verdict(
    "helps", (standing(),), n_clusters=3, method="cac", score=0.7, events=80, rarest="yes"
)
MANY = replace(ONE, n_splits=5)


@pytest.mark.parametrize("verdict", [ONE, MANY], ids=["one split", "many splits"])
@pytest.mark.parametrize("conclusion", get_args(Conclusion))
def test_every_conclusion_is_said(verdict, conclusion):
    words = said(replace(verdict, conclusion=conclusion), "death")
    assert_sentence(words)
    assert ("Clustering helps prediction" in words) == (conclusion == "helps")


def test_every_conclusion_has_an_ending_or_says_it_all_itself():
    assert set(get_args(Conclusion)) - set(TAILS) == {"too few", "one split", "no subtypes"}


@pytest.mark.parametrize("conclusion", TAILS)
def test_what_follows_is_said_last_and_one_split_speaks_of_itself_alone(conclusion):
    one, many = (verdict_parts(replace(v, conclusion=conclusion))[-1] for v in (ONE, MANY))
    assert one == TAILS[conclusion].format(here="on this split")
    assert many == TAILS[conclusion].format(here="here")


CASES = [(w, s) for w in get_args(Word) for s in SIZES.get(w, ("",))]


@pytest.mark.parametrize(("word", "size"), CASES)
def test_every_word_and_size_is_said(word, size):
    words = said(replace(ONE, standings=(standing(word=word, size=size),)))
    expected = {
        ("better", "clearly"): "clearly better than logistic regression by +0.050 (+0.010 to",
        ("better", "a little"): "a little better than logistic regression by +0.050",
        ("worse", "clearly"): "clearly worse than logistic regression by",
        ("worse", "a little"): "a little worse than logistic regression by",
        ("no clear difference", ""): "no clear difference from logistic regression (+0.050, +0.010",
    }
    assert word == "not known" or expected[word, size] in words
    assert ("logistic regression" in words) == (word != "not known")


def test_all_sizes_are_tried():
    assert {size for _, size in CASES} == set(get_args(Size))


def test_the_best_news_comes_first_and_controls_alike_stand_together():
    standings = (
        standing("gbm", "worse", "a little"),
        standing("kmeans", "no clear difference", ""),
        standing("lr", "better", "clearly"),
        standing("k=1", "no clear difference", ""),
    )
    first = verdict_parts(replace(ONE, standings=standings), "death")[0]
    places = [first.index(w) for w in ("clearly better", "no clear difference", "a little worse")]
    assert places == sorted(places)
    assert first.count("no clear difference") == 1
    assert "logistic regression by" in first


@pytest.mark.parametrize("method", METHODS)
def test_every_control_of_every_method_has_a_title(method):
    for control in control_configs(RunConfig(method, 3)):
        assert control.key in CONTROLS
        assert control_title(control.key) == CONTROLS[control.key]


def test_one_split_says_that_it_is_one_and_many_say_how_many():
    assert ONE_SPLIT in said(ONE)
    words = said(MANY, "death")
    assert words.startswith(
        "Over 5 splits CAC with 3 subtypes predicts death with an AUPRC of 0.700 (mean over "
    )
    assert ONE_SPLIT not in words


def test_subtypes_in_which_it_predicts_otherwise_are_named():
    places = (
        Place(1, 0.8, 0.7, Scored(0.1, 0.04, 0.16), "better"),
        Place(2, 0.7, 0.7, Scored(0.0, -0.1, 0.1), "no clear difference"),
    )
    words = said(replace(ONE, places=places))
    assert "Subtype 2: AUPRC 0.800 against 0.700 of one model for all: +0.100 (+0.040" in words
    assert "Subtype 3" not in words
    counted = replace(ONE, places=(replace(places[0], n=310, events=52),))
    assert "Subtype 2 (310 held-out patients, 52 of the rarest class): AUPRC" in said(counted)


@pytest.mark.parametrize(
    ("events", "words"), [(1, "Only 1 held-out patient has the"), (7, "7 held-out patients have")]
)
def test_too_few_events_are_counted(events, words):
    assert words in said(replace(ONE, conclusion="too few", events=events))


def test_before_a_third_split_the_leader_of_those_with_subtypes_stands_beside_the_controls():
    words = said(replace(ONE, conclusion="one split", standings=(), n_clusters=3))
    assert words.startswith("So far CAC with 3 subtypes has the highest AUPRC of all with subtypes")
    gap = Scored(-0.034, float("nan"), float("nan"))
    behind = replace(ONE.standings[0], control="gbm", difference=gap)
    words = said(replace(ONE, conclusion="one split", standings=(behind,), n_clusters=3))
    assert "0.700: -0.034 against gradient boosting. Three splits or more" in words
    level = replace(behind, difference=replace(gap, value=-0.0001))
    assert "0.700: 0.000 against" in said(replace(ONE, conclusion="one split", standings=(level,)))


def test_entries_of_a_comparison_are_called_by_method_and_subtypes():
    assert entry_title(("cac", 3)) == "CAC with 3 subtypes"
    assert entry_title(("cac", 1)) == "CAC with 1 subtype"
    assert entry_title(("lr", 1)) == "Logistic regression"
    assert entry_title(("gone", 2)) == "gone with 2 subtypes"


def test_a_mean_of_one_split_has_no_spread():
    nan = float("nan")
    assert mean_text(Mean(5, 0.7, 0.02, 0.6, 0.8)) == "0.700 ± 0.020"
    assert mean_text(Mean(1, 0.7, nan, nan, nan)) == "0.700"


@pytest.mark.parametrize(("word", "size"), CASES)
def test_a_standing_in_a_table(word, size):
    words = standing_words(standing(word=word, size=size))
    assert_clean(words)
    assert words == ("not known yet" if word == "not known" else f"{size} {word}".strip())


def test_worse_is_told_without_a_second_minus():
    worse = replace(standing("gbm", "worse"), difference=Scored(-0.046, -0.075, -0.013))
    assert "clearly worse than gradient boosting by 0.046 (0.013 to 0.075)" in said(
        replace(ONE, standings=(worse,))
    )


def test_an_interval_apart_from_0_says_why_it_is_no_clear_difference():
    apart = standing("lr", "no clear difference", "")
    assert "to +0.090; not clear once all controls are taken into account)." in said(
        replace(ONE, standings=(apart,))
    )
    across = replace(apart, difference=Scored(0.01, -0.01, 0.03))
    assert "taken into account" not in said(replace(ONE, standings=(across,)))


def test_where_subtypes_help_a_plain_model_that_is_not_behind_is_named():
    level = replace(standing("gbm", "no clear difference", ""), difference=Scored(0, -0.1, 0.1))
    parts = verdict_parts(replace(ONE, standings=(standing("k=1"), level)))
    assert parts[-1] == (
        "Clustering helps this method on this split; gradient boosting without subtypes is not "
        "clearly behind."
    )
    behind = verdict_parts(replace(ONE, standings=(standing("k=1"), standing("gbm"))))
    assert behind[-1] == "Clustering helps prediction on this split."


def test_differences_stand_beside_the_score_that_they_are_of():
    assert verdict_parts(ONE, "death")[0].startswith(
        "On held-out patients these subtypes predict death with an AUPRC of 0.700 (mean over "
    )


@pytest.mark.parametrize(
    ("index", "k", "words"),
    [
        (0.9, 3, "nearly the same"),
        (0.9, 2, "though into 3 and 2"),
        (0.5, 3, "part"),
        (0, 3, "diff"),
    ],
)
def test_runs_of_other_numbers_of_subtypes_do_not_find_the_same_ones(index, k, words):
    said = agreement_words(index, 3, k)
    assert_sentence(said)
    assert words in said


def test_a_control_that_gives_the_same_risks_is_said_to_without_an_interval_of_nothing():
    same = replace(standing("k=1", "no clear difference", ""), difference=Scored(0.0, 0.0, 0.0))
    words = said(replace(ONE, standings=(same,), conclusion="no gain"), "death")
    assert ": it gives exactly the risks of the same method with one subtype (k = 1)." in words
    assert "0.000" not in words


def test_a_comparison_is_told_on_the_page_of_a_run_of_its_kind():
    best = replace(MANY, method="deepcac")
    worse = replace(MANY, conclusion="harms", standings=(standing(word="worse"),))
    *parts, last = over_splits(worse, best)
    assert_sentence(" ".join([*parts, last]))
    assert parts[0].startswith(
        "Compare repeated this over 5 splits of the patients. CAC with 3 subtypes has a mean AUPRC "
        "of 0.700 there: clearly worse than logistic regression by"
    )
    assert parts[1] == "Of the methods with subtypes DeepCAC with 3 subtypes did best there."
    assert last.startswith("Clustering makes prediction worse here.")
    assert "did best" not in " ".join(over_splits(best, best))


def test_how_the_others_stand_is_said_beside_the_best():
    other = replace(MANY, method="deepcac")
    standings = (standing("lr", "worse"), standing("gbm", "worse"), standing("k=1", "better"))
    *_, said, last = comparison_parts([other, replace(MANY, standings=standings)], "death")
    assert said == (
        "By AUPRC CAC with 3 subtypes is clearly better than the same method with one subtype "
        "(k = 1) and clearly worse than logistic regression and gradient boosting."
    )
    assert last == verdict_parts(other, "death")[-1]
    level = replace(MANY, standings=(standing("lr", "no clear difference", ""),))
    assert comparison_parts([other, level], "death") == verdict_parts(other, "death")


def test_risks_that_are_worse_than_those_of_one_model_are_said_to_be():
    assert worse_words(ONE) == worse_words(None) == ""
    assert "worse than those of one model" in worse_words(replace(ONE, conclusion="harms"))


def test_of_itself_a_run_says_its_figures_and_leaves_what_follows_to_the_comparison():
    parts = verdict_parts(ONE, "death")
    said_ = of_itself(ONE, parts)
    assert said_.startswith(parts[0])
    assert "Compare repeats it" not in said_
    assert parts[-1] not in said_


def test_scores_of_few_events_are_doubted_wherever_they_stand():
    assert few_words(ONE) == few_words(None) == ""
    said_ = few_words(replace(ONE, conclusion="too few", events=7))
    assert said_.startswith("Only 7 held-out patients have the outcome “yes”: the scores")
