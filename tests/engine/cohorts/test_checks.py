"""Checks: every planted fault is found, clean cohorts raise no false alarm, remedies work."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.checks import (
    check_cohort,
    key_of,
    leak_notes,
    open_notes,
    remedied,
)
from cacviz.engine.cohorts.choosing import with_kept, with_kinds, with_levels, with_roles
from cacviz.engine.cohorts.leaks import column_auc
from cacviz.engine.cohorts.making import make_cohort, rechosen
from cacviz.engine.metrics import auc
from cacviz.engine.types import Column, Outcome
from cacviz.wording.checks import check_sentence
from cacviz.wording.notes import sentence
from tests.engine.cohorts.faulty import N, after, clean, cohort_of, found, labels, one
from tests.engine.reading.cohort_files import COHORTS, shared_cohort


def test_a_clean_cohort_has_no_findings():
    for seed in range(5):
        assert check_cohort(cohort_of(clean(seed=seed))) == ()
    assert check_cohort(cohort_of(clean(n_classes=4))) == ()


def planted(rng, y):
    n = len(y)
    order = np.argsort(np.argsort(y + rng.normal(0, 0.2, n)))
    dates = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), "D")
    return {
        "copy": (y * 1.0, "number", "tells"),
        "reversed": (1.0 - y, "number", "tells"),
        "noisy": (y + rng.normal(0, 0.3, n), "number", "tells"),
        "words": (np.where(y, "ICU death form", "home"), "category", "tells"),
        "ushape": (np.where(y, rng.choice([-5, 5], n), rng.normal(size=n)), "number", "tells"),
        "gone": (np.where(y, np.nan, rng.normal(size=n)), "number", "tells"),
        "rank": (order * 1.0, "number", "tells"),
        "record_id": (rng.permutation(n) + 5000, "number", "id-like"),
        "row": (np.arange(n), "number", "id-like"),
        "mrn": ([f"A{i:05d}" for i in rng.permutation(n)], "category", "id-like"),
        "surname": ([f"Name{i}" for i in range(n)], "category", "near-unique"),
        "same": (np.full(n, 3), "number", "constant"),
        "never": (np.full(n, np.nan), "number", "all missing"),
        "admitted": (dates, "date", "dates"),
        "story": ([f"came by foot, patient {i}" for i in range(n)], "text", "text"),
        "discharge_status": (rng.integers(0, 3, n), "number", "discharge"),
        "days_to_death": (rng.integers(0, 30, n), "number", "survival"),
    }


@pytest.mark.parametrize("name", planted(np.random.default_rng(0), np.arange(10) % 2))
def test_every_planted_fault_is_found_and_its_remedy_removes_it(name):
    frame = clean()
    values, kind, expected = planted(np.random.default_rng(1), frame["death"].to_numpy())[name]
    cohort = cohort_of(frame.assign(**{name: values}), {name: kind})
    assert (expected, name) in found(cohort)
    check = one(cohort, expected)
    assert f"'{name}'" in check_sentence(check)
    fixed = after(cohort, check)
    assert not [c for c in check_cohort(fixed) if key_of(c) == expected and c.remedies]


def test_columns_that_tell_the_outcome_alone_are_named_together_with_one_fix_for_all():
    rng, frame = np.random.default_rng(0), clean()
    frame = frame.assign(
        grade=frame["death"] + rng.normal(0, 0.15, N), stage=frame["death"] + rng.normal(0, 0.3, N)
    )
    cohort = cohort_of(frame)
    check, doubt = check_cohort(cohort)
    assert (check.columns, doubt.code) == (("grade", "stage"), "doubt")
    words = check_sentence(check)
    assert "'grade' (AUC 1.00) and 'stage' (AUC 0.99) each tell the outcome almost alone" in words
    assert "If they were recorded after the outcome" in words
    assert labels(check) == ["Leave out both", "Keep them"]
    assert check_cohort(after(cohort, check)) == ()
    left = one(cohort_of(frame.drop(columns="grade")), "tells")
    assert left.columns == ("stage",)
    assert "If it was recorded after the outcome" in check_sentence(left)
    assert labels(left) == ["Leave out stage", "Keep it"]


def test_what_the_user_keeps_after_a_warning_is_a_hint_that_says_so():
    frame = clean().assign(total_cost=np.random.default_rng(0).normal(size=N))
    cohort = cohort_of(frame)
    check = one(cohort, "cost")
    assert check.note.severity == "warning"
    kept = rechosen(cohort, remedied(cohort, check, check.remedies[1]))
    assert kept.names("feature") == cohort.names("feature")
    answered = one(kept, "cost")
    assert answered.note.severity == "hint"
    assert check_sentence(answered).endswith("You decided to keep it.")


def test_a_run_with_such_a_column_has_something_to_say():
    frame = clean()
    assert leak_notes(cohort_of(frame)) == []
    cohort = cohort_of(frame.assign(grade=frame["death"]))
    note, doubt = leak_notes(cohort)
    assert (note.code, note.severity, doubt.code) == ("leak", "grave", "doubt")
    assert sentence(note).startswith("'grade' (AUC 1.00) tells the outcome almost alone.")
    assert leak_notes(cohort, np.arange(300))[0] == note
    assert leak_notes(cohort, np.flatnonzero(cohort.y == 1)) == []


@pytest.mark.parametrize("unknown", ["Unknown", "unk", "Not recorded", "nicht bekannt", "inconnu"])
def test_an_unknown_outcome_is_no_class_and_can_be_treated_as_missing(unknown):
    frame = clean()
    frame["death"] = np.where(np.arange(N) < 50, unknown, np.where(frame["death"], "Yes", "No"))
    cohort = cohort_of(frame, {"death": "category"})
    check = check_cohort(cohort)[0]
    assert (check.code, check.grave) == ("unknown outcome", True)
    assert check_sentence(check).startswith(f"50 patients have 'death' {unknown}")
    assert labels(check) == [f"Treat {unknown} as missing"]
    fixed = after(cohort, check)
    assert fixed.classes == ("No", "Yes")
    assert np.bincount(fixed.y + 1)[0] == 50
    assert fixed.column("death").kind == "yesno"
    assert [c.code for c in check_cohort(fixed)] == ["missing outcome"]


def test_a_nine_beside_zero_and_one_may_be_an_unknown_outcome():
    frame = clean()
    frame.loc[:49, "death"] = 9
    cohort = cohort_of(frame)
    check = check_cohort(cohort)[0]
    assert labels(check) == ["Treat 9 as missing"]
    assert after(cohort, check).classes == ("0", "1")


def test_duplicate_columns_are_found_also_when_recoded():
    frame = clean()
    cohort = cohort_of(frame.assign(twin=frame["b"] * 2))
    check = one(cohort, "duplicate columns")
    assert check.columns == ("twin",)
    assert check_sentence(check).startswith("In every patient 'twin' says the same as 'b', or")


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
    assert ("tells", "leak") in found(cohort_of(frame.assign(leak=leak)))


def test_patients_with_several_rows_are_said_to_be_kept_together():
    frame = clean().assign(who=np.arange(N) // 2)
    (check,) = check_cohort(cohort_of(frame, roles={"who": "patient id"}))
    assert check.code == "repeated patients"
    assert "300 patients have several rows (600 rows in all)" in check_sentence(check)
    assert "by patient" in check_sentence(check)


def test_identical_rows_are_found():
    frame = pd.concat([clean(), clean().iloc[:7]], ignore_index=True)
    check = one(cohort_of(frame), "identical rows")
    assert check_sentence(check).startswith("7 rows are identical to another one. If they are")
    told = frame.assign(who=np.arange(len(frame)))
    assert check_cohort(cohort_of(told, roles={"who": "patient id"})) == ()


def test_too_few_of_a_class_is_grave():
    frame = clean()
    frame["death"] = (np.arange(N) < 9).astype(int)
    check = check_cohort(cohort_of(frame))[0]
    assert (check.code, check.grave) == ("too few of a class", True)
    assert "Only 9 patients have 'death' 1" in check_sentence(check)


def test_patients_of_a_class_that_is_too_rare_can_be_left_out_or_merged():
    frame = clean()
    frame["death"] = np.where(
        np.arange(N) < 3, "fatal", np.where(frame["death"] == 1, "mild", "no")
    )
    cohort = cohort_of(frame, {"death": "category"})
    check = one(cohort, "too few of a class")
    assert labels(check) == ["Leave out these 3 patients"]
    assert set(after(cohort, check).classes) == {"mild", "no"}
    merged = rechosen(cohort, with_levels(cohort.choices, {"death": {"fatal": "mild"}}))
    assert set(merged.classes) == {"mild", "no"}
    assert "data dictionary" in check_sentence(check)


@pytest.mark.parametrize(("events", "told"), [(39, True), (40, False)])
def test_few_events_are_told_before_the_run(events, told):
    frame = clean()
    frame["death"] = (np.arange(N) < events).astype(int)
    codes = [c.code for c in check_cohort(cohort_of(frame))]
    assert ("few of a class" in codes) == told


@pytest.mark.parametrize(
    ("n", "words"),
    [
        (5, "missing in 5 of 600 rows; these 5 rows are left out."),
        (1, "missing in 1 of 600 rows; it is left out."),
    ],
)
def test_rows_without_outcome_are_said_to_be_left_out(n, words):
    frame = clean()
    frame.loc[: n - 1, "death"] = np.nan
    assert words in check_sentence(check_cohort(cohort_of(frame))[0])


def test_few_patients_per_feature_are_said():
    frame = clean(n=40)
    assert ("few patients per feature",) in found(cohort_of(frame))


def test_missing_not_at_random_is_said_once():
    frame = clean(n=2000)
    rng = np.random.default_rng(0)
    for name in "bcd":
        gone = rng.random(2000) < np.where(frame["death"], 0.5, 0.2)
        frame.loc[gone, name] = np.nan
    check = one(cohort_of(frame), "missing not at random")
    assert set(check.columns) == set("bcd")


def test_a_cohort_without_outcome_is_checked_too():
    frame = clean().assign(row=np.arange(N))
    columns = [Column(n, "category" if n == "ward" else "number") for n in frame]
    checks = check_cohort(make_cohort("ward", frame, columns, None))
    assert [c.code for c in checks if c.note.severity != "hint"] == ["id-like"]


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
    "death": {
        ("tells", "Survival"),
        ("doubt", "Survival"),
        ("score", "SAPS-I", "SOFA"),
        ("stay", "Length_of_stay"),
        ("codes", "ICUType"),
    },
    "stay": {
        ("survival", "Survival", "In-hospital_death"),
        ("score", "SAPS-I", "SOFA"),
        ("codes", "ICUType"),
        ("short stays", "In-hospital_death"),  # 208 of 1,368 stays of a week ended in death
    },
    "readmitted": {
        ("level", "discharge_disposition_id"),  # those who died there never come back
        ("id-like", "encounter_id"),
        ("repeated patients", "patient_nbr"),
        ("constant", "examide", "citoglipton"),
        ("codes", "admission_type_id", "discharge_disposition_id", "admission_source_id"),
    },
    "sepsis": {
        ("stay", "n_hours"),
        ("doubt", "n_hours"),
        ("all missing", *(f"EtCO2_{how}" for how in ("first", "last", "median", "min", "max"))),
        ("duplicate columns", "Unit2"),
    },
    "actg175": {
        ("tells", "days"),
        ("doubt", "days"),
        ("level", "cens"),
        ("strong", "cd496"),  # measured at 96 weeks, nearly two years in
        ("later", "offtrt"),
        ("visit", "cd420", "cd820"),
        ("gap", "r"),  # whether cd496 was measured
        ("follow-up", "days", "cens"),
        ("id-like", "pidnum"),
        ("constant", "zprior"),
        ("codes", "strat", "arms"),
    },
    "gbsg2": {
        *{("tells", "time"), ("doubt", "time"), ("level", "cens")},
        ("follow-up", "time", "cens"),
    },
    "nwtco": {
        ("tells", "rel", "edrel"),
        ("doubt", "edrel"),
        ("id-like", "seqno"),
        ("codes", "instit", "histol", "study"),
        ("follow-up", "edrel", "rel"),
    },
    "uci_heart": {("codes", "chest_pain", "rest_ecg", "slope", "thal")},
    # of skin and insulin 0 is the commonest value: asked about, as the others write 0 for it
    "uci_pima": {("possible missing code", "insu", "skin", "pres", "mass", "plas")},
    "uci_saheart": set(),
}


@pytest.mark.heavy
@pytest.mark.parametrize("key", COHORTS)
def test_shared_cohorts_raise_true_alarms_only(key):
    said = {f for f in found(shared_cohort(key)) if f[0] not in ("missing outcome",)}
    assert {f for f in said if f[0] != "missing not at random"} == TRUE[key]


@pytest.mark.heavy
def test_work_grows_with_the_encounters_and_not_with_their_square(work):
    whole = shared_cohort("readmitted")
    many, few = (
        make_cohort("some", whole.frame[:n], whole.columns, whole.outcome) for n in (40_000, 4000)
    )
    assert work(lambda: check_cohort(many)) < 10 * work(lambda: check_cohort(few))


def test_a_feature_that_tells_the_treatment_is_found_before_it_shapes_the_subtypes():
    frame, rng = clean(), np.random.default_rng(3)
    frame["arms"] = rng.integers(0, 4, N)
    frame["treat"] = (frame["arms"] > 0).astype(int)
    frame["ward"] = rng.integers(0, 4, N)
    cohort = rechosen(
        cohort_of(frame), with_roles(cohort_of(frame).choices, {"treat": "treatment"})
    )
    told = [c for c in check_cohort(cohort) if c.code == "tells the treatment"]
    assert [c.columns for c in told] == [("arms",)]
    after = rechosen(cohort, remedied(cohort, told[0], told[0].remedies[0]))
    assert "tells the treatment" not in [c.code for c in check_cohort(after)]


def test_what_was_asked_and_not_answered_goes_with_a_run():
    rng = np.random.default_rng(0)
    n = 200
    insulin = np.where(rng.random(n) < 0.05, 0, 90 + rng.choice([-7, -5, -2, 0, 1, 4, 6], n))
    frame = pd.DataFrame({"insulin": insulin, "ward": rng.integers(1, 4, n)})
    frame["died"] = rng.integers(0, 2, n)
    columns = [Column("insulin", "number"), Column("ward", "number"), Column("died", "yesno")]
    asked = make_cohort("asked", frame, columns, Outcome("died"))
    notes = {note.code: note.values for note in open_notes(asked)}
    assert set(notes) == {"possible missing code", "codes"}
    assert notes["possible missing code"]["columns"] == ["insulin"]
    assert notes["possible missing code"]["counts"] == [int((insulin == 0).sum())]
    kept = with_kept(asked.choices, "possible missing code", ("insulin",))
    answered = rechosen(asked, with_kinds(kept, {"ward": "category"}))
    assert open_notes(answered) == []
