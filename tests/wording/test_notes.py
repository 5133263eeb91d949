"""Every code of a note that a run can carry turns into a sentence."""

import ast

import pytest

from cacviz.engine.running.findings import GONE
from cacviz.engine.types import Note
from cacviz.wording import applied, checks, sweeps
from cacviz.wording.notes import SENTENCES, TOGETHER, sentence, sentences, told
from tests.conftest import ROOT
from tests.wording.grammar import assert_sentence

LEAK = {"code": "cost", "columns": ("total_cost",), "each": [{}], "kept": False}
COLUMN = {"column": "ward", "title": "Ward", "index": 0.987}
LEVEL = {"title": "Ward", "level": "ICU", "cluster": 0, "both": 19, "n": 19, "having": 20}
KMEANS = {"n": 1687, "alpha": 0.05485}
TUNED = {"alpha": 0.11, "fraction": 0.75, "folds": 5, "best": 0.71, "plain": 0.70, "gain_sd": 0.02}
# code: values, and words that must be in the sentence
CASES = [
    ("collapsed", {"alpha": 0.6, "critical": 0.1}, "α) is 0.6, beyond its critical value 0.1"),
    ("beyond critical", {"alpha": 0.2, "critical": 0.1}, "a lower α is safer"),
    ("repeats the outcome", {}, "far less often than without it"),
    (
        "repeats the outcome",
        {"n": 151, "wrong": 20, "without": 67},
        "errs in 20 of 151, without it in 67",
    ),
    (
        "repeats the outcome",
        {"n": 151, "wrong": 20, "without": 67, "held_out": 68, "held_out_wrong": 14}
        | {"held_out_without": 30},
        "without it in 67; of held-out patients in 14 of 68, without it in 30. Read them as groups",
    ),
    (
        "few events",
        {"cluster": 1, "k": 3, "n": 6, "class": "yes"},
        "Subtype 2 has 6 training patients with the outcome “yes”: too few to trust its own risk "
        "model. Use fewer subtypes.",
    ),
    (
        "few events",
        {"cluster": 0, "k": 1, "n": 1, "class": "yes"},
        "Subtype 1 has 1 training patient with the outcome “yes”: too few to trust its own risk "
        "model. Use a larger cohort.",
    ),
    ("rare class", {"class": "fatal", "n": 1}, "Only 1 training patient has the outcome “fatal”"),
    ("small subtype", {"cluster": 2, "share": 0.0123}, "Subtype 3 holds only 1.2% of the"),
    ("empty subtype", {"cluster": 2}, "Subtype 3 is empty."),
    ("one outcome", {"cluster": 0}, "Subtype 1 has one outcome only"),
    ("revived", {"cluster": 4, "epoch": 12}, "Subtype 5 lost all its patients"),
    ("routing", {"agreement": 0.7}, "Only 70% of training patients"),
    ("repeats a column", COLUMN | {"level": ""}, "little more than the levels of “Ward”"),
    (
        "repeats a column",
        COLUMN | {"level": "", "index": 0.62},
        "are to a large part the levels of “Ward” (adjusted Rand index 0.62)",
    ),
    ("repeats a column", COLUMN | {"level": GONE}, "whether “Ward” has a value (was measured"),
    (
        "repeats a column",
        COLUMN | {"level": "", "also": ["strat", "unit"]},
        "'strat' and 'unit' tell nearly the same. To see what else sets patients apart, leave",
    ),
    (
        "is a level",
        LEVEL,
        "Subtype 1 is little more than the patients in whom “Ward” is ICU: 19 of its 19 training "
        "patients, and 19 of the 20 of whom that holds.",
    ),
    ("is a level", LEVEL | {"level": GONE}, "in whom “Ward” was not measured"),
    ("id-like", {"columns": ["mrn"], "examples": ["1"]}, "'mrn' looks like an id and is among the"),
    (
        "duplicate columns",
        {"columns": ["Unit2"], "pairs": [["Unit2", "Unit1"]]},
        "'Unit2' and 'Unit1' tell the same, and both were used",
    ),
    (
        "possible missing code",
        {"columns": ["insu", "skin"], "value": "0", "counts": [374, 227]},
        "'insu' is 0 in 374 patients and 'skin' in 227, away from all other values. If that means",
    ),
    (
        "short stays",
        {"outcome": "los", "class": "≤ 7", "died": 8, "n": 40, "column": "died"},
        "Of 40 patients with 'los' ≤ 7, 8 died (by 'died')",
    ),
    (
        "codes",
        {"columns": ["thal"]},
        "'thal' was compared by size, though the numbers may be codes",
    ),
    ("k-means subtypes", KMEANS | {"moved": 0}, "At α = 0.0549, no patient left the k-means start"),
    ("k-means subtypes", KMEANS | {"moved": 5}, "5 of 1,687 training patients left the"),
    ("k-means subtypes", KMEANS | {"moved": 26}, "these are nearly the k-means subtypes"),
    ("tuned alpha", TUNED, "α = 0.11 (75% of its critical value) was chosen by 5-fold"),
    ("tuned alpha", TUNED | {"gain_sd": 0.001}, "AUPRC 0.710, and 0.700 at α = 0."),
    ("own risk", {"auprc": 0.61, "shared": 0.57}, "0.610"),
    ("shared risk", {}, "share one risk model"),
    ("collapsed selector", {"share": 0.99}, "99% of training patients"),
    ("leak", LEAK, "'total_cost' sounds like a cost"),
    ("doubt", {"auc": 0.99, "column": "los", "share": 0.8}, "(AUC 0.99 in a quick boosted model"),
]


@pytest.mark.parametrize(("code", "values", "words"), CASES)
def test_a_note_is_a_sentence_with_its_values(code, values, words):
    said = sentence(Note(code, values=values))
    assert_sentence(said)
    assert words in said


def test_every_code_of_the_table_is_tried():
    assert {code for code, *_ in CASES} == set(SENTENCES)


def test_a_gain_on_which_the_folds_disagree_is_said_to_matter_little():
    tuned = [v for code, v, _ in CASES if code == "tuned alpha"]
    unsure, sure = (sentence(Note("tuned alpha", values=v)) for v in tuned)
    assert "The folds disagree" in unsure
    assert "The folds disagree" not in sure


def test_whether_it_was_measured_is_named_as_the_level():
    gone = sentence(Note("repeats a column", values=COLUMN | {"level": GONE}))
    assert "One of them is the patients without a value in “Ward”." in gone
    assert "levels" not in gone


def test_a_code_of_another_version_says_its_name():
    assert sentence(Note("something new")) == "something new."


def codes_in(path):
    """Codes that are written out where notes are made."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Note" and node.args:
            written = [n for n in ast.walk(node.args[0]) if isinstance(n, ast.Constant)]
            yield from (n.value for n in written if isinstance(n.value, str))


@pytest.mark.parametrize("family", ["cac", "deep", "running", "cohorts"])
def test_every_code_that_the_engine_writes_has_its_words(family):
    rooms = (checks.SENTENCES, applied.SENTENCES, sweeps.SENTENCES)
    known = set(SENTENCES).union(*rooms)
    found = {c for p in (ROOT / "cacviz/engine" / family).rglob("*.py") for c in codes_in(p)}
    assert found
    assert found <= known


ALIKE = {
    "few events": {"n": 6, "class": "yes", "k": 8},
    "small subtype": {"share": 0.031},
    "empty subtype": {"k": 8},
    "one outcome": {"k": 8},
}


@pytest.mark.parametrize("code", list(TOGETHER))
def test_what_holds_for_several_subtypes_is_said_once(code):
    notes = [Note(code, values={"cluster": j, **ALIKE[code]}) for j in (0, 2, 7)]
    ((first, said), (_, other)) = sentences([notes[0], Note("shared risk", "hint"), *notes[1:]])
    assert first == notes[0]
    assert_sentence(said)
    assert said.startswith("Subtypes 1")
    assert "3" in said
    assert "8" in said
    assert other == sentence(Note("shared risk", "hint"))


def test_one_note_of_a_kind_keeps_its_sentence():
    note = Note("small subtype", values={"cluster": 2, "share": 0.0123})
    assert sentences([note]) == [(note, sentence(note))]


def test_no_own_risk_model_wants_for_patients_where_the_subtypes_share_one():
    scarce = Note("few events", values={"cluster": 1, "k": 2, "n": 8, "class": "yes"})
    assert told([scarce, Note("own risk")]) == [scarce, Note("own risk")]
    assert told([scarce, Note("shared risk")]) == [Note("shared risk")]
    assert sentence(scarce).endswith("Use a larger cohort.")  # fewer than two are no subtypes
