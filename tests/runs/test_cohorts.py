from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cacviz import runs
from cacviz.engine.exceptions import CohortError
from cacviz.engine.types import Cohort, Column, Outcome
from cacviz.runs import cohorts, paths


def every_kind():
    """A column of each type that a file may bring, each with a gap where it can have one."""
    return pd.DataFrame(
        {
            "number": [1.5, np.nan, 3e300],
            "count": np.array([1, 2, 3], dtype="int8"),
            "gappy count": pd.array([1, None, 3], dtype="Int64"),
            "half": np.array([1, 2, 3], dtype="float32"),
            "flag": [True, False, True],
            "gappy flag": pd.array([True, None, False], dtype="boolean"),
            "text": ["a", None, "é"],
            "old text": pd.Series(["a", "b", "c"], dtype=object),
            "grade": pd.Categorical(["u", None, "v"], categories=["v", "u", "w"], ordered=True),
            "code": pd.Categorical([3, 1, 3]),
            "day": pd.to_datetime(["2020-01-01", None, "2021-01-01"]),
            "second": pd.to_datetime(pd.Series([1, 2, 3]), unit="s").astype("datetime64[s]"),
        }
    )


def cohort_of(frame, name="ward"):
    columns = tuple(Column(c, "number", label=c.title(), unit="mg") for c in frame)
    outcome = Outcome("count", cuts=(1.5,), positive="high")
    return Cohort(name, frame, columns, outcome, np.array([0, 1, -1]), ("low", "high"), "cafe")


def test_a_cohort_comes_back_with_every_type_and_word():
    saved = cohort_of(every_kind())
    loaded = runs.load_cohort(runs.save_cohort(saved))
    pd.testing.assert_frame_equal(loaded.frame, saved.frame, check_exact=True)
    assert loaded.frame.dtypes.to_list() == saved.frame.dtypes.to_list()
    np.testing.assert_array_equal(loaded.y, saved.y)
    for name in ("name", "columns", "outcome", "classes", "fingerprint"):
        assert getattr(loaded, name) == getattr(saved, name)


def test_the_same_table_is_kept_once_whatever_is_asked_of_it():
    saved = cohort_of(every_kind())
    first = runs.save_cohort(saved)
    assert runs.save_cohort(saved) == first
    other = runs.save_cohort(replace(saved, outcome=None, y=np.full(3, -1), classes=()))
    assert other != first
    assert len(list(paths.tables_dir().iterdir())) == 1
    assert {row.id for row in runs.list_cohorts()} == {first, other}
    assert runs.load_cohort(other).outcome is None


def other_bytes(monkeypatch):
    """Tables are written as by another version of Arrow: the same values, other bytes."""
    real = cohorts.pq.write_table
    monkeypatch.setattr(
        cohorts.pq, "write_table", lambda *a, **k: real(*a, **(k | {"compression": "snappy"}))
    )


def test_the_same_cohort_has_the_same_id_whatever_wrote_its_table(ward, ward_id, monkeypatch):
    other_bytes(monkeypatch)
    assert runs.save_cohort(ward) == ward_id
    assert len(list(paths.tables_dir().iterdir())) == 1
    runs.delete_cohort(ward_id)
    assert runs.save_cohort(ward) == ward_id


def test_a_cohort_stored_under_an_id_of_an_older_version_keeps_it(ward, ward_id):
    (paths.cohorts_dir() / ward_id).rename(paths.cohorts_dir() / ("0" * 24))
    assert runs.save_cohort(ward) == "0" * 24
    pd.testing.assert_frame_equal(runs.load_cohort("0" * 24).frame, ward.frame)
    assert runs.save_cohort(replace(ward, y=1 - ward.y)) != "0" * 24


def test_deleting_a_cohort_takes_its_runs_and_leaves_a_shared_table(ward, ward_id, config):
    kept = runs.save_cohort(replace(ward, name="other"))
    run_id, other = runs.create_run(ward_id, config), runs.create_run(kept, config)
    runs.delete_cohort(ward_id)
    assert [row.id for row in runs.list_cohorts()] == [kept]
    assert [row.id for row in runs.list_runs()] == [other]
    assert runs.load_cohort(kept).n_patients == 60
    with pytest.raises(runs.StoreError, match="not here any more"):
        runs.progress(run_id)
    runs.delete_cohort(kept)
    assert not list(paths.tables_dir().iterdir())


def test_a_table_that_a_crash_left_without_a_cohort_is_swept(ward_id):
    orphan = paths.tables_dir() / ("0" * 64 + ".parquet")
    orphan.write_bytes(b"patients")
    damaged = paths.cohorts_dir() / "half"
    damaged.mkdir()
    assert runs.sweep() == 0  # it may be the damaged one's
    damaged.rmdir()
    assert runs.sweep() == 1
    assert not orphan.exists()
    assert runs.load_cohort(ward_id).n_patients == 60


def test_a_mixed_column_is_refused_by_name():
    frame = every_kind().assign(mixed=pd.Series([1, "b", None], dtype=object))
    with pytest.raises(CohortError, match="Column 'mixed' mixes kinds"):
        runs.save_cohort(cohort_of(frame))


def test_a_changed_table_is_refused_and_mended_when_the_cohort_comes_again(
    ward, ward_id, monkeypatch
):
    (table,) = paths.tables_dir().iterdir()
    table.write_bytes(table.read_bytes()[:-1] + b"x")
    with pytest.raises(runs.StoreError, match="was changed"):
        runs.load_cohort(ward_id)
    other_bytes(monkeypatch)
    assert runs.save_cohort(ward) == ward_id
    pd.testing.assert_frame_equal(runs.load_cohort(ward_id).frame, ward.frame)
    runs.sweep()
    assert len(list(paths.tables_dir().iterdir())) == 1


@pytest.mark.parametrize("hostile", ["../runs", "/etc", "a/b", "", ".", "x\0", "ａｂ"])
def test_a_hostile_cohort_id_reaches_no_file(hostile):
    with pytest.raises(runs.StoreError):
        runs.load_cohort(hostile)
