"""Whether a file holds records is told before it is read as a table."""

import pandas as pd
import pytest

from cacviz.engine.series.recognising import Looked, look
from cacviz.engine.types import Table
from tests.engine.series.record_files import LONG, SET_A, WIDE, as_csv, as_folder, as_zip

MANY = pd.concat([WIDE.assign(patient=WIDE["patient"] * 10, hour=WIDE["hour"] + h) for h in (0, 9)])


def test_a_long_table_is_known_with_its_columns():
    found = look(as_csv(LONG), "long.csv")
    assert isinstance(found, Looked)
    layout = found.layout
    named = (layout.id, layout.time, layout.variable, layout.value, layout.form)
    assert named == ("patient", "hours", "variable", "value", "long")
    assert (found.n_rows, found.n_patients, found.unit) == (8, 3, "hours")


def test_a_wide_table_needs_several_hours_a_patient():
    found = look(as_csv(MANY), "wide.csv")
    assert isinstance(found, Looked)
    assert found.layout.form == "wide"
    assert isinstance(look(as_csv(WIDE.drop_duplicates("patient")), "wide.csv"), Table)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"id": range(20), "time": range(20), "event": [0, 1] * 10}),  # survival
        pd.DataFrame({"patient": [1, 1, 2, 2], "time": [1, 2, 1, 2], "stage": [1, 2, 1, 3]}),
        pd.DataFrame({"age": range(9), "death": [0, 1, 0] * 3}),
    ],
)
def test_a_row_a_patient_or_a_few_visits_are_an_ordinary_table(frame):
    assert isinstance(look(as_csv(frame), "ward.csv"), Table)


def test_a_zip_or_a_folder_is_one_of_the_challenges(tmp_path):
    for source in (as_zip(SET_A), as_folder(tmp_path, SET_A)):
        found = look(source, "set")
        assert isinstance(found, Looked)
        assert found.archive
