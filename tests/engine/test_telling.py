"""Numbers as a clinician would write them."""

import pytest

from cacviz.engine.types.telling import short_number, whole_number


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (12131.4, "12,131"),
        (999.96, "1000"),
        (0.00213, "0.00213"),
        (-152214.0, "-152,214"),
        (7, "7"),
    ],
)
def test_four_digits_without_powers_of_ten(number, words):
    assert short_number(number) == words


@pytest.mark.parametrize(
    ("number", "words"), [(1234567.5, "1,234,567.5"), (7.0, "7"), (0.1, "0.1")]
)
def test_what_was_typed_stays_whole(number, words):
    assert whole_number(number) == words
