"""Where the patients go: one bar whose parts add up."""

import pytest

from cacviz.figures import flow
from cacviz.figures.theme import PARTS
from cacviz.wording.flow import PARTS as WORDS


def test_the_parts_of_the_bar_add_up_to_all_patients():
    counts = (5122, 1707, 2276, 30)
    figure = flow.patients(counts, WORDS)
    assert [bar.x[0] for bar in figure.data] == list(counts)
    assert [bar.name for bar in figure.data] == list(WORDS)
    assert [bar.marker.color for bar in figure.data] == list(PARTS)
    assert [bar.text for bar in figure.data] == ["5,122", "1,707", "2,276", "30"]
    assert figure.layout.barmode == "stack"


def test_a_part_without_patients_is_not_drawn_and_the_others_keep_their_colours():
    figure = flow.patients((50, 0, 20, 0), WORDS)
    assert [bar.x[0] for bar in figure.data] == [50, 20]
    assert [bar.marker.color for bar in figure.data] == [PARTS[0], PARTS[2]]


def test_hovering_tells_number_and_part():
    bar = flow.patients((1234, 0, 0, 0), WORDS).data[0]
    assert bar.hovertemplate == f"1,234 {WORDS[0]}<extra></extra>"


@pytest.mark.parametrize("axis", ["xaxis", "yaxis"])
def test_a_bar_that_says_its_numbers_needs_no_axes(axis):
    assert flow.patients((1, 2, 3, 4), WORDS).layout[axis].visible is False


def test_the_parts_have_slate_and_no_subtype_colour():
    from cacviz.figures.theme import PALETTE

    assert not {c.lower() for c in PARTS} & {c.lower() for c in PALETTE}
