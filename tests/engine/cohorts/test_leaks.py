"""Suspicions: what a column does, what it is called, and what all do together."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.checks import leak_notes
from cacviz.engine.cohorts.choosing import with_kept, with_roles
from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.cohorts.joint import joint_note, quick_look
from cacviz.engine.cohorts.late_names import late_family
from cacviz.engine.cohorts.leaks import missing_signs, suspicions
from cacviz.engine.cohorts.making import changed, make_cohort
from cacviz.engine.types import Column, Outcome

N = 1200


@pytest.fixture(scope="module")
def ward():
    """Patients with an honest risk factor, and the event that it drives in part."""
    rng = np.random.default_rng(1)
    age = rng.normal(65, 12, N)
    event = rng.random(N) < 1 / (1 + np.exp(-(age - 75) / 8))
    return rng, age, event


def cohort_with(ward, name, values, kind="category"):
    rng, age, event = ward
    frame = pd.DataFrame({"age": age, "pulse": rng.normal(80, 10, N), name: values})
    frame["died"] = np.where(event, "yes", "no")
    columns = [Column("age", "number"), Column("pulse", "number"), Column(name, kind)]
    return make_cohort("ward", frame, [*columns, Column("died", "yesno")], Outcome("died"))


def reasons(cohort):
    return {s.column: (s.code, s.severity) for s in suspicions(cohort)}


def test_an_honest_risk_factor_is_not_suspected(ward):
    _, age, _ = ward
    assert reasons(cohort_with(ward, "age2", age / 2, "number")) == {}


def test_a_cause_that_only_the_dead_have_is_suspected(ward):
    rng, _, event = ward
    cause = np.where(event, rng.choice(["heart", "lung"], N), None)
    (found,) = suspicions(cohort_with(ward, "x", cause))
    assert (found.column, found.severity) == ("x", "grave")


@pytest.mark.parametrize(
    ("how", "make"),
    [
        ({"excludes", "holds"}, lambda r, e: np.where(~e & (r.random(N) < 0.4), "well", "seen")),
        ({"implies"}, lambda r, e: np.where(e & (r.random(N) < 0.4), "M", r.choice(["A", "B"], N))),
        ({"holds"}, lambda r, e: np.where(e | (r.random(N) < 0.3), "bad", r.choice(["A", "B"], N))),
    ],
)
def test_a_level_that_excludes_implies_or_holds_the_event_is_suspected(ward, how, make):
    rng, _, event = ward
    (found,) = suspicions(cohort_with(ward, "x", make(rng, event)))
    assert (found.code, found.severity) == ("level", "grave")
    assert found.values["class"] == "yes"
    assert found.values["how"] in how


def test_being_missing_in_every_event_is_suspected_and_no_sign(ward):
    rng, _, event = ward
    late = np.where(event & (rng.random(N) < 0.9), np.nan, rng.normal(size=N))
    cohort = cohort_with(ward, "x", late, "number")
    suspected = {s.column for s in suspicions(cohort)}
    assert suspected == {"x"}
    assert missing_signs(cohort, suspected) == []
    assert missing_signs(cohort, set()) == ["x"]


def test_the_lowest_values_of_a_good_risk_factor_are_no_leak(ward):
    rng, age, event = ward
    score = np.clip(np.round((age - 45) / 8), 0, 8)
    spared = rng, age, event & (score > 1)  # nobody with 0 or 1 has the event
    assert (score <= 1).sum() * event.mean() > 20
    assert "x" not in reasons(cohort_with(spared, "x", score, "number"))
    assert "x" in reasons(cohort_with(spared, "x", np.where(score <= 1, "low", "high")))


def test_a_column_that_follows_a_left_out_one_is_suspected(ward):
    rng, *_ = ward
    stay = rng.exponential(6, N) + 1
    rng2 = np.random.default_rng(0)
    cohort = cohort_with(ward, "length_of_stay", stay, "number")
    frame = cohort.frame.assign(spent=stay * 900 * rng2.lognormal(0, 0.05, N))
    columns = [*cohort.columns, Column("spent", "number")]
    both = make_cohort("ward", frame, columns, cohort.outcome)
    left = changed(both, with_roles, {"length_of_stay": "left out"})
    (found,) = suspicions(left)
    assert (found.column, found.code, found.values["of"]) == ("spent", "twin", "length_of_stay")


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("total_charges", "cost"),
        ("Behandlungskosten", "cost"),
        ("hospital_cost", "cost"),
        ("slos", "stay"),
        ("Verweildauer", "stay"),
        ("durée_de_séjour", "stay"),
        ("días_estancia", "stay"),
        ("dischargeLocation", "discharge"),
        ("Entlassungsart", "discharge"),
        ("d.time", "survival"),
        ("vital_status", "survival"),
        ("Todesursache", "survival"),
        ("OS_MONTHS", "survival"),
        ("in_hospital_mortality", "survival"),
        ("prg2m", "forecast"),
        ("predicted_risk", "forecast"),
        ("APACHE II", "score"),
        ("DNR order", "decision"),
        ("comfort care", "decision"),
        ("PostOp bleeding", "later"),
    ],
)
def test_names_of_what_is_known_late_are_told_in_several_languages(name, family):
    assert late_family(name) == family


@pytest.mark.parametrize(
    "name",
    [
        *("age", "smoking_status", "marital status", "tumor_stage", "time_of_day", "stay_id"),
        *("prior_discharge", "pre_icu_los", "family history of death", "GCS_lowest", "pH_last"),
        *(
            "resting_bp",
            "days_since_onset",
            "estrec",
            "progrec",
            "cost_center_ok"[:4] + "ochondral",
        ),
    ],
)
def test_names_of_what_is_known_before_are_left_alone(name):
    assert late_family(name) == ""


def test_of_a_readmission_the_first_stay_is_known_before():
    assert late_family("time_in_hospital", outcome="readmitted") == ""
    assert late_family("time_in_hospital", outcome="death") == "stay"
    assert late_family("death_date", outcome="readmitted") == "survival"


def test_columns_that_tell_the_outcome_jointly_are_doubted(ward):
    rng, _, event = ward
    half = np.where(rng.random(N) < 0.5, event, rng.random(N) < 0.3)
    cohort = cohort_with(ward, "a", half.astype(float) + rng.normal(0, 0.05, N), "number")
    other = event.astype(float) - half + rng.normal(0, 0.05, N)
    both = make_cohort(
        "ward",
        cohort.frame.assign(b=other),
        [*cohort.columns, Column("b", "number")],
        cohort.outcome,
    )
    assert not [s for s in suspicions(both) if s.code == "tells"]
    assert quick_look(both).auc > 0.95
    (note,) = joint_note(both)
    assert (note.code, note.severity) == ("doubt", "grave")


def test_an_honest_cohort_is_not_doubted():
    assert joint_note(make_demo(1500)) == []


def test_a_column_with_more_than_half_of_the_say_is_doubted(ward):
    (note,) = joint_note(cohort_with(ward, "x", np.random.default_rng(3).normal(size=N), "number"))
    assert (note.severity, note.values["column"]) == ("warning", "age")


def test_a_suspicion_that_was_answered_is_a_hint_and_still_said(ward):
    _, _, event = ward
    cohort = cohort_with(ward, "x", np.where(event, "a", "b"))
    assert {n.severity for n in leak_notes(cohort)} == {"grave"}
    kept = changed(cohort, with_kept, "tells", ["x"])
    notes = [n for n in leak_notes(kept) if n.code == "leak"]
    assert [(n.severity, n.values["kept"]) for n in notes] == [("hint", True)]


def test_each_class_of_several_is_looked_at(ward):
    rng, age, event = ward
    three = np.where(event, "dead", np.where(age > 65, "ill", "well"))
    frame = pd.DataFrame({"age": rng.normal(size=N), "x": event * 5 + rng.normal(size=N)})
    frame["state"] = three
    columns = [Column("age", "number"), Column("x", "number"), Column("state", "category")]
    found = reasons(make_cohort("ward", frame, columns, Outcome("state")))
    assert found["x"] == ("tells", "grave")


def test_of_very_many_patients_the_count_of_a_telling_level_is_of_all_of_them():
    rng, n = np.random.default_rng(3), 40_000
    event = rng.random(n) < 0.3
    place = np.where(~event & (rng.random(n) < 0.1), "hospice", rng.choice(["home", "ward"], n))
    frame = pd.DataFrame({"place": place, "died": np.where(event, "yes", "no")})
    columns = [Column("place", "category"), Column("died", "yesno")]
    (found,) = suspicions(make_cohort("ward", frame, columns, Outcome("died")))
    assert found.values["how"] == "excludes"
    assert found.values["n"] == np.sum(place == "hospice")
