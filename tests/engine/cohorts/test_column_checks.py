"""Columns by themselves: ids, empty and constant ones, codes of categories and for missing."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.checks import check_cohort
from cacviz.wording.checks import check_sentence
from tests.engine.cohorts.faulty import N, after, clean, cohort_of, found, labels, one


def test_empty_columns_are_named_together():
    frame = clean().assign(et=np.nan, co=np.nan, same=1, like=2)
    empty, same = [c for c in check_cohort(cohort_of(frame)) if c.code != "duplicate columns"]
    assert check_sentence(empty) == "'et' and 'co' are empty: nothing was measured."
    assert check_sentence(same) == "'same' and 'like' have one value each in every patient."
    assert [*labels(empty), *labels(same)] == ["Leave out both"] * 2


@pytest.mark.parametrize("name", ["pat", "Subject", "MRN", "Patient_ID", "lfd", "row"])
@pytest.mark.parametrize("form", ["HF{:05d}", "{:d}"])
def test_whatever_looks_like_an_id_can_be_the_patient_id_or_left_out(name, form):
    values = [form.format(i) for i in range(1, N + 1)]
    kind = "number" if form == "{:d}" else "category"
    values = pd.to_numeric(pd.Series(values)) if kind == "number" else pd.Series(values)
    cohort = cohort_of(clean().assign(**{name: values}), {name: kind})
    (check,) = check_cohort(cohort)
    assert set(labels(check)) == {f"Use {name} as patient id", f"Leave out {name}"}
    assert f"'{name}' looks like an id ({values[0]}, {values[1]}, …)" in check_sentence(check)
    for place in range(2):
        assert check_cohort(after(cohort, check, place)) == ()


def test_whole_numbers_of_any_length_are_no_ids():
    bnp = np.random.default_rng(0).permutation(np.arange(50, 150_000, 97))[:N]
    assert check_cohort(cohort_of(clean().assign(bnp=bnp))) == ()
    assert found(cohort_of(clean().assign(bnp=100_000 + bnp % 99_991))) == {("id-like", "bnp")}


def test_where_a_column_is_the_patient_id_a_second_one_is_only_left_out():
    frame = clean().assign(mrn=np.arange(N) + 7000, subject=np.arange(N) + 100)
    cohort = cohort_of(frame, roles={"mrn": "patient id"})
    (check,) = check_cohort(cohort)
    assert labels(check) == ["Leave out subject"]
    changed = after(cohort, check)
    assert changed.names("patient id") == ["mrn"]
    assert changed.names("left out") == ["subject"]


def test_of_several_ids_the_patients_own_is_offered_and_all_can_be_left_out():
    encounters = np.random.default_rng(0).permutation(N) + 9000
    frame = clean().assign(encounter_id=encounters, patient_id=np.arange(N) + 100)
    cohort = cohort_of(frame)
    (check,) = check_cohort(cohort)
    assert labels(check) == ["Use patient_id as patient id", "Leave out both"]
    assert after(cohort, check).names("patient id") == ["patient_id"]
    assert after(cohort, check, 1).names("left out") == ["encounter_id", "patient_id"]


def test_of_a_stay_and_a_person_who_comes_back_the_person_is_the_patient():
    people = [f"002-{i // 2 + 1000}" for i in range(N)]
    frame = clean().assign(patientunitstayid=np.arange(N) + 9000, uniquepid=people)
    (check,) = check_cohort(cohort_of(frame, {"uniquepid": "category"}))
    assert labels(check)[0] == "Use uniquepid as patient id"


@pytest.mark.parametrize("name", ["hospitalid", "admission_source_id", "icd_code", "site"])
def test_many_whole_numbers_that_are_called_codes_are_asked_about(name):
    codes = np.random.default_rng(0).integers(60, 110, N)
    assert found(cohort_of(clean().assign(**{name: codes}))) == {("codes", name)}


@pytest.mark.parametrize("name", ["heart_rate", "uric_acid", "days_in_hospital", "lipid"])
def test_many_whole_numbers_that_are_not_called_codes_are_measurements(name):
    values = np.random.default_rng(0).integers(60, 110, N)
    assert ("codes", name) not in found(cohort_of(clean().assign(**{name: values})))


def test_a_repeated_id_is_offered_as_patient_id():
    frame = clean().assign(patient_nbr=np.arange(N) // 1.5 // 1 + 70_000)
    check = one(cohort_of(frame), "id-like")
    assert check.remedies[0].role == "patient id"
    assert "several rows" in check_sentence(check)


@pytest.mark.parametrize("code", [-1, -999, 999, 0])
def test_a_value_that_may_mean_missing_is_said(code):
    rng = np.random.default_rng(0)
    # few different values, so that the code is not the commonest of them
    pressure = np.where(rng.random(N) < 0.05, code, 90 + rng.choice([-7, -5, -2, 0, 1, 4, 6], N))
    cohort = cohort_of(clean().assign(pressure=pressure))
    (check,) = check_cohort(cohort)
    assert check.code == "possible missing code"
    n = int(np.sum(pressure == code))
    assert check_sentence(check).startswith(f"'pressure' is {code} in {n} patients, away from")
    assert labels(check) == [f"Treat {code} as missing", "Keep it"]
    fixed = after(cohort, check)
    assert fixed.frame["pressure"].isna().sum() == n
    assert fixed.frame["pressure"].min() > 50
    assert check_cohort(fixed) == ()


@pytest.mark.parametrize("name", ["MechVentDuration", "n_visits", "ICU days"])
def test_a_number_of_things_or_a_duration_may_be_none(name):
    rng = np.random.default_rng(0)
    often = np.where(rng.random(N) < 0.05, 0, 90 + rng.choice([-7, -5, -2, 0, 1, 4, 6], N))
    assert not [
        c
        for c in check_cohort(cohort_of(clean().assign(**{name: often})))
        if c.code == "possible missing code"
    ]


def test_the_same_code_in_several_columns_is_said_once_with_one_fix_for_all():
    rng, frame = np.random.default_rng(0), clean()
    for name, share in (("skin", 0.1), ("mass", 0.05)):
        values = 90 + rng.choice([-7, -5, -2, 0, 1, 4, 6], N)
        frame[name] = np.where(rng.random(N) < share, 0, values)
    cohort = cohort_of(frame)
    (check,) = check_cohort(cohort)
    n = [int((frame[name] == 0).sum()) for name in ("skin", "mass")]
    assert f"'skin' is 0 in {n[0]} patients and 'mass' in {n[1]}, away" in check_sentence(check)
    assert labels(check) == ["Treat 0 as missing in both", "Keep them"]
    assert check_cohort(after(cohort, check)) == ()
    answered = after(cohort, check, 1)
    assert [c.note.severity for c in check_cohort(answered)] == ["hint"]
    assert not answered.frame[["skin", "mass"]].isna().any(axis=None)


def test_where_a_file_writes_0_for_not_measured_its_emptiest_columns_are_asked_about_too():
    rng, frame = np.random.default_rng(0), clean()
    for name, share in (("mass", 0.05), ("insulin", 0.5), ("n_visits", 0.5)):
        values = 90 + rng.choice([-7, -5, -2, 0, 1, 4, 6], N)
        frame[name] = np.where(rng.random(N) < share, 0, values)
    (check,) = check_cohort(cohort_of(frame))
    assert check.columns == ("insulin", "mass")  # a number of things may be none
    (alone,) = check_cohort(cohort_of(frame.drop(columns="insulin")))
    assert alone.columns == ("mass",)


def test_a_zero_that_is_the_commonest_value_is_no_missing_code():
    rng = np.random.default_rng(0)
    calcium = np.where(rng.random(N) < 0.4, 0, rng.normal(90, 10, N).round())
    assert check_cohort(cohort_of(clean().assign(calcium=calcium))) == ()


def test_counts_from_zero_are_no_missing_code():
    visits = np.random.default_rng(0).poisson(2, N)
    assert check_cohort(cohort_of(clean().assign(visits=visits))) == ()


def test_a_few_whole_numbers_may_be_codes_of_a_category():
    codes = np.random.default_rng(0).integers(1, 5, N)
    cohort = cohort_of(clean().assign(unit=codes, gravity_grade=codes[::-1]))
    (check,) = check_cohort(cohort)  # a grade has an order: nobody is asked about it
    assert (check.code, check.columns, check.note.severity) == ("codes", ("unit",), "hint")
    assert labels(check) == ["It is a category", "It is a number"]
    assert after(cohort, check).column("unit").kind == "category"
    assert after(cohort, check, 1).column("unit").kind == "number"


def test_a_column_that_follows_from_the_arm_tells_it_too():
    """Treated or not, beside four arms: three of them cannot be told apart by it."""
    arms = np.arange(N) % 4
    frame = clean().assign(arm=arms.astype(str), treated=(arms > 0).astype(int))
    cohort = cohort_of(frame, {"arm": "category"}, {"arm": "treatment"})
    told = [c for c in check_cohort(cohort) if c.code == "tells the treatment"]
    assert [c.columns for c in told] == [("treated",)]
