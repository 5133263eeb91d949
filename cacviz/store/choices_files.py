"""What was decided about a cohort as a small file: roles, labels, cuts, for next month's table."""

from __future__ import annotations

import json

from cacviz.engine.cohorts.choosing import carried_over
from cacviz.engine.exceptions import CohortError
from cacviz.engine.types import Choices
from cacviz.store.records import from_plain, to_plain

FORMAT, LARGEST = 1, 20_000_000  # bytes
WRONG = "This file holds no choices of cacviz. Save them on the page Cohort of the other table."


def write_choices(choices: Choices) -> bytes:
    """The choices as JSON; no patient is in it."""
    plain = to_plain(choices)
    return json.dumps({"cacviz_choices": FORMAT, **plain}, indent=1, ensure_ascii=False).encode()


def read_choices(data: bytes) -> Choices:
    """The choices of such a file; a CohortError where it holds none."""
    try:
        said = json.loads(data) if len(data) <= LARGEST else None
        if not isinstance(said, dict) or said.pop("cacviz_choices", None) != FORMAT:
            raise CohortError(WRONG)
        return from_plain(Choices, said)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise CohortError(WRONG) from error


def decided(choices: Choices, data: bytes) -> Choices:
    """The choices of another table, as far as this one has the columns."""
    return carried_over(choices, read_choices(data))
