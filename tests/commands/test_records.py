"""Hourly records on the command line: each form that a file may have, and what is refused."""

import argparse

import numpy as np
import pandas as pd
import pytest

from cacviz.commands import cohorts
from cacviz.commands.main import main
from cacviz.engine.exceptions import CohortError
from tests.engine.series.record_files import (
    OUTCOMES_2012,
    SET_A,
    STAYS_2019,
    as_folder,
    as_zip,
)


def arguments(path, *more):
    parser = argparse.ArgumentParser()
    cohorts.add_cohort(parser)
    return parser.parse_args([str(path), *more])


@pytest.fixture
def long_file(tmp_path):
    """Six patients with an hourly pulse, and their outcomes in another table."""
    hours = np.tile(np.arange(30), 6)
    patient = np.repeat(np.arange(6), 30)
    frame = pd.DataFrame({"stay": patient, "t": hours, "what": "HR", "found": 60 + patient + hours})
    frame.to_csv(tmp_path / "long.csv", index=False)
    outcomes = pd.DataFrame({"stay": range(6), "died": list("010101"), "Age": 50})
    outcomes.to_csv(tmp_path / "outcomes.csv", index=False)
    return tmp_path / "long.csv"


LONG = ["--id", "stay", "--time", "t", "--variable", "what", "--value", "found"]


def test_a_long_table_with_a_joined_outcome_becomes_a_cohort_with_series(long_file, capsys):
    static = ["--static", str(long_file.parent / "outcomes.csv"), "--outcome", "died"]
    cohort = cohorts.read(arguments(long_file, *LONG, *static, "--window", "12"))
    assert cohort.series.values.shape == (6, 12, 1)
    assert cohort.frame["HR_last"].tolist() == [71, 72, 73, 74, 75, 76]  # hour 11, no later one
    assert cohort.classes == ("0", "1")
    assert cohort.names("patient id") == ["stay"]
    said = capsys.readouterr().err
    assert "6 patients were read" in said
    assert "taken as hours" in said


def test_a_window_of_24_hours_and_a_unit_that_is_said(long_file, capsys):
    static = ["--static", str(long_file.parent / "outcomes.csv"), "--outcome", "died"]
    cohort = cohorts.read(arguments(long_file, *LONG, *static, "--time-unit", "minutes"))
    assert cohort.series.n_hours == 24
    assert cohort.frame["HR_last"].tolist() == [89, 90, 91, 92, 93, 94]  # all within half an hour
    assert "taken as" not in capsys.readouterr().err


def test_a_wide_table_and_its_event_by_the_hour(tmp_path):
    """The outcome is whether the event comes after the window; who had it before is left out."""
    rows = [
        (p, h, 60 + h, int(p == 1 and h >= 3) or int(p == 2))
        for p in range(4)
        for h in (1, 2, 3, 4)
    ]
    frame = pd.DataFrame(rows, columns=["patient", "ICULOS", "HR", "SepsisLabel"])
    frame.to_csv(tmp_path / "wide.csv", index=False)
    given = ["--time", "ICULOS", "--window", "2", "--outcome", "SepsisLabel"]
    cohort = cohorts.read(arguments(tmp_path / "wide.csv", *given))
    assert cohort.frame["patient"].tolist() == [0, 1, 3]
    assert cohort.y.tolist() == [0, 1, 0]
    assert "SepsisLabel" not in cohort.series.variables


def test_the_challenges_own_files_are_known_without_a_word(tmp_path):
    folder = as_folder(tmp_path / "set", SET_A)
    given = ["--outcome", "SAPS-I", "--window", "48"]
    cohort = cohorts.read(arguments(folder, *given))
    assert cohort.names("patient id") == ["RecordID"]
    zipped = tmp_path / "set.zip"
    zipped.write_bytes(as_zip(SET_A))
    assert cohorts.read(arguments(zipped, *given)).table.digest == cohort.table.digest


def test_the_challenge_of_2019_and_a_format_that_is_said(tmp_path):
    folder = as_folder(tmp_path / "set", STAYS_2019)
    given = ["--outcome", "SepsisLabel", "--window", "2", "--format", "p2019"]
    cohort = cohorts.read(arguments(folder, *given))
    assert cohort.table.flow.form == "p2019"
    assert cohort.series.n_hours == 2


def test_an_ordinary_table_is_read_as_before(tmp_path):
    (tmp_path / "o.csv").write_text(OUTCOMES_2012)
    cohort = cohorts.read(arguments(tmp_path / "o.csv", "--outcome", "In-hospital_death"))
    assert cohort.series is None
    assert cohort.n_patients == 3


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--variable", "what"], "name --variable and --value"),
        (["--time", "when"], "no column 'when'"),
        (["--window", "0"], "whole number of 1 or more"),
        ([*LONG, "--window", "12", "--static", "nowhere.csv"], "nowhere.csv"),
    ],
)
def test_a_wrong_call_is_one_line_and_code_2(long_file, capsys, more, said):
    try:
        code = main(["fit", str(long_file), "--outcome", "died", *more])
    except SystemExit as ended:
        code = ended.code
    assert code == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_nothing_after_the_window_reaches_a_cohort_of_the_command_line(long_file):
    static = ["--static", str(long_file.parent / "outcomes.csv"), "--outcome", "died"]
    before = cohorts.read(arguments(long_file, *LONG, *static, "--window", "12"))
    frame = pd.read_csv(long_file)
    frame.loc[frame["t"] >= 12, "found"] = 9999
    frame.to_csv(long_file, index=False)
    after = cohorts.read(arguments(long_file, *LONG, *static, "--window", "12"))
    assert after.table.digest == before.table.digest


def test_a_static_table_of_other_patients_is_refused(long_file, tmp_path):
    (tmp_path / "others.csv").write_text("stay,died\n77,0\n78,1\n")
    static = ["--static", str(tmp_path / "others.csv"), "--outcome", "died"]
    with pytest.raises(CohortError):
        cohorts.read(arguments(long_file, *LONG, *static))
