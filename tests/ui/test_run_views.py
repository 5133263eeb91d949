"""What the page Subtypes proposes where subtypes are too small."""

import pytest

from cacviz.engine.types import Note
from cacviz.ui.subtypes.run import fewer_subtypes


def scarce(*clusters, code="few events"):
    return [Note(code, values={"cluster": j}) for j in clusters]


@pytest.mark.parametrize(
    ("k", "notes", "fewer"),
    [
        (8, scarce(*range(8)), 2),
        (8, scarce(5), 7),
        (5, scarce(1, 2) + scarce(2, code="small subtype"), 3),
        (2, scarce(0, 1), 2),
        (4, [Note("shared risk", "hint")], 4),
    ],
    ids=["all are small", "one is", "one is small twice", "two are the least", "none is"],
)
def test_as_many_subtypes_are_proposed_as_had_enough_patients(k, notes, fewer):
    assert fewer_subtypes(k, notes) == fewer
