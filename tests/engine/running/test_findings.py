"""What must be known before subtypes are believed: each weakness has a note, and only once."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.running.findings import (
    ALIKE,
    GONE,
    column_notes,
    is_beyond,
    repeats_outcome,
    run_notes,
)
from cacviz.engine.types import ClusterSummary, Column, Note, Outcome, Scored

CLASSES = ("no", "yes")


def cluster(j, counts):
    rate = Scored(0.5, 0.4, 0.6)
    return ClusterSummary(j, sum(counts), counts, 40, (20, 20), (rate, rate))


HEALTHY = [cluster(0, (90, 30)), cluster(1, (80, 20))]
SORTED = [cluster(0, (300, 2)), cluster(1, (4, 200))]  # by outcome


def codes(notes):
    return [n.code for n in notes]


def test_healthy_subtypes_need_no_words():
    assert run_notes(HEALTHY, CLASSES) == ()
    assert run_notes(HEALTHY, CLASSES, alpha=0.1, critical=0.2, routing_agreement=0.95) == ()


@pytest.mark.parametrize(
    ("counts", "code", "values"),
    [
        ((0, 0), "empty subtype", {}),
        ((50, 0), "one outcome", {}),
        ((50, 6), "few events", {"n": 6, "class": "yes"}),
        ((3, 60), "few events", {"n": 3, "class": "no"}),
        ((12, 12), "small subtype", {"share": 24 / 1224}),
    ],
)
def test_a_weak_subtype_is_named_by_its_gravest_weakness(counts, code, values):
    (note,) = run_notes([cluster(0, (900, 300)), cluster(1, counts)], CLASSES)
    assert note == Note(code, values={"cluster": 1, "k": 2} | values)


def test_a_subtype_that_lacks_one_of_three_outcomes_has_few_events():
    found = [cluster(0, (90, 40, 30)), cluster(1, (60, 20, 0))]
    (note,) = run_notes(found, ("a", "b", "c"))
    assert (note.code, note.values["class"], note.values["n"]) == ("few events", "c", 0)


def test_a_class_too_rare_for_any_number_of_subtypes_is_said_once():
    found = [cluster(0, (90, 40, 1)), cluster(1, (60, 20, 0)), cluster(2, (60, 4, 2))]
    notes = run_notes(found, ("a", "b", "c"))
    assert codes(notes) == ["rare class", "few events"]
    assert notes[0].values == {"class": "c", "n": 3}
    assert notes[1].values == {"cluster": 2, "k": 3, "n": 4, "class": "b"}


def test_the_whole_cohort_as_one_subtype_is_not_called_small():
    assert run_notes([cluster(0, (12, 12))], CLASSES) == ()


def test_poor_routing_is_said():
    (note,) = run_notes(HEALTHY, CLASSES, routing_agreement=0.7)
    assert (note.code, note.values) == ("routing", {"agreement": 0.7})


def test_a_subtype_with_few_events_is_no_collapse():
    found = [cluster(0, (40, 1)), cluster(1, (170, 60)), cluster(2, (48, 31))]
    notes = run_notes(found, CLASSES, alpha=0.07, critical=0.05)
    assert codes(notes) == ["beyond critical", "few events"]
    assert notes[1].values["n"] == 1


def test_subtypes_that_repeat_the_outcome_are_said_to_whatever_made_them():
    assert codes(run_notes(SORTED, CLASSES))[0] == "repeats the outcome"
    held_out = [replace(c, test_counts=t) for c, t in zip(SORTED, [(9, 3), (2, 8)], strict=True)]
    values = run_notes(held_out, CLASSES)[0].values
    said = ("held_out", "held_out_wrong", "held_out_without")
    assert tuple(values[name] for name in said) == (22, 5, 11)


def test_a_collapsed_run_gets_one_remedy_and_not_one_a_subtype():
    (note,) = run_notes(SORTED, CLASSES, alpha=0.5, critical=0.1)
    assert (note.code, note.severity) == ("collapsed", "grave")
    assert note.values == {"alpha": 0.5, "critical": 0.1}


def test_of_one_subtype_no_separation_is_spoken():
    assert run_notes([cluster(0, (90, 30))], CLASSES, alpha=0.5, critical=0.1) == ()


@pytest.mark.parametrize(
    ("alpha", "critical", "beyond"),
    [(0.2, 0.1, True), (0.1, 0.1, False), (None, 0.1, False), (0.2, None, False)],
)
def test_beyond_is_more_than_the_critical_value_where_both_are_known(alpha, critical, beyond):
    assert is_beyond(alpha, critical) is beyond


def test_a_rare_outcome_is_not_repeated_by_subtypes_that_all_lack_it_alike():
    assert not repeats_outcome([cluster(0, (500, 5)), cluster(1, (480, 15))])
    assert repeats_outcome([cluster(0, (500, 1)), cluster(1, (3, 19))])


def test_the_same_thing_is_said_once():
    found = [cluster(0, (300, 90)), cluster(1, (40, 0))]
    own = Note("one outcome", values={"cluster": 1})
    assert codes(run_notes(found, CLASSES, more=[own])) == ["one outcome"]
    other = Note("one outcome", values={"cluster": 0})
    assert codes(run_notes(found, CLASSES, more=[other])) == ["one outcome"] * 2


def test_every_family_of_suspected_columns_is_said():
    leaks = [Note("leak", values={"code": c, "columns": ("a",)}) for c in ("tells", "stay")]
    assert run_notes([cluster(0, (300, 90))], CLASSES, more=leaks) == tuple(leaks)
    assert len(run_notes([cluster(0, (300, 90))], CLASSES, more=[leaks[0]] * 2)) == 1


WARDS = np.repeat(["A", "B", "C"], 20)
CLUSTERS = np.repeat([0, 1, 2], 20)


def cohort_of(ward, age=None, kind="category"):
    n = len(ward)
    age = np.arange(n) if age is None else age
    frame = pd.DataFrame({"ward": ward, "age": age, "died": np.arange(n) % 2})
    columns = [Column("ward", kind, label="Ward"), Column("age", "number"), Column("died", "yesno")]
    return make_cohort("c", frame, columns, Outcome("died"))


def test_subtypes_that_are_the_levels_of_a_column_are_said_to_be():
    (note,) = column_notes(cohort_of(WARDS), CLUSTERS, np.arange(60))
    assert (note.code, note.severity) == ("repeats a column", "grave")
    values = {"column": "ward", "title": "Ward", "level": "", "index": pytest.approx(1)}
    assert note.values == values | {"also": []}


def test_columns_that_tell_the_same_are_named_with_it_codes_too():
    cohort = cohort_of(WARDS, np.repeat([1.0, 2, 3], 20))
    (note,) = column_notes(cohort, CLUSTERS, np.arange(60))
    assert (note.values["column"], note.values["also"]) == ("ward", ["age"])


def test_subtypes_that_are_whether_a_number_was_measured_are_said_to_be():
    halves = np.repeat([0, 1], 30)
    age = np.where(halves, np.nan, np.arange(60.0))
    (note,) = column_notes(cohort_of(np.tile(["A", "B"], 30), age), halves, np.arange(60))
    assert (note.values["column"], note.values["level"]) == ("age", GONE)


def test_of_a_category_with_gaps_being_measured_is_the_reason_where_it_tells_as_much():
    halves = np.repeat([0, 1], 30)
    ward = np.where(halves, None, "A")
    (note,) = column_notes(cohort_of(ward), halves, np.arange(60))
    assert note.values["level"] == GONE


def test_one_subtype_that_is_a_level_is_said_to_be_where_the_others_are_not():
    clusters = np.where(WARDS == "C", 2, np.tile([0, 1], 30))
    clusters[0] = 2  # one more than the ward holds
    (note,) = column_notes(cohort_of(WARDS), clusters, np.arange(60))
    assert (note.code, note.severity) == ("is a level", "warning")
    told = {"column": "ward", "title": "Ward", "level": "C", "cluster": 2}
    assert note.values == told | {"both": 20, "n": 21, "having": 20, "share": 20 / 21}
    clusters[:4] = 2
    assert not column_notes(cohort_of(WARDS), clusters, np.arange(60))


def test_a_subtype_of_those_not_measured_is_said_to_be_one():
    clusters = np.where(WARDS == "C", 2, np.tile([0, 1], 30))
    age = np.where(WARDS == "C", np.nan, np.arange(60.0))
    wards = np.tile(["A", "B", "B"], 20)
    notes = column_notes(cohort_of(wards, age), clusters, np.arange(60))
    assert [(n.code, n.values["level"], n.values["cluster"]) for n in notes] == [
        ("is a level", GONE, 2)
    ]


def test_subtypes_of_their_own_need_no_word():
    mixed = np.tile([0, 1, 2], 20)
    assert not column_notes(cohort_of(WARDS), mixed, np.arange(60))
    assert not column_notes(cohort_of(WARDS), 0 * mixed, np.arange(60))
    assert 0 < ALIKE < 1


def test_only_the_given_patients_are_looked_at():
    mixed = np.r_[CLUSTERS, np.tile([0, 1, 2], 60)]
    ward = np.r_[WARDS, np.repeat(["A", "B", "C"], 60)]
    assert column_notes(cohort_of(ward), mixed, np.arange(60))
    assert not column_notes(cohort_of(ward), mixed, np.arange(240))


def test_a_column_that_is_no_feature_is_not_looked_at():
    cohort = cohort_of(WARDS)
    columns = [Column("ward", "category", "external check"), *cohort.columns[1:]]
    apart = make_cohort("c", cohort.frame, columns, Outcome("died"))
    assert column_notes(apart, CLUSTERS, np.arange(60)) == []
