"""What was learned from a run, part by part: whole, of this version, or not there."""

import numpy as np
import pytest

from cacviz.engine.insights.types import PatientMap
from cacviz.store import insights, runs, states
from cacviz.store.insights import load_part, part_states, save_part, subtype_names
from cacviz.store.states import Mark
from cacviz.store.unix import my_mark

MAP = PatientMap(np.arange(3), np.array([[0.5, 1], [2, 3], [4, np.nan]]), "features", 60)


def test_a_part_comes_back_with_its_arrays_to_the_bit(finished):
    save_part(finished, "map", MAP)
    back = load_part(finished.name, "map")
    assert isinstance(back, PatientMap)
    assert back.positions.tobytes() == MAP.positions.tobytes()
    assert (back.rows == MAP.rows).all()
    assert (back.space, back.n) == ("features", 60)
    assert part_states(finished.name)["map"] == "ready"


def test_a_part_that_does_not_apply_is_ready_and_none(finished):
    save_part(finished, "map", None)
    assert load_part(finished, "map") is None
    assert part_states(finished)["map"] == "ready"


@pytest.mark.parametrize("file", ["arrays.safetensors", "part.json", "manifest.json"])
def test_a_damaged_part_counts_as_missing(finished, only, file):
    only("map")
    save_part(finished, "map", MAP)
    (finished / "insights" / "map" / file).unlink()
    assert load_part(finished, "map") is None
    assert part_states(finished) == {"map": "missing"}
    assert insights.missing_parts(finished) == ["map"]


def test_a_part_of_another_version_counts_as_missing(finished, only, monkeypatch):
    only("map")
    save_part(finished, "map", None)
    assert part_states(finished) == {"map": "ready"}
    monkeypatch.setattr(insights, "VERSION", insights.VERSION + 1)
    assert part_states(finished) == {"map": "missing"}
    assert load_part(finished, "map") is None


def test_a_part_that_failed_says_why_until_it_is_there(finished, only):
    only("map")
    home = insights.home_of(finished)
    insights.note_failure(home, "map", "No memory.")
    assert part_states(finished) == {"map": "failed"}
    assert insights.failure(finished, "map") == "No memory."
    save_part(finished, "map", MAP)
    assert part_states(finished) == {"map": "ready"}
    assert insights.failure(finished, "map") == ""


def test_parts_are_coming_while_somebody_is_at_work_or_they_are_queued(finished, only):
    only("map")
    home = insights.home_of(finished)
    assert part_states(finished) == {"map": "missing"}
    states.write_status(home, "queued")
    assert part_states(finished) == {"map": "coming"}
    for place in (home, finished):
        states.write_worker(place, my_mark())
        assert part_states(finished) == {"map": "coming"}
        (place / states.LOCK).unlink()


def test_parts_whose_worker_was_killed_before_it_said_a_word_are_missing(finished, only):
    only("map")
    home = insights.home_of(finished)
    states.write_status(home, "queued")
    states.write_worker(home, Mark(999_999_999, "1.another"))
    assert part_states(finished) == {"map": "missing"}


def test_subtypes_of_the_same_name_are_told_apart(finished):
    for cluster in (0, 1):
        insights.rename_subtype(finished, cluster, "A")
    assert subtype_names(finished, 2) == ("A", "A (2)")


def test_names_are_the_users_or_as_suggested_else_nothing(finished):
    assert subtype_names(finished, 2) == ("", "")
    suggested = ("old", "young")
    assert subtype_names(finished, 3, suggested) == ("old", "young", "")
    insights.rename_subtype(finished, 1, "  Renal\n ward " + "x" * 100)
    first, second = subtype_names(finished, 2, suggested)
    assert first == "old"
    assert second.startswith("Renal ward x")
    assert len(second) == insights.LONGEST_NAME
    insights.rename_subtype(finished, 1, "")
    assert subtype_names(finished, 2, suggested) == suggested


@pytest.mark.parametrize("bytes_", [b"[]", b"{", b"7", b""])
def test_damaged_names_are_none(finished, bytes_):
    (finished / insights.NAMES).write_bytes(bytes_)
    assert subtype_names(finished, 2, ("old", "young")) == ("old", "young")


def test_an_exported_run_holds_no_insights_by_patient(finished, tmp_path):
    save_part(finished, "map", MAP)
    runs.export_run(finished.name, tmp_path / "out")
    assert not list((tmp_path / "out").rglob("insights"))
