"""What every sentence has to have, whatever it says."""

import re

NOUNS = "patient|row|column|feature|subtype|split|round|fit|class|minute|hour|day|pair|epoch"
BETWEEN = r"(?:(?:more|training|held-out|left-out) )?"  # 3 training patients
ONE = re.compile(rf"(?<![\d.,])1 {BETWEEN}(?:{NOUNS})(?:e?s)\b(?! id)")
MANY = re.compile(rf"\b(?:0|[2-9]|\d[\d,]*\d) {BETWEEN}(?:{NOUNS})\b(?!s|es| id)")
BROKEN = ("{", "}", "  ", "None", "nan", " ,", " .", "..", "[]", "()", "“”", "''")


def assert_sentence(text):
    """A whole sentence, or several: a capital or a name in quotes first, a full stop last."""
    assert text[0] in "'“" or text[0].isupper() or text[0] in "0123456789α", text
    assert text[-1] == ".", text
    assert_clean(text)


def assert_clean(text):
    """Nothing left of a template, and nouns that agree with their counts."""
    assert not [mark for mark in BROKEN if mark in text], text
    assert not ONE.search(text), text
    assert not MANY.search(text), text
