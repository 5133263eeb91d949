"""One patient in words: what is not known is said, and what that means."""

from types import SimpleNamespace

import pytest

from cacviz.wording.patient import MOSTLY_BLANK, blank_sentence
from tests.wording.grammar import assert_sentence


@pytest.mark.parametrize(("blank", "mostly"), [(1, False), (59, False), (112, True)])
def test_a_patient_of_whom_most_is_unknown_is_not_placed_without_a_word(blank, mostly):
    found = SimpleNamespace(blank=("x",) * blank)
    for gaps in (True, False):
        said = blank_sentence(found, 118, gaps)
        assert_sentence(said)
        assert (MOSTLY_BLANK in said) == mostly
