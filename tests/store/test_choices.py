"""What is decided about a stored cohort: noted step by step, undone, and small on disk."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.choosing import (
    with_labels,
    with_levels,
    with_missing,
    with_outcome,
    with_roles,
    with_subset,
)
from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.exceptions import CohortError
from cacviz.engine.types import Column, Condition, Outcome
from cacviz.store import atomic, cohorts, paths, tables
from cacviz.store.cohorts import change_cohort, load_cohort, save_cohort, steps_of, undo_step


def record(cohort_id):
    return cohorts.read_record(cohorts.cohort_folder(cohort_id))


def steps(cohort_id):
    return steps_of(record(cohort_id))


def role(name, wanted):
    return lambda choices: with_roles(choices, {name: wanted})


def test_a_change_is_stored_and_the_cohort_after_it_is_given(ward, ward_id):
    after = change_cohort(ward_id, role("pulse", "left out"), ward)
    assert after.column("pulse").role == "left out"
    stored = load_cohort(ward_id)
    assert stored.choices == after.choices
    assert stored.fingerprint == after.fingerprint != ward.fingerprint
    assert [row.id for row in cohorts.list_cohorts()] == [ward_id]
    (step,) = steps(ward_id)
    assert [(c.column, c.field, c.before, c.after) for c in step.changes] == [
        ("pulse", "role", "feature", "left out")
    ]


def test_a_change_of_one_role_does_not_write_the_table_again(monkeypatch):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(20_000, 50)), columns=[f"lab {j}" for j in range(50)])
    frame["death"] = np.where(rng.random(20_000) < 0.2, "yes", "no")
    columns = [Column(name, "number") for name in frame.columns[:-1]]
    wide = make_cohort("wide", frame, [*columns, Column("death", "yesno")], Outcome("death"))
    cohort_id = save_cohort(wide)
    table = tables.table_file(wide.table.digest)
    before, size, written = table.stat(), table.stat().st_size, []
    real = atomic.write
    monkeypatch.setattr(
        atomic, "write", lambda fd, data: (written.append(len(data)), real(fd, data))
    )
    monkeypatch.setattr(tables, "to_parquet", lambda frame: pytest.fail("the table is written"))
    after = change_cohort(cohort_id, role("lab 7", "left out"), wide)
    assert after.frame is wide.frame  # nor is it copied in memory
    assert (table.stat().st_mtime_ns, table.stat().st_ino) == (before.st_mtime_ns, before.st_ino)
    assert 0 < sum(written) < 20_000 < size / 100


def test_a_change_that_changes_nothing_is_no_step(ward, ward_id):
    kept = record(ward_id)
    change_cohort(ward_id, role("pulse", "feature"), ward)
    assert record(ward_id) == kept


def test_a_change_that_cannot_be_is_refused_and_nothing_is_changed(ward, ward_id):
    kept = record(ward_id)
    nobody = [Condition("age", low=900.0)]
    for change in (role("pulse", "king"), role("weight", "feature")):
        with pytest.raises(CohortError):
            change_cohort(ward_id, change, ward)
    with pytest.raises(CohortError, match="No patient meets"):
        change_cohort(ward_id, lambda choices: with_subset(choices, nobody), ward)
    assert record(ward_id) == kept


def test_changes_of_two_windows_are_both_kept(ward, ward_id):
    """Each window holds the cohort as it saw it first."""
    change_cohort(ward_id, role("pulse", "left out"), ward)
    both = change_cohort(ward_id, lambda c: with_labels(c, {"age": ("Age", "years")}), ward)
    assert both.column("pulse").role == "left out"
    assert both.column("age").label == "Age"
    assert load_cohort(ward_id).choices == both.choices


def test_changes_at_the_same_time_lose_nothing(ward, ward_id):
    def decide(number):
        levels = {"death": {"no": "alive", "yes": f"dead {number}"}}
        change_cohort(ward_id, lambda c: with_levels(c, levels), ward)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(decide, range(24)))
    assert record(ward_id).revision == len(steps(ward_id)) == 24


CHANGES = [
    role("pulse", "time"),
    lambda c: with_outcome(c, Outcome("age", cuts=(50.0, 60.0))),
    lambda c: with_missing(c, {"age": "60.0", "pulse": "80.0"}),
    lambda c: with_levels(c, {"death": {"no": "alive", "yes": "dead"}}),
    lambda c: with_labels(c, {"age": ("Age", "y")}),
    lambda c: with_subset(
        c, [Condition("age", low=55.0), Condition("death", levels=("no", "yes"))]
    ),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_step_of_any_kind_is_undone_after_it_was_on_disk(ward, ward_id, change):
    after = change_cohort(ward_id, change, ward)
    (step,) = steps(ward_id)
    back = undo_step(ward_id, step.when, after)
    assert back.choices == ward.choices == load_cohort(ward_id).choices
    pd.testing.assert_frame_equal(back.frame, ward.frame)
    assert steps(ward_id) == ()


def test_a_step_before_others_can_be_undone_alone(ward, ward_id):
    change_cohort(ward_id, role("pulse", "left out"), ward)
    after = change_cohort(ward_id, lambda c: with_labels(c, {"age": ("Age", "y")}), ward)
    first, second = steps(ward_id)
    back = undo_step(ward_id, first.when, after)
    assert back.column("pulse").role == "feature"
    assert back.column("age").label == "Age"
    assert steps(ward_id) == (second,)


def test_what_was_decided_anew_since_is_not_undone(ward, ward_id):
    change_cohort(ward_id, role("pulse", "left out"), ward)
    after = change_cohort(ward_id, role("pulse", "time"), ward)
    first, _ = steps(ward_id)
    assert undo_step(ward_id, first.when, after).column("pulse").role == "time"
    assert undo_step(ward_id, -1.0, after).column("pulse").role == "time"
    assert len(steps(ward_id)) == 2


def test_only_the_newest_steps_are_kept(ward, ward_id, monkeypatch):
    monkeypatch.setattr(cohorts, "MOST_STEPS", 3)
    held = ward
    for number in range(5):
        words = {"age": (f"Age {number}", "")}
        held = change_cohort(ward_id, lambda c, w=words: with_labels(c, w), held)
    assert [s.changes[0].after for s in steps(ward_id)] == ["Age 2", "Age 3", "Age 4"]


def test_a_full_disk_leaves_the_choices_as_they_were(ward, ward_id, monkeypatch):
    kept = record(ward_id)

    def full(descriptor, data):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(atomic, "write", full)
        with pytest.raises(atomic.StoreError, match="disk is full"):
            change_cohort(ward_id, role("pulse", "left out"), ward)
    assert record(ward_id) == kept
    assert not list(paths.data_dir().rglob(".tmp-*"))
