"""How long the next run will take, from this computer's own last ones."""

import pytest

from cacviz.store import atomic, known
from cacviz.store.timing import expected_seconds, note_run


def test_before_the_first_run_a_deep_method_is_guessed_to_take_longer():
    quick = expected_seconds("cac", 10**6, deep=False)
    deep = expected_seconds("deepcac", 10**6, deep=True)
    assert 0 < quick < deep
    assert expected_seconds("cac", 10**7, deep=False) > quick


def test_the_same_run_is_expected_to_take_as_long_as_the_last():
    note_run("cac", 200_000, 99.0)
    note_run("cac", 300_000, 12.0)
    assert expected_seconds("cac", 300_000, deep=False) == pytest.approx(12.0)
    assert expected_seconds("cac", 3_000_000, deep=False) > 12.0


def test_methods_and_fits_of_comparisons_are_timed_apart():
    guessed = expected_seconds("kmeans", 10**6, deep=False)
    note_run("cac", 10**6, 500.0)
    note_run("kmeans", 10**6, 400.0, kind="fit")
    assert expected_seconds("kmeans", 10**6, deep=False) == guessed
    assert expected_seconds("kmeans", 10**6, deep=False, kind="fit") == pytest.approx(400.0)


def test_nothing_is_expected_to_take_less_than_a_second():
    note_run("cac", 10**6, 0.001)
    assert expected_seconds("cac", 10, deep=False) == 1.0


@pytest.mark.parametrize("said", [3, [], {}, {"seconds": 0}, {"seconds": 3}])
def test_what_cannot_be_made_out_is_as_if_nothing_was_known(said):
    guessed = expected_seconds("cac", 10**6, deep=False)
    known.remember(known.of_machine(), "seconds", "run:cac", said)
    assert expected_seconds("cac", 10**6, deep=False) == guessed


def test_a_full_disk_does_not_end_the_job_that_was_timed(monkeypatch):
    def full(descriptor, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic, "write", full)
    note_run("cac", 10**6, 3.0)
    assert known.recall_all(known.of_machine(), "seconds") == {}
