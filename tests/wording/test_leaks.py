"""Why a column is suspected, in words that name it in single quotes."""

import re

import pytest

from cacviz.engine.cohorts.late_names import FAMILIES
from cacviz.wording.leaks import FAMILY_TITLES, MOST, NAMES, doubt_sentence, leak_sentence
from tests.wording.grammar import assert_sentence

LEVEL = {"level": "well", "class": "yes", "how": "excludes", "n": 1420}
FIGURES = {
    "tells": {"auc": 0.987},
    "strong": {"auc": 0.92},
    "twin": {"of": "length_of_stay"},
    "level": LEVEL,
    "visit": {"of": "cd40"},
    "gap": {"of": "length_of_stay"},
}


def said(code, n=1, *, kept=False, figures=None):
    columns = tuple(f"column{i}" for i in range(n))
    each = [FIGURES.get(code, {}) if figures is None else figures] * n
    return leak_sentence({"code": code, "columns": columns, "each": each, "kept": kept})


@pytest.mark.parametrize("n", [1, 2, MOST, MOST + 3])
@pytest.mark.parametrize("code", FAMILY_TITLES)
def test_every_family_says_its_columns_and_what_to_do(code, n):
    words = said(code, n)
    assert_sentence(words)
    named = re.findall(r"'(column\d+)'", words)
    assert named == [f"column{i}" for i in range(min(n, MOST))]
    assert ("3 more" in words) == (n > MOST)
    assert "leave" in words


def test_every_family_of_names_has_its_words_and_its_title():
    codes = {family.code for family in FAMILIES}
    assert codes == set(NAMES)
    assert codes < set(FAMILY_TITLES)


@pytest.mark.parametrize(
    ("code", "one", "two"),
    [
        ("tells", "'column0' (AUC 0.99) tells the", "'column1' (AUC 0.99) each tell the"),
        ("strong", "'column0' (AUC 0.92) is very strong", "'column1' (AUC 0.92) are very strong"),
        ("twin", "(as 'length_of_stay') rises and falls", "(as 'length_of_stay') rise and fall"),
        (
            "visit",
            "'column0' seems to be measured",
            "'column1' seem to be measured at a later visit",
        ),
        ("gap", "(of 'length_of_stay') only says", "(of 'length_of_stay') only say whether"),
        ("level", "has “yes”) gives the outcome away", "has “yes”) give the outcome away"),
        ("cost", "'column0' sounds like a cost", "'column1' sound like a cost"),
    ],
)
def test_verbs_agree_with_the_number_of_columns(code, one, two):
    assert one in said(code)
    assert two in said(code, 2)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"how": "excludes"}, "none of the 1,420 patients with “well” has “yes”"),
        ({"how": "implies"}, "all of the 1,420 patients with “well” have “yes”"),
        ({"how": "holds"}, "nearly all “yes” are among the 1,420 patients with “well”"),
        (
            {"how": "implies", "level": ""},
            "all of the 1,420 patients who were not measured have “yes”",
        ),
        (
            {"how": "holds", "level": ""},
            "nearly all “yes” are among the 1,420 patients who were not measured",
        ),
    ],
)
def test_how_a_level_gives_the_outcome_away(values, words):
    assert words in said("level", figures=LEVEL | values)


def test_what_was_kept_after_a_warning_is_still_said():
    assert said("cost", kept=True).endswith("You decided to keep it.")
    assert said("cost", 2, kept=True).endswith("You decided to keep them.")
    assert "decided" not in said("cost")


@pytest.mark.parametrize(
    ("auc", "share", "words"),
    [
        (
            0.99,
            0.8,
            "almost perfectly (AUC 0.99 in a quick boosted model, 80% of its gain by 'los')",
        ),
        (0.96, 0.1, "almost perfectly (AUC 0.96 in a quick boosted model)."),
        (
            0.80,
            0.65,
            "'los' has more than half of the say: in a quick boosted model (AUC 0.80) 65%",
        ),
    ],
)
def test_features_that_tell_too_much_together_are_doubted(auc, share, words):
    text = doubt_sentence({"auc": auc, "share": share, "column": "los"})
    assert_sentence(text)
    assert words in text
