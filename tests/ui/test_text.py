"""User text in Markdown: as it was typed, and read aloud so where that is safe."""

import re

import pytest

from cacviz.ui.shell.text import plain


@pytest.mark.parametrize("label", ["SAPS-I", "Heart rate (bpm), last", "In-hospital_death", "5%"])
def test_a_label_that_cannot_be_markup_is_read_aloud_as_it_was_typed(label):
    assert plain(label) == label


@pytest.mark.parametrize("text", ["- a", "_a_", "__a__", "1) a", "[a](b)", "a.b", "x -- y", "*a*"])
def test_what_could_be_markup_is_escaped(text):
    assert plain(text) != text
    assert re.sub(r"\\(.)|\u2060", lambda found: found[1] or "", plain(text)) == text
