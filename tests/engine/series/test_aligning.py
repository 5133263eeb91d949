"""Records of other patients get the variables that a run knows."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.exceptions import CohortError
from cacviz.engine.series.aligning import with_variables
from cacviz.engine.series.tables import series_table
from cacviz.engine.types import Window
from tests.engine.series.record_files import records_of


def records(**columns):
    n = len(next(iter(columns.values())))
    frame = pd.DataFrame({"patient": 7, "hour": np.arange(n), **columns})
    return records_of(frame)


def test_a_variable_that_nobody_has_was_measured_no_times():
    found = with_variables(records(HR=[60, 70], temp=[36.0, 37.0]), ["Temp", "HR", "Lactate"])
    assert found.variables == ("HR", "Lactate", "Temp")
    table = series_table(found, Window(2))
    assert table.frame["Lactate_count"].tolist() == [0]
    assert table.frame["Lactate_last"].isna().all()
    assert table.frame["Temp_last"].tolist() == [37.0]
    assert table.series.values[0, :, 0].tolist() == [60, 70]
    (note,) = found.notes
    assert (note.code, note.values["columns"]) == ("variables not measured", ("Lactate",))


def test_variables_that_the_run_does_not_know_stay_as_they_are():
    found = with_variables(records(HR=[60, 70], Mood=[1, 2]), ["HR"])
    assert found.variables == ("HR", "Mood")
    assert found.notes == ()


def test_records_of_another_kind_are_refused():
    with pytest.raises(CohortError, match=r"0 of the 2 variables .* 'HR' and 'Temp'"):
        with_variables(records(Glucose=[5, 6]), ["HR", "Temp"])
