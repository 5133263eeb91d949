"""What is said of hourly records adds up, and every note of theirs is a sentence."""

import ast

import numpy as np
import pytest

from cacviz.engine.types import Exclusion, Flow, Note, Series
from cacviz.wording import series as words
from tests.conftest import ROOT
from tests.wording.grammar import assert_clean, assert_sentence

# code: values, and words that must be in the sentence
CASES = [
    ("file", {"said": "A title was passed over."}, "A title"),
    ("time unit", {"column": "t", "unit": "hours"}, "'t' holds plain numbers, which were taken as"),
    ("nameless records", {"n": 1}, "1 row without the name of a variable was not used."),
    ("records not numbers", {"n": 3, "column": "v", "example": "high"}, "3 values of column 'v'"),
    ("columns not numbers", {"columns": ["ward"]}, "Column 'ward' holds words or dates and is"),
    ("repeated records", {"n": 2}, "2 rows that repeat another count once."),
    ("static replaced", {"columns": ("Age", "Sex")}, "Columns 'Age' and 'Sex' are in both files"),
    ("records before start", {"n": 7}, "7 records from before the start of a stay were not used."),
    ("implausible records", {"changed": 0, "dropped": 4}, "4 impossible values left out."),
    ("variables not measured", {"columns": ("Lactate",)}, "'Lactate'"),
]


@pytest.mark.parametrize(("code", "values", "said"), CASES)
def test_a_note_of_records_is_a_sentence_with_its_values(code, values, said):
    text = words.record_sentence(Note(code, values=values))
    assert_sentence(text)
    assert said in text


def test_every_note_that_reading_can_give_has_a_sentence_and_a_case():
    found = set()
    for file in (ROOT / "cacviz" / "engine" / "series").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            named = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Note"
            if named and isinstance(node.args[0], ast.Constant):
                found.add(node.args[0].value)
    found.add("columns not numbers")  # its code is handed over
    assert found == set(words.SENTENCES) == {code for code, _, _ in CASES}


def test_the_flow_adds_up_in_words():
    gone = (Exclusion("too short", 4499), Exclusion("outcome in window", 1))
    said = " ".join(words.flow_sentences(Flow(20336, gone, hours=24, form="wide")))
    assert_sentence(said)
    assert "20,336 patients were read" in said
    assert "4,499 who were observed for too short a time and 1 who met the outcome" in said
    assert "15,836 patients are left." in said


def test_where_nobody_was_left_out_it_says_so():
    said = " ".join(words.flow_sentences(Flow(1, hours=1)))
    assert "1 patient was read" in said
    assert "the first hour alone. Nobody was left out." in said


@pytest.mark.parametrize("reason", ["not in static table", "no records", "too short"])
def test_every_reason_reads_well_for_one_and_for_many(reason):
    for n in (1, 2):
        assert_clean(words.flow_sentences(Flow(9, (Exclusion(reason, n),), hours=48))[1])


def test_lengths_and_fullness_have_their_numbers():
    flow = Flow(9, hours=24, lengths=(8.0, 25.0, 39.0, 47.0, 336.0))
    assert "39 hours of a patient in the median (half of the patients 25 to 47" in (
        words.length_sentence(flow)
    )
    assert words.length_sentence(Flow(9)) == ""
    measured = np.zeros((2, 4, 5), dtype=bool)
    measured[0, 0] = True
    series = Series(tuple("abcde"), np.zeros((2, 4, 5)), measured, np.zeros((2, 4, 5)))
    assert words.series_sentence(series).startswith("4 hours × 5 variables a patient; 12.5%")
