"""Checks: every planted fault is found, clean cohorts raise no false alarm, remedies work."""

import time

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.checks import check_cohort
from cacviz.engine.cohorts import make_cohort, remedied
from cacviz.engine.leaks import column_auc, leak_notes
from cacviz.engine.metrics import auc
from cacviz.engine.types import Column, Outcome
from tests.engine.cohort_files import COHORTS, shared_cohort

N = 600


def clean(n=N, n_classes=2, seed=0):
    """A cohort without a fault: five measurements, a category, an outcome they hint at."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(n, 5)).round(2), columns=list("abcde"))
    frame["ward"] = rng.choice(["x", "y", "z"], n)
    risk = frame["a"] + rng.normal(size=n)
    frame["death"] = pd.qcut(risk, n_classes, labels=False)
    return frame


def cohort_of(frame, kinds=None, roles=None):
    kinds, roles = {"ward": "category", **(kinds or {})}, roles or {}
    columns = [Column(n, kinds.get(n, "number"), roles.get(n, "feature")) for n in frame]
    return make_cohort("ward", frame, columns, Outcome("death"))


def found(cohort):
    return {(c.name, *c.columns) for c in check_cohort(cohort)}


def test_a_clean_cohort_has_no_findings():
    for seed in range(5):
        assert check_cohort(cohort_of(clean(seed=seed))) == ()
    assert check_cohort(cohort_of(clean(n_classes=4))) == ()


def planted(rng, y):
    n = len(y)
    order = np.argsort(np.argsort(y + rng.normal(0, 0.2, n)))
    dates = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), "D")
    return {
        "copy": (y * 1.0, "number", "outcome leak"),
        "reversed": (1.0 - y, "number", "outcome leak"),
        "noisy": (y + rng.normal(0, 0.3, n), "number", "outcome leak"),
        "words": (np.where(y, "ICU death form", "home"), "category", "outcome leak"),
        "ushape": (
            np.where(y, rng.choice([-5, 5], n), rng.normal(size=n)),
            "number",
            "outcome leak",
        ),
        "gone": (np.where(y, np.nan, rng.normal(size=n)), "number", "outcome leak"),
        "rank": (order * 1.0, "number", "outcome leak"),
        "record_id": (rng.permutation(n) + 5000, "number", "id-like"),
        "row": (np.arange(n), "number", "id-like"),
        "mrn": ([f"A{i:05d}" for i in rng.permutation(n)], "category", "id-like"),
        "surname": ([f"Name{i}" for i in range(n)], "category", "near-unique"),
        "same": (np.full(n, 3), "number", "constant"),
        "never": (np.full(n, np.nan), "number", "all missing"),
        "admitted": (dates, "date", "dates"),
        "story": ([f"came by foot, patient {i}" for i in range(n)], "text", "text"),
        "discharge_status": (rng.integers(0, 3, n), "number", "after the outcome"),
        "days_to_death": (rng.integers(0, 30, n), "number", "after the outcome"),
    }


@pytest.mark.parametrize("name", planted(np.random.default_rng(0), np.arange(10) % 2))
def test_every_planted_fault_is_found_and_its_remedy_removes_it(name):
    frame = clean()
    values, kind, expected = planted(np.random.default_rng(1), frame["death"].to_numpy())[name]
    cohort = cohort_of(frame.assign(**{name: values}), {name: kind})
    assert (expected, name) in found(cohort)
    check = next(c for c in check_cohort(cohort) if c.name == expected)
    assert name in check.text
    fixed = remedied(cohort, check.remedy)
    assert not [c for c in check_cohort(fixed) if c.name == expected and c.remedy]


def test_columns_that_tell_the_outcome_alone_are_named_together_with_a_fix_for_all_and_each():
    rng, frame = np.random.default_rng(0), clean()
    frame = frame.assign(
        grade=frame["death"] + rng.normal(0, 0.15, N), stage=frame["death"] + rng.normal(0, 0.3, N)
    )
    cohort = cohort_of(frame)
    (check,) = check_cohort(cohort)
    assert check.columns == ("grade", "stage")
    assert "'grade' (AUC 1.00) and 'stage' (AUC 0.99) each predict the outcome" in check.text
    assert "keep what was known before" in check.text
    labels = [r.label for r in check.remedies]
    assert labels == ["Leave out all 2", "Leave out grade", "Leave out stage"]
    assert check_cohort(remedied(cohort, check.remedies[0])) == ()
    (left,) = check_cohort(remedied(cohort, check.remedies[1]))
    assert left.columns == ("stage",)
    assert "if it was known before, keep it" in left.text


def test_a_run_with_such_a_column_has_something_to_say():
    frame = clean()
    assert leak_notes(cohort_of(frame)) == []
    cohort = cohort_of(frame.assign(grade=frame["death"]))
    (note,) = leak_notes(cohort)
    assert note.startswith("'grade' (AUC 1.00) predicts the outcome almost alone.")
    assert leak_notes(cohort, np.arange(300)) == [note]
    assert leak_notes(cohort, np.flatnonzero(cohort.y == 1)) == []


def test_empty_columns_are_named_together():
    frame = clean().assign(et=np.nan, co=np.nan, same=1, like=2)
    empty, same = [c for c in check_cohort(cohort_of(frame)) if c.name != "duplicate columns"]
    assert empty.text == "'et' and 'co' are empty: nothing was ever measured."
    assert same.text == "'same' and 'like' are each the same in every patient."
    assert [r.label for r in (*empty.remedies, *same.remedies)] == ["Leave out all 2"] * 2


@pytest.mark.parametrize("name", ["pat", "Subject", "MRN", "Patient_ID", "lfd", "row"])
@pytest.mark.parametrize("form", ["HF{:05d}", "{:d}"])
def test_whatever_looks_like_an_id_can_be_the_patient_id_or_left_out(name, form):
    values = [form.format(i) for i in range(1, N + 1)]
    kind = "number" if form == "{:d}" else "category"
    values = pd.to_numeric(pd.Series(values)) if kind == "number" else pd.Series(values)
    cohort = cohort_of(clean().assign(**{name: values}), {name: kind})
    (check,) = check_cohort(cohort)
    assert {r.label for r in check.remedies} == {"Use as patient id", "Leave it out"}
    assert f"'{name}' looks like an id ({values[0]}, {values[1]}, …)" in check.text
    for remedy in check.remedies:
        assert check_cohort(remedied(cohort, remedy)) == ()


def test_whole_numbers_of_any_length_are_no_ids():
    bnp = np.random.default_rng(0).permutation(np.arange(50, 150_000, 97))[:N]
    assert check_cohort(cohort_of(clean().assign(bnp=bnp))) == ()
    assert found(cohort_of(clean().assign(bnp=100_000 + bnp % 99_991))) == {("id-like", "bnp")}


def test_a_second_id_can_take_the_place_of_the_first():
    frame = clean().assign(mrn=np.arange(N) + 7000, subject=np.arange(N) + 100)
    cohort = cohort_of(frame, roles={"mrn": "patient id"})
    (check,) = check_cohort(cohort)
    assert [r.label for r in check.remedies] == ["Leave it out", "Use as patient id"]
    changed = remedied(cohort, check.remedies[1])
    assert changed.names("patient id") == ["subject"]
    assert changed.names("ignore") == ["mrn"]


@pytest.mark.parametrize("unknown", ["Unknown", "unk", "Not recorded", "nicht bekannt", "inconnu"])
def test_an_unknown_outcome_is_no_class_and_can_be_treated_as_missing(unknown):
    frame = clean()
    frame["death"] = np.where(np.arange(N) < 50, unknown, np.where(frame["death"], "Yes", "No"))
    cohort = cohort_of(frame, {"death": "category"})
    check = check_cohort(cohort)[0]
    assert (check.name, check.grave) == ("unknown outcome", True)
    assert check.text.startswith(f"50 patients have 'death' {unknown}")
    assert check.remedy.label == f"Treat {unknown} as missing"
    fixed = remedied(cohort, check.remedy)
    assert fixed.classes == ("No", "Yes")
    assert np.bincount(fixed.y + 1)[0] == 50
    assert fixed.column("death").kind == "yesno"
    assert [c.name for c in check_cohort(fixed)] == ["missing outcome"]


def test_a_nine_beside_zero_and_one_may_be_an_unknown_outcome():
    frame = clean()
    frame.loc[:49, "death"] = 9
    check = check_cohort(cohort_of(frame))[0]
    assert check.remedy.label == "Treat 9 as missing"
    assert remedied(cohort_of(frame), check.remedy).classes == ("0", "1")


def test_duplicate_columns_are_found_also_when_recoded():
    frame = clean()
    cohort = cohort_of(frame.assign(twin=frame["b"] * 2))
    assert ("duplicate columns", "twin") in found(cohort)


def test_different_measurements_are_no_duplicates():
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(N, 30)))  # no two values alike
    frame.columns = [f"m{i}" for i in range(30)]
    frame["death"] = np.arange(N) % 2
    assert check_cohort(cohort_of(frame)) == ()


@pytest.mark.parametrize("factor", [1000.0, -0.45])
def test_another_unit_is_a_duplicate(factor):
    frame = clean()
    weight = np.random.default_rng(0).normal(80, 15, N)
    frame = frame.assign(weight=weight, weight_again=weight * factor + 3)
    assert ("duplicate columns", "weight_again") in found(cohort_of(frame))


def test_a_leak_among_three_classes_is_found():
    frame = clean(n_classes=3)
    leak = frame["death"] * 10 + np.random.default_rng(0).normal(size=N)
    assert ("outcome leak", "leak") in found(cohort_of(frame.assign(leak=leak)))


def test_patients_with_several_rows_are_said_to_be_kept_together():
    frame = clean().assign(who=np.arange(N) // 2)
    checks = check_cohort(cohort_of(frame, roles={"who": "patient id"}))
    assert [c.name for c in checks] == ["repeated patients"]
    assert "300 patients have several rows (600 rows in all)" in checks[0].text
    assert "by patient" in checks[0].text


def test_a_repeated_id_is_offered_as_patient_id():
    frame = clean().assign(patient_nbr=np.arange(N) // 1.5 // 1 + 70_000)
    check = next(c for c in check_cohort(cohort_of(frame)) if c.name == "id-like")
    assert check.remedy.role == "patient id"
    assert "several rows" in check.text


def test_identical_rows_are_found():
    frame = pd.concat([clean(), clean().iloc[:7]], ignore_index=True)
    check = next(c for c in check_cohort(cohort_of(frame)) if c.name == "identical rows")
    assert check.text.startswith("7 rows")
    told = frame.assign(who=np.arange(len(frame)))
    assert check_cohort(cohort_of(told, roles={"who": "patient id"})) == ()


def test_too_few_of_a_class_is_grave():
    frame = clean()
    frame["death"] = (np.arange(N) < 9).astype(int)
    check = check_cohort(cohort_of(frame))[0]
    assert (check.name, check.grave) == ("too few of a class", True)
    assert "9 patients" in check.text


def test_rows_without_outcome_are_said_to_be_left_out():
    frame = clean()
    frame.loc[:4, "death"] = np.nan
    assert "missing in 5 of 600 rows" in check_cohort(cohort_of(frame))[0].text


def test_few_patients_per_feature_are_said():
    frame = clean(n=40)
    assert ("few patients per feature",) in found(cohort_of(frame))


def test_missing_not_at_random_is_said_once():
    frame = clean(n=2000)
    rng = np.random.default_rng(0)
    for name in "bcd":
        gone = rng.random(2000) < np.where(frame["death"], 0.5, 0.2)
        frame.loc[gone, name] = np.nan
    checks = [c for c in check_cohort(cohort_of(frame)) if c.name == "missing not at random"]
    assert len(checks) == 1
    assert set(checks[0].columns) == set("bcd")


@pytest.mark.parametrize("code", [-1, -999, 999, 0])
def test_a_value_that_may_mean_missing_is_said(code):
    rng = np.random.default_rng(0)
    pressure = np.where(rng.random(N) < 0.05, code, rng.normal(90, 10, N).round())
    cohort = cohort_of(clean().assign(pressure=pressure))
    (check,) = check_cohort(cohort)
    assert check.name == "possible missing code"
    assert check.remedy.label == f"Treat {code} as missing"
    fixed = remedied(cohort, check.remedy)
    assert fixed.frame["pressure"].isna().sum() == np.sum(pressure == code)
    assert fixed.frame["pressure"].min() > 50
    assert check_cohort(fixed) == ()


def test_the_same_code_in_several_columns_is_said_once_with_a_fix_for_all_and_each():
    rng, frame = np.random.default_rng(0), clean()
    for name, share in (("skin", 0.3), ("mass", 0.1)):
        frame[name] = np.where(rng.random(N) < share, 0, rng.normal(90, 10, N).round())
    cohort = cohort_of(frame)
    (check,) = check_cohort(cohort)
    n = [int((frame[name] == 0).sum()) for name in ("mass", "skin")]
    assert f"'skin' and 'mass' are 0 in {n[0]} to {n[1]} patients" in check.text
    labels = [r.label for r in check.remedies]
    assert labels == ["Treat 0 as missing in all 2", "… in skin", "… in mass"]
    assert check_cohort(remedied(cohort, check.remedies[0])) == ()
    (left,) = check_cohort(remedied(cohort, check.remedies[1]))
    assert left.columns == ("mass",)


def test_counts_from_zero_are_no_missing_code():
    visits = np.random.default_rng(0).poisson(2, N)
    assert check_cohort(cohort_of(clean().assign(visits=visits))) == ()


def test_a_cohort_without_outcome_is_checked_too():
    frame = clean().assign(row=np.arange(N))
    columns = [Column(n, "category" if n == "ward" else "number") for n in frame]
    checks = check_cohort(make_cohort("ward", frame, columns, None))
    assert [c.name for c in checks] == ["id-like"]


def test_auc_of_a_column_is_the_metrics_own():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 500)
    x = pd.Series(y + rng.normal(size=500))
    proba = np.c_[-x, x]
    folds = rng.integers(0, 5, 500)
    assert column_auc(x, "number", y, folds) == pytest.approx(auc(y, proba), abs=1e-12)


def test_a_random_category_of_many_levels_is_no_leak():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 500)
    levels = pd.Series([f"l{i}" for i in rng.integers(0, 300, 500)])
    assert column_auc(levels, "category", y, rng.integers(0, 5, 500)) < 0.65


# what each shared cohort truly has; everything else would be a false alarm
TRUE = {
    "death": {("outcome leak", "Survival"), ("after the outcome", "Length_of_stay")},
    "stay": {("after the outcome", "Survival", "In-hospital_death")},
    "readmitted": {
        ("id-like", "encounter_id"),
        ("after the outcome", "discharge_disposition_id"),
        ("repeated patients", "patient_nbr"),
        ("constant", "examide", "citoglipton"),
    },
    "sepsis": {
        ("all missing", *(f"EtCO2_{how}" for how in ("first", "last", "median", "min", "max"))),
        ("duplicate columns", "Unit2"),
        ("after the outcome", "n_hours"),
    },
    "actg175": {
        ("outcome leak", "days"),
        ("id-like", "pidnum"),
        ("after the outcome", "cens"),
        ("constant", "zprior"),
    },
    "gbsg2": {("outcome leak", "time"), ("after the outcome", "cens")},
    "nwtco": {("outcome leak", "edrel", "rel"), ("id-like", "seqno")},
    "uci_heart": set(),
    "uci_pima": {("possible missing code", "plas", "pres", "skin", "insu", "mass")},
    "uci_saheart": set(),
}


@pytest.mark.parametrize("key", COHORTS)
def test_shared_cohorts_raise_true_alarms_only(key):
    said = {f for f in found(shared_cohort(key)) if f[0] not in ("missing outcome",)}
    assert {f for f in said if f[0] != "missing not at random"} == TRUE[key]


def test_a_hundred_thousand_encounters_are_checked_in_seconds():
    cohort = shared_cohort("readmitted")
    began = time.process_time()
    check_cohort(cohort)
    assert time.process_time() - began < 4
