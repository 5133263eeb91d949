"""Data dictionaries as hospitals write them."""

import pandas as pd
import pytest

from cacviz.engine.cohorts.dictionaries import read_dictionary, write_dictionary
from cacviz.engine.cohorts.making import cohort_of, make_cohort
from cacviz.engine.exceptions import CohortError
from cacviz.engine.types import Choices, Column, Outcome


@pytest.fixture
def choices():
    names = ("PatientID", "Alter", "sex", "los", "death")
    return Choices(tuple(Column(n, "number") for n in names))


def test_labels_units_roles_and_levels_are_taken_over(choices):
    table = pd.DataFrame(
        {
            "Variable / Field Name": ["patientid", "alter", "sex", "los", "death", "gone"],
            "Label": ["", "Age", "Sex", "", "Death in hospital", "nothing"],
            "Einheit": ["", "years", "", "days", "", ""],
            "Role": ["id", "predictor", "sensitive", "exclude", "target", ""],
            "Values": ["", "", "1, male | 2, female", "", "", ""],
        }
    ).rename(columns={"Variable / Field Name": "Field name"})
    found = read_dictionary(table, choices)
    by_name = {c.name: c for c in found.choices.columns}
    assert by_name["Alter"].label == "Age"
    assert by_name["Alter"].unit == "years"
    assert by_name["sex"].levels == (("1", "male"), ("2", "female"))
    assert [by_name[n].role for n in ("PatientID", "sex", "los", "death")] == [
        *("patient id", "sensitive", "left out", "outcome"),
    ]
    assert found.choices.outcome == Outcome("death")
    assert found.unknown == ("gone",)


def test_what_is_written_reads_back_the_same(choices):
    column = Column("sex", "category", "sensitive", "Sex", "", (), (("1", "male"), ("2", "female")))
    before = Choices((*choices.columns[:2], column, *choices.columns[3:]))
    assert read_dictionary(write_dictionary(before), choices).choices.columns == before.columns


def test_words_that_are_no_role_are_told(choices):
    table = pd.DataFrame({"column": ["los"], "role": ["wizard"]})
    found = read_dictionary(table, choices)
    assert found.odd == ("wizard",)
    assert found.choices == choices


def test_two_columns_cannot_have_a_role_for_one(choices):
    table = pd.DataFrame({"column": ["los", "Alter"], "role": ["time", "time"]})
    found = read_dictionary(table, choices).choices
    assert found.names("time") == ["Alter"]
    assert found.names("left out") == ["los"]


def test_a_table_that_is_no_dictionary_is_refused_by_name(choices):
    with pytest.raises(CohortError, match=r"no data dictionary.*age"):
        read_dictionary(pd.DataFrame({"age": [1], "bmi": [2]}), choices)


def test_levels_name_the_codes_of_a_cohort():
    frame = pd.DataFrame({"sex": [1, 2, 1, None], "death": [0, 1, 0, 1]})
    made = make_cohort(
        "c", frame, [Column("sex", "number"), Column("death", "yesno")], Outcome("death")
    )
    named = read_dictionary(
        pd.DataFrame({"column": ["sex"], "levels": ["1=male;2=female"]}), made.choices
    ).choices
    values = cohort_of("c", made.table, named).frame["sex"]
    assert values.fillna("").tolist() == ["male", "female", "male", ""]
