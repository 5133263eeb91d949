"""The test of sentences finds what it is made to find."""

import pytest

from tests.wording.grammar import assert_clean, assert_sentence


@pytest.mark.parametrize(
    "text",
    [
        *("1 patients", "3 patient", "1 more columns", "2 training patient", "12 class."),
        *("a  b", "{n} rows", "about nan", "one ,", "None of"),
    ],
)
def test_what_is_broken_is_found(text):
    with pytest.raises(AssertionError):
        assert_clean(text)


@pytest.mark.parametrize("text", ["no stop", "small first."])
def test_half_a_sentence_is_found(text):
    with pytest.raises(AssertionError):
        assert_sentence(text)


@pytest.mark.parametrize(
    "text",
    [
        *("1 patient is left.", "21 patients are left.", "3,001 rows of 4,000 rows are empty."),
        *("2 columns are the patient id.", "'age' is 0.1 sd off.", "5-fold cross-validation."),
    ],
)
def test_sound_sentences_pass(text):
    assert_clean(text)
