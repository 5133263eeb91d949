import json
from dataclasses import dataclass

import pytest

from cacviz.runs.records import from_plain, to_plain


@dataclass(frozen=True)
class Bed:
    number: int
    name: str = ""


@dataclass(frozen=True)
class Ward:
    beds: tuple[Bed, ...]
    risk: float
    lead: Bed | None = None


WARD = Ward((Bed(1, "window"), Bed(2)), 0.5, Bed(1))


def test_a_record_survives_json():
    assert from_plain(Ward, json.loads(json.dumps(to_plain(WARD)))) == WARD


def test_a_field_with_a_default_may_be_missing_and_an_unknown_one_is_left_out():
    assert from_plain(Bed, {"number": 3, "colour": "blue"}) == Bed(3)


@pytest.mark.parametrize(
    "damaged",
    [
        None,
        [],
        "ward",
        {},
        {"beds": []},
        {"beds": 3, "risk": 0.5},
        {"beds": [[]], "risk": 0.5},
        {"beds": [{"number": "one"}], "risk": 0.5},
        {"beds": [{"number": 1, "name": []}], "risk": 0.5},
        {"beds": [], "risk": None},
        {"beds": [], "risk": []},
        {"beds": [], "risk": 0.5, "lead": []},
    ],
)
def test_another_shape_is_a_value_error(damaged):
    with pytest.raises(ValueError, match=r"written here|missing"):
        from_plain(Ward, damaged)
