"""What was decided about a cohort, as a file for next month's table."""

from dataclasses import replace

import pytest

from cacviz.engine.cohorts.choosing import with_roles
from cacviz.engine.cohorts.making import changed
from cacviz.engine.exceptions import CohortError
from cacviz.engine.types import Column
from cacviz.store.choices_files import decided, read_choices, write_choices


def test_choices_survive_the_file(ward):
    told = changed(ward, with_roles, {"pulse": "sensitive"}).choices
    assert read_choices(write_choices(told)) == told


def test_another_table_takes_what_it_has_columns_for(ward):
    told = changed(ward, with_roles, {"pulse": "left out"}).choices
    fresh = replace(ward.choices, columns=(*ward.choices.columns[:2], Column("new", "number")))
    found = decided(replace(fresh, outcome=None), write_choices(told))
    assert [(c.name, c.role) for c in found.columns][1:] == [
        ("pulse", "left out"),
        ("new", "feature"),
    ]


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b'{"cacviz_choices": 2}', b'{"cacviz_choices": 1}']
)
def test_what_is_no_such_file_is_said_to_be_none(data):
    with pytest.raises(CohortError, match="holds no choices"):
        read_choices(data)
