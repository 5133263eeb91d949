"""Hourly series on disk: kept once beside their table, checked, and never written again."""

import numpy as np
import pytest

from cacviz.engine.cohorts.choosing import first_choices, with_roles, with_subset
from cacviz.engine.cohorts.making import changed, cohort_of
from cacviz.engine.series.tables import series_table
from cacviz.engine.types import Condition, Window
from cacviz.store import atomic, cohorts, paths, tables
from cacviz.store.series import pack_series, unpack_series
from tests.engine.series.record_files import LONG, records_of


@pytest.fixture
def stays(monkeypatch):
    """A cohort of three patients with hours, none of it read before."""
    monkeypatch.setattr(tables, "_read", {})
    table = series_table(records_of(LONG), Window(24))
    return cohort_of("stays", table, first_choices(table.columns))


def assert_same(left, right):
    assert left.variables == right.variables
    for part in ("values", "measured", "since"):
        assert np.array_equal(getattr(left, part), getattr(right, part), equal_nan=part == "values")


def test_a_series_comes_back_as_it_was_kept(stays):
    assert_same(unpack_series(pack_series(stays.series)), stays.series)


def test_a_cohort_of_records_is_stored_with_its_hours_and_its_flow(stays):
    back = cohorts.load_cohort(cohorts.add_cohort(stays))
    assert_same(back.series, stays.series)
    assert back.table.flow == stays.table.flow
    assert back.fingerprint == stays.fingerprint
    assert cohorts.list_cohorts()[0].has_series


def test_deciding_about_columns_rewrites_no_series(stays):
    cohort_id = cohorts.add_cohort(stays)
    (file,) = paths.tables_dir().glob("*.series")
    before = file.stat().st_mtime_ns, file.stat().st_ino
    cohorts.change_cohort(cohort_id, lambda c: with_roles(c, {"HR_first": "left out"}), stays)
    cohorts.add_cohort(stays)
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == before
    assert len(list(paths.tables_dir().glob("*.series"))) == 1


def test_a_subgroup_has_the_hours_of_its_own_patients(stays):
    older = changed(stays, with_subset, (Condition("HR_first", low=70),))
    back = cohorts.load_cohort(cohorts.add_cohort(older))
    assert_same(back.series, stays.series.take(np.array([0])))


@pytest.mark.parametrize("harm", ["a byte", "no file"])
def test_a_damaged_series_is_refused_and_mended_when_its_file_comes_again(stays, harm):
    cohort_id = cohorts.add_cohort(stays)
    file = tables.series_file(stays.table.digest)
    if harm == "a byte":
        file.write_bytes(file.read_bytes()[:-1] + b"x")
    else:
        file.unlink()
    with pytest.raises(atomic.StoreError, match="hourly records of cohort 'stays' were changed"):
        cohorts.load_cohort(cohort_id)
    cohorts.save_cohort(stays)
    assert_same(cohorts.load_cohort(cohort_id).series, stays.series)


def test_what_is_no_series_says_so():
    with pytest.raises(atomic.StoreError, match="cannot be read"):
        unpack_series(b"nonsense")


def test_a_series_goes_with_the_last_cohort_that_has_it(stays):
    one, other = cohorts.add_cohort(stays), cohorts.add_cohort(stays)
    cohorts.remove_cohort(one)
    assert tables.series_file(stays.table.digest).exists()
    cohorts.remove_cohort(other)
    assert not list(paths.tables_dir().iterdir())


def test_a_series_whose_table_a_crash_never_wrote_is_swept(stays):
    tables.series_file("0" * 64).write_bytes(pack_series(stays.series))
    cohorts.sweep_tables()
    assert not list(paths.tables_dir().iterdir())
