"""Late columns under names and codings of other places, and look-alikes that are spared."""

import numpy as np
import pandas as pd
import pytest

from benchmarks.leak_names import CLEAN, LATE
from cacviz.engine.cohorts.checks import check_cohort
from cacviz.engine.cohorts.late_names import late_family
from cacviz.engine.cohorts.leaks import late_dates, suspicions
from cacviz.engine.cohorts.making import make_cohort, read_cohort
from cacviz.engine.types import Column, Outcome
from cacviz.wording.checks import check_sentence

N = 1000
NAMES = [(name, family) for family, names in LATE.items() for name in names]


@pytest.fixture
def ward():
    rng = np.random.default_rng(5)
    return rng, rng.random(N) < 0.3


def cohort_with(event, **values):
    frame = pd.DataFrame({**values, "died": np.where(event, "yes", "no")})
    columns = [Column(name, "number") for name in values]
    return make_cohort("ward", frame, [*columns, Column("died", "yesno")], Outcome("died"))


@pytest.mark.parametrize(("name", "family"), NAMES)
def test_a_late_name_of_another_place_is_known(name, family):
    assert late_family(name) == family


@pytest.mark.parametrize("name", CLEAN)
def test_a_name_that_only_sounds_late_is_spared(name):
    assert late_family(name) == ""


def test_numbers_that_code_causes_are_told_though_all_imply_the_event(ward):
    rng, event = ward
    cause = np.where(event & (rng.random(N) < 0.6), rng.integers(1, 5, N), 0)
    (found,) = suspicions(cohort_with(event, x=cause))
    assert (found.severity, found.values["how"]) == ("grave", "implies")


def test_a_time_that_ends_with_the_follow_up_is_suspected_beside_it(ward):
    rng, event = ward
    last = rng.integers(300, 3000, N)
    early = np.where(rng.random(N) < 0.4, last, last * rng.random(N) // 1)
    found = {s.column: s for s in suspicions(cohort_with(event, followup_days=last, rt=early))}
    assert found["rt"].code == "twin"
    assert found["rt"].values == {"of": "followup_days", "left_out": False}


def test_a_column_without_any_difference_is_not_suspected_by_its_name(ward):
    _, event = ward
    assert suspicions(cohort_with(event, readmission_status=np.zeros(N))) == []


def test_dates_left_out_are_told_where_they_are_known_late(ward, tmp_path):
    rng, event = ward
    day = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 300, N), "D")
    words = day.strftime("%Y-%m-%d")
    frame = pd.DataFrame({"came": words, "left_on": np.where(event, words, "9999-99-99")})
    frame["age"], frame["died"] = rng.normal(60, 9, N), event.astype(int)
    frame.to_csv(tmp_path / "a.csv", index=False)
    cohort = read_cohort(tmp_path / "a.csv", outcome="died")
    assert cohort.column("left_on").kind == "date"
    assert late_dates(cohort) == ["left_on"]
    (check,) = [c for c in check_cohort(cohort) if c.code == "left out"]
    assert "Compute no feature from 'left_on'" in check_sentence(check)


def test_yes_no_and_not_known_in_numbers_are_asked_about_as_codes(ward):
    rng, event = ward
    codes = rng.choice([1, 2, 98], N, p=[0.3, 0.6, 0.1])
    year = rng.choice([2015, 2016, 2017], N)
    found = check_cohort(cohort_with(event, asma=codes, year_of_diagnosis=year))
    assert [c.columns for c in found if c.code == "codes"] == [("asma",)]


def test_refused_and_not_known_beside_each_other_are_codes_for_missing(ward):
    rng, event = ward
    drinks = np.where(rng.random(N) < 0.03, rng.choice([777, 999], N), rng.integers(0, 60, N))
    found = check_cohort(cohort_with(event, drinks=drinks))
    assert [c.note.values["value"] for c in found if c.code == "possible missing code"] == ["999"]


def test_an_id_written_as_one_word_is_an_id(ward):
    rng, event = ward
    found = check_cohort(cohort_with(event, RANDID=rng.permutation(9_999_999)[:N]))
    assert [c.columns for c in found if c.code == "id-like"] == [("RANDID",)]
