"""Tables as Parquet: what comes back is what was kept, once for each content."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.exceptions import CohortError
from cacviz.store import atomic, paths, tables


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


def test_every_type_survives_parquet():
    frame = every_kind()
    back = tables.from_parquet(tables.to_parquet(frame))
    pd.testing.assert_frame_equal(back, frame, check_exact=True)
    assert back.dtypes.to_list() == frame.dtypes.to_list()


def test_a_mixed_column_is_refused_by_name():
    frame = every_kind().assign(mixed=pd.Series([1, "b", None], dtype=object))
    with pytest.raises(CohortError, match="Column 'mixed' mixes kinds"):
        tables.to_parquet(frame)


def test_a_table_is_written_once(monkeypatch):
    frame = every_kind()
    tables.keep_table(frame, "d1")
    monkeypatch.setattr(tables, "to_parquet", lambda frame: pytest.fail("written again"))
    tables.keep_table(frame, "d1")
    pd.testing.assert_frame_equal(tables.load_frame("d1", "ward"), frame)


@pytest.mark.parametrize("harm", ["a byte", "no table", "no seal", "another seal"])
def test_a_damaged_table_is_refused_and_written_again_when_it_comes_again(harm):
    frame = every_kind()
    tables.keep_table(frame, "d1")
    table, seal = tables.table_file("d1"), paths.tables_dir() / "d1.json"
    if harm == "a byte":
        table.write_bytes(table.read_bytes()[:-1] + b"x")
    elif harm == "another seal":
        seal.write_bytes(b"[]")
    else:
        (table if harm == "no table" else seal).unlink()
    with pytest.raises(atomic.StoreError, match="table of cohort 'ward' was changed"):
        tables.load_frame("d1", "ward")
    tables.keep_table(frame, "d1")
    pd.testing.assert_frame_equal(tables.load_frame("d1", "ward"), frame)


def test_tables_that_nobody_has_go_with_their_seals():
    for digest in ("d1", "d2"):
        tables.keep_table(every_kind(), digest)
    assert tables.remove_unshared({"d2"}) == 1
    assert {path.name for path in paths.tables_dir().iterdir()} == {"d2.parquet", "d2.json"}
