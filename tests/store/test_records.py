import json
from dataclasses import dataclass

import pytest

from cacviz.store import atomic
from cacviz.store.records import from_plain, read_record, to_plain


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


def test_a_record_is_parsed_once_for_each_state_of_its_file(tmp_path):
    path = tmp_path / "bed.json"
    path.write_text('{"number": 1}')
    first = read_record(Bed, path)
    assert read_record(Bed, path) is first
    path.write_text('{"number": 12}')
    assert read_record(Bed, path) == Bed(12)
    path.unlink()
    with pytest.raises(OSError, match="No such file"):
        read_record(Bed, path)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 50_000, '{"number": 1'])
def test_a_file_that_is_nested_without_end_is_a_value_error(tmp_path, text):
    path = tmp_path / "bed.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"deeply|Expecting"):
        read_record(Bed, path)


def test_a_file_too_large_to_be_a_record_is_not_read(tmp_path):
    path = tmp_path / "bed.json"
    with path.open("wb") as file:
        file.truncate(atomic.MOST_JSON + 1)
    with pytest.raises(ValueError, match="too large"):
        read_record(Bed, path)
    assert atomic.read_json(path) is None
