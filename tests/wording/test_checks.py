"""Every finding of a check is a sentence, has a title, and its buttons say what they do."""

import pytest

from cacviz.engine.cohorts.checks import ORDER
from cacviz.engine.types import Check, Note, Remedy
from cacviz.wording.checks import SENTENCES, check_sentence, check_title
from cacviz.wording.remedies import remedy_label
from tests.wording.grammar import assert_sentence

LEAK = {"code": "stay", "columns": ("a",), "each": [{}], "kept": False}
TWINS = [(f"a{i}", f"b{i}") for i in range(8)]
MISSING = {"value": "-1", "counts": [1200, 7]}
MANY = {"value": "0", "counts": [90, 80, 70, 60, 50, 40, 30, 20, 10, 5]}
# code, values, columns, words that must be in the sentence
CASES = [
    (
        "unknown outcome",
        {"outcome": "death", "class": "9", "n": 50, "others": ["0", "1"]},
        ("death",),
        "50 patients have 'death' 9, which is taken as a class beside 0, 1.",
    ),
    (
        "unknown outcome",
        {"outcome": "death", "class": "9", "n": 1, "others": ["0", "1"]},
        ("death",),
        "1 patient has 'death' 9",
    ),
    (
        "too few of a class",
        {"outcome": "death", "class": "1", "n": 1},
        ("death",),
        "Only 1 patient has 'death' 1: too few",
    ),
    (
        "missing outcome",
        {"outcome": "death", "n": 60, "of": 4000},
        ("death",),
        "missing in 60 of 4,000 rows; these 60 rows are left out.",
    ),
    ("missing outcome", {"outcome": "death", "n": 1, "of": 9}, ("death",), "it is left out."),
    (
        "few patients per feature",
        {"n": 40, "features": 6, "least": 10},
        (),
        "40 patients and 6 features: fewer than 10 patients a feature",
    ),
    (
        "duplicate columns",
        {"pairs": TWINS[:2]},
        ("a0", "a1"),
        "In every patient 'a0' says the same as 'b0' and 'a1' the same as 'b1', or its reverse",
    ),
    ("duplicate columns", {"pairs": TWINS[:7]}, ("a0",), "; 1 more pair is alike, or"),
    ("duplicate columns", {"pairs": TWINS}, ("a0",), "; 2 more pairs are alike, or"),
    ("left out", {}, ("born", "story"), "Dates and free text are left out: 'born' and 'story'."),
    (
        "repeated patients",
        {"patients": 300, "rows": 1600},
        ("id",),
        "300 patients have several rows (1,600 rows in all).",
    ),
    (
        "few of a class",
        {"outcome": "death", "class": "yes", "n": 12, "held_out": 3, "needed": 40},
        ("death",),
        "12 patients have 'death' yes, of whom about 3 will be held out: below 40 one run cannot",
    ),
    (
        "tells the treatment",
        {"treatment": "treat"},
        ("arms",),
        "'arms' tells nearly everybody's 'treat', so the treatment would shape the subtypes",
    ),
    (
        "tells the treatment",
        {"treatment": "arms", "whole": [True, False]},
        ("arm_no", "treat"),
        "'arm_no' tells nearly everybody's 'arms' and 'treat' follows from 'arms', so the",
    ),
    (
        "follow-up",
        {"day": 730.0, "outcome": "y_730"},
        ("time", "cens"),
        "'y_730' is just 'cens' by 'time' = 730: these seem to be a follow-up time and its event",
    ),
    (
        "identical rows",
        {"n": 7},
        (),
        "7 rows are identical to another one. If they are the same patient, take them out",
    ),
    ("identical rows", {"n": 1}, (), "1 row is identical to another one. If it is the same"),
    (
        "id-like",
        {"examples": ["A1", "A2"], "repeats": False},
        ("mrn",),
        "'mrn' looks like an id (A1, A2, …): it names patients and measures nothing.",
    ),
    (
        "id-like",
        {"examples": ["A1", "A2"], "repeats": True},
        ("mrn", "visit"),
        "'mrn' and 'visit' look like ids (A1, A2, …): they name patients and measure nothing. Some",
    ),
    ("all missing", {}, ("co",), "'co' is empty: nothing was measured."),
    ("all missing", {}, ("co", "et"), "'co' and 'et' are empty"),
    ("constant", {"value": "3"}, ("same",), "'same' is 3 in every patient."),
    ("constant", {"value": ""}, ("a", "b"), "'a' and 'b' have one value each in every patient."),
    ("dates", {}, ("born",), "'born' holds dates, which no method can use as they are."),
    ("text", {}, ("story", "note"), "'story' and 'note' hold free text, which no method can use"),
    (
        "near-unique",
        {"distinct": 590, "n": 1600},
        ("surname",),
        "'surname' has too many different values (590 in 1,600",
    ),
    ("near-unique", {"distinct": 590, "n": 600}, ("a", "b"), "can be learned from them."),
    ("possible missing code", MISSING, ("age",), "'age' is -1 in 1,200 patients, away from all"),
    (
        "possible missing code",
        MISSING,
        ("a", "b"),
        "'a' is -1 in 1,200 patients and 'b' in 7, away",
    ),
    (
        "possible missing code",
        MANY,
        tuple("abcdefghij"),
        "'h' in 20 and 2 more columns in up to 10",
    ),
    (
        "short stays",
        {"outcome": "los", "class": "≤ 7", "died": 8, "n": 40, "column": "died"},
        ("died",),
        "Of 40 patients with 'los' ≤ 7, 8 died (by 'died'): they did not go home early.",
    ),
    (
        "codes",
        {},
        ("unit",),
        "'unit' holds whole numbers that may be codes. Is it a category in code",
    ),
    (
        "codes",
        {},
        ("unit", "arm"),
        "hold whole numbers that may be codes. Are they categories in code",
    ),
    (
        "spelling",
        {"examples": ["M", "m"]},
        ("sex",),
        "'sex' has levels that differ in capitals or blanks only, “m” and “M”.",
    ),
    ("spelling", {"examples": ["M", "m"]}, ("sex", "arm"), "'sex' and 'arm' have levels"),
    ("missing not at random", {}, ("a",), "Whether 'a' was measured goes with the outcome"),
    (
        "missing not at random",
        {},
        ("a", "b", "c", "d"),
        "Whether 'a', 'b', 'c' and 1 more column were measured goes with the outcome",
    ),
    ("leak", LEAK, ("a",), "'a' sounds like a length of stay"),
    ("doubt", {"auc": 0.97, "column": "a", "share": 0.5}, ("a",), "50% of its gain by 'a'"),
]


@pytest.mark.parametrize(("code", "values", "columns", "words"), CASES)
def test_a_finding_is_a_sentence_that_names_its_columns(code, values, columns, words):
    check = Check(Note(code, values=values), columns)
    said = check_sentence(check)
    assert_sentence(said)
    assert words in said
    assert check_title(check)[0].isupper()


def test_every_finding_is_tried_has_words_and_a_place():
    assert {code for code, *_ in CASES} == set(SENTENCES) == set(ORDER)


def test_a_long_name_is_cut_and_quoted():
    said = check_sentence(Check(Note("all missing"), ("x" * 300,)))
    assert len(said) < 150
    assert said.startswith("'xxx")


def test_a_leak_is_titled_by_its_family():
    assert check_title(Check(Note("leak", values=LEAK), ("a",))) == "Lengths of stay"
    assert check_title(Check(Note("leak", values=LEAK | {"code": "new"}), ("a",))) == "Known late"


ALL = {"one": ("age",), "two": ("age", "sex")}


@pytest.mark.parametrize(
    ("remedy", "code", "one", "two"),
    [
        (Remedy(role="left out"), "leak", "Leave out age", "Leave out both"),
        (Remedy(keep=True), "leak", "Keep it", "Keep them"),
        (Remedy(keep=True), "codes", "It is a number", "They are numbers"),
        (Remedy(keep=True), "spelling", "Keep them apart", "Keep them apart"),
        (Remedy(spelling=True), "spelling", "Take them as one", "Take them as one"),
        (Remedy(kind="category"), "codes", "It is a category", "They are categories"),
        (
            *(Remedy(missing="-1"), "possible missing code"),
            *("Treat -1 as missing", "Treat -1 as missing in both"),
        ),
    ],
)
def test_a_button_says_what_it_does_to_how_many(remedy, code, one, two):
    assert remedy_label(Check(Note(code), ALL["one"]), remedy) == one
    assert remedy_label(Check(Note(code), ALL["two"]), remedy) == two


def test_a_button_for_one_of_several_columns_names_it():
    check = Check(Note("id-like"), ("encounter", "patient"))
    assert remedy_label(check, Remedy(("patient",), "patient id")) == "Use patient as patient id"
