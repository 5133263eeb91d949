"""Small words: counts, lists, shares, intervals, durations."""

import time

import pytest

from cacviz.engine.types import Scored
from cacviz.wording import words

NAN = float("nan")


@pytest.mark.parametrize(
    ("n", "said"),
    [(0, "0 patients"), (1, "1 patient"), (2, "2 patients"), (3000, "3,000 patients")],
)
def test_a_noun_agrees_with_its_count(n, said):
    assert words.counted(n, "patient") == said


@pytest.mark.parametrize(
    ("rows", "people", "said"),
    [
        (3000, 3000, "3,000 patients"),
        (3000, 0, "3,000 patients"),  # an older version did not count them
        (101_766, 71_518, "101,766 stays of 71,518 patients"),
        (2, 1, "2 stays of 1 patient"),
    ],
)
def test_rows_are_called_stays_where_a_patient_has_several(rows, people, said):
    assert words.patients_words(rows, people) == said
    about = words.stays_sentence(rows, people)
    assert about.startswith(said) if 0 < people < rows else about == ""


def test_nouns_and_verbs_that_do_not_take_an_s():
    assert words.counted(1, "class", "classes") == "1 class"
    assert words.counted(4, "class", "classes") == "4 classes"
    assert words.counted(1, "row is", "rows are") == "1 row is"
    assert words.counted(0, "row is", "rows are") == "0 rows are"
    assert [words.verb(n, "is", "are") for n in (0, 1, 2)] == ["are", "is", "are"]


@pytest.mark.parametrize(
    ("names", "said"),
    [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_names_as_a_sentence_has_them(names, said):
    assert words.listed(names) == said


def test_of_many_names_the_first_are_said_and_the_rest_counted():
    names = [f"n{i}" for i in range(1502)]
    assert words.some_of(names[:2], 2) == "n0 and n1"
    assert words.some_of(names[:3], 2) == "n0, n1 and 1 more"
    assert words.some_of(names, 2) == "n0, n1 and 1,500 more"
    assert len(words.some_of(["x" * 90], 2)) <= 30


def test_only_one_place_counts_subtypes_from_one():
    assert words.subtype_name(0) == "Subtype 1"
    assert words.subtype_title(1, "Older") == "Subtype 2: Older"
    assert words.subtype_title(1) == words.subtype_title(1, "Subtype 2") == "Subtype 2"


@pytest.mark.parametrize(
    ("scored", "said"),
    [
        (Scored(0.7, 0.61, 0.79), "0.700 (0.610 to 0.790)"),
        (Scored(-0.0001, -0.0004, 0.2), "0.000 (0.000 to 0.200)"),
    ],
)
def test_a_value_with_its_interval_has_no_minus_before_nothing(scored, said):
    assert words.interval_text(scored) == said


@pytest.mark.parametrize(
    ("scored", "said", "bracketed"),
    [
        (Scored(0.1, 0.05, 0.15), "+0.100 (+0.050 to +0.150)", "(+0.100, +0.050 to +0.150)"),
        (Scored(-0.1, -0.2, 0.0002), "-0.100 (-0.200 to 0.000)", "(-0.100, -0.200 to 0.000)"),
        (Scored(-0.0003, -0.002, 0.001), "0.000 (-0.002 to +0.001)", "(0.000, -0.002 to +0.001)"),
        (Scored(0.1, NAN, NAN), "+0.100", "(+0.100)"),
    ],
)
def test_a_difference_has_its_sign_unless_it_is_nothing(scored, said, bracketed):
    assert words.signed_text(scored) == said
    assert words.bracketed_text(scored) == bracketed


def test_a_difference_that_does_not_exist_is_not_known():
    assert words.signed_text(Scored(NAN, NAN, NAN)) == "not known"


def test_a_share_is_in_per_cent():
    assert words.share(Scored(0.25, 0.1, 0.4)) == "25.0% (10.0% to 40.0%)"
    assert words.share(Scored(NAN, NAN, NAN)) == "no held-out patients"


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ((625, 207, 100), "6.25 : 2.07 : 1"),
        ((76, 24), "3.17 : 1"),
        ((10, 10), "1 : 1"),
        ((10, 0), "1 : 0"),
        ((0, 0), "empty"),
    ],
)
def test_the_smallest_class_of_a_ratio_is_one(counts, said):
    assert words.ratio(counts) == said


@pytest.mark.parametrize(
    ("gone", "said"),
    [
        *((0, "just now"), (59, "just now"), (60, "1 minute ago"), (150, "2 minutes ago")),
        *((3600, "1 hour ago"), (7300, "2 hours ago"), (86_400, "1 day ago")),
        *((-50, "just now"), (5 * 86_400, "5 days ago")),
    ],
)
def test_how_long_ago_in_words(monkeypatch, gone, said):
    monkeypatch.setattr(time, "time", lambda: 1e9)
    assert words.ago(1e9 - gone) == said


@pytest.mark.parametrize(
    ("seconds", "exact", "about"),
    [
        (0.2, "1 s", "a few seconds"),
        (7, "7 s", "a few seconds"),
        (23, "23 s", "25 seconds"),
        (89, "89 s", "90 seconds"),
        (91, "2 min", "2 minutes"),
        (600, "10 min", "10 minutes"),
    ],
)
def test_a_duration_in_words_exact_and_guessed(seconds, exact, about):
    assert words.seconds_words(seconds) == exact
    assert words.about_seconds(seconds) == about


@pytest.mark.parametrize(
    ("p", "said"), [(0.0004, "< 0.001"), (0.001, "0.001"), (0.04567, "0.046"), (NAN, "")]
)
def test_p_as_papers_print_it(p, said):
    assert words.p_text(p) == said


def test_all_and_none_are_said_of_all_and_none_alone():
    shares = (1.0, 484 / 485, 0.99999, 0.42, 0.001, 1e-6, 0.0)
    said = ["100%", "99.8%", "99.9%", "42%", "0.1%", "0.1%", "0%"]
    assert [words.whole_share(s) for s in shares] == said
