from dataclasses import replace

import pandas as pd
import pytest

from cacviz.engine.cohorts.choosing import with_outcome, with_roles
from cacviz.engine.cohorts.making import changed, make_cohort
from cacviz.engine.exceptions import CohortError
from cacviz.engine.types import Column, Outcome
from cacviz.jobs.sweeping import sweep
from cacviz.store import atomic, paths, tables
from cacviz.store.cohorts import (
    COHORT,
    add_cohort,
    change_cohort,
    describe_cohort,
    home_of,
    list_cohorts,
    load_cohort,
    remove_cohort,
    rename_cohort,
    save_cohort,
)
from tests.store.test_tables import every_kind


def cohort_of(frame, name="ward", **more):
    columns = [Column(c, "number", label=c.title(), unit="mg") for c in frame]
    return make_cohort(name, frame, columns, Outcome("count", cuts=(1.5,)), **more)


def n_tables():
    return len(list(paths.tables_dir().glob("*.parquet")))


def test_a_cohort_comes_back_with_every_type_and_word():
    saved = cohort_of(every_kind(), origin="example")
    loaded = load_cohort(save_cohort(saved))
    pd.testing.assert_frame_equal(loaded.frame, saved.frame, check_exact=True)
    assert loaded.frame.dtypes.to_list() == saved.frame.dtypes.to_list()
    assert (loaded.y == saved.y).all()
    for name in ("name", "choices", "classes", "fingerprint", "origin"):
        assert getattr(loaded, name) == getattr(saved, name)
    for name in ("columns", "notes", "digest"):
        assert getattr(loaded.table, name) == getattr(saved.table, name)


def test_the_same_table_is_kept_once_whatever_is_asked_of_it():
    saved = cohort_of(every_kind())
    first = save_cohort(saved)
    assert save_cohort(saved) == first
    other = save_cohort(changed(saved, with_outcome, None))
    assert other != first
    assert n_tables() == 1
    assert {row.id for row in list_cohorts()} == {first, other}
    assert load_cohort(other).outcome is None


def test_a_file_opened_twice_can_be_two_cohorts_of_one_table(ward, ward_id):
    assert add_cohort(ward) != ward_id
    assert len(list_cohorts()) == 2
    assert n_tables() == 1


def test_a_run_belongs_to_the_same_cohort_else_to_one_of_its_table(ward, ward_id):
    assert home_of(ward) == ward_id
    assert home_of(changed(ward, with_outcome, None)) == ward_id
    assert [row.id for row in list_cohorts()] == [ward_id]
    assert home_of(replace(ward, name="other")) != ward_id


def other_bytes(monkeypatch):
    """Tables are written as by another version of Arrow: the same values, other bytes."""
    real = tables.pq.write_table
    monkeypatch.setattr(
        tables.pq, "write_table", lambda *a, **k: real(*a, **(k | {"compression": "snappy"}))
    )


def test_the_same_cohort_has_the_same_id_whatever_wrote_its_table(ward, ward_id, monkeypatch):
    other_bytes(monkeypatch)
    assert save_cohort(ward) == ward_id
    assert n_tables() == 1
    pd.testing.assert_frame_equal(load_cohort(ward_id).frame, ward.frame)


def test_removing_a_cohort_leaves_a_table_that_another_has(ward, ward_id):
    kept = save_cohort(replace(ward, name="other"))
    remove_cohort(ward_id)
    assert [row.id for row in list_cohorts()] == [kept]
    assert load_cohort(kept).n_patients == 60
    remove_cohort(kept)
    assert not list(paths.tables_dir().iterdir())


def test_a_table_that_a_crash_left_without_a_cohort_is_swept(ward_id):
    orphan = paths.tables_dir() / ("0" * 64 + ".parquet")
    orphan.write_bytes(b"patients")
    damaged = paths.cohorts_dir() / "half"
    damaged.mkdir()
    assert sweep() == 0  # it may be the damaged one's
    damaged.rmdir()
    assert sweep() == 1
    assert not orphan.exists()
    assert load_cohort(ward_id).n_patients == 60


def test_a_mixed_column_is_refused_by_name():
    frame = every_kind().assign(mixed=pd.Series([1, "b", None], dtype=object))
    with pytest.raises(CohortError, match="Column 'mixed' mixes kinds"):
        save_cohort(cohort_of(frame))
    assert list_cohorts() == []


@pytest.mark.parametrize("keep", [save_cohort, add_cohort, home_of])
def test_a_changed_table_is_refused_and_mended_when_the_cohort_comes_again(
    ward, ward_id, monkeypatch, keep
):
    (table,) = paths.tables_dir().glob("*.parquet")
    table.write_bytes(table.read_bytes()[:-1] + b"x")
    with pytest.raises(atomic.StoreError, match="was changed"):
        load_cohort(ward_id)
    other_bytes(monkeypatch)
    again = keep(ward)
    assert (again == ward_id) == (keep is not add_cohort)
    for cohort_id in (ward_id, again):
        pd.testing.assert_frame_equal(load_cohort(cohort_id).frame, ward.frame)
    sweep()
    assert n_tables() == 1


def test_a_name_changes_apart_from_the_table(ward, ward_id):
    rename_cohort(ward_id, "Ward 7")
    assert load_cohort(ward_id).name == describe_cohort(ward_id).name == "Ward 7"
    assert load_cohort(ward_id).fingerprint == ward.fingerprint


@pytest.mark.parametrize("bytes_", [b"", b"[]", b"{}", b"7", b"{", b'{"name": 3}'])
def test_a_damaged_cohort_is_passed_over_and_spoils_no_other(ward, ward_id, bytes_):
    damaged = add_cohort(ward)
    (paths.cohorts_dir() / damaged / COHORT).write_bytes(bytes_)
    assert [row.id for row in list_cohorts()] == [ward_id]
    with pytest.raises(atomic.StoreError, match="not stored here any more"):
        load_cohort(damaged)


@pytest.mark.parametrize("hostile", ["../runs", "/etc", "a/b", "", ".", "x\0", "ａｂ", "0" * 26])
def test_a_hostile_cohort_id_reaches_no_file(hostile):
    with pytest.raises(atomic.StoreError):
        load_cohort(hostile)


def test_patients_with_several_stays_are_counted_once_an_id_is_chosen():
    frame = pd.DataFrame(
        {"who": ["a", "a", "b", None, None], "age": range(5), "y": [0, 1] * 2 + [0]}
    )
    columns = [Column("who", "category"), Column("age", "number"), Column("y", "yesno")]
    ward = make_cohort("ward", frame, columns, Outcome("y"))
    name = add_cohort(ward)
    assert describe_cohort(name).n_people == 5
    after = change_cohort(name, lambda c: with_roles(c, {"who": "patient id"}), ward)
    assert after.n_people == describe_cohort(name).n_people == 4  # a, b and two nameless ones
