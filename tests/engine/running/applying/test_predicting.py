"""A run applied to a table: the run's own bits, and words for all that is not as in training."""

from dataclasses import replace

import numpy as np
import pytest

from cacviz.engine.cohorts.choosing import with_subset
from cacviz.engine.exceptions import CohortError
from cacviz.engine.running.applying.predicting import apply_run
from cacviz.engine.types import Condition
from cacviz.wording.applied import row_warnings, sentence


def codes(applied):
    return {note.code: note for note in applied.notes}


def test_the_runs_own_patients_get_the_runs_own_bits(ward, instrument):
    applied = apply_run(instrument, ward.frame)
    X = instrument.preparation.transform(ward.frame).X
    assert np.array_equal(applied.proba, instrument.model.predict_proba(X))
    assert np.array_equal(applied.routed.clusters, instrument.model.predict_cluster(X))
    assert applied.ids.tolist() == ward.frame["stay"].tolist()
    assert not {"absent columns", "unknown levels", "another unit"} & set(codes(applied))


def test_neither_outcome_nor_order_nor_other_columns_matter(ward, instrument):
    other = ward.frame.drop(columns=["died", "stay"])[["unit", "Temp", "Age", "oxygen"]].assign(
        Creatinine=ward.frame["Creatinine"], shoe_size=42, note="=1+1"
    )
    applied = apply_run(instrument, other)
    assert np.array_equal(applied.proba, apply_run(instrument, ward.frame).proba)
    assert applied.ids is None


def test_a_column_that_is_not_there_is_refused_or_taken_as_not_measured(ward, instrument):
    other = ward.frame.drop(columns="Creatinine")
    with pytest.raises(CohortError, match="'Creatinine'"):
        apply_run(instrument, other, gaps_allowed=False)
    applied = apply_run(instrument, other)
    assert codes(applied)["absent columns"].values["columns"] == ["Creatinine"]
    empty = apply_run(instrument, ward.frame.assign(Creatinine=np.nan))
    assert np.array_equal(applied.proba, empty.proba)
    assert (applied.blank == 1).all()


def test_another_kind_of_table_is_refused_in_one_sentence(ward, instrument):
    with pytest.raises(CohortError, match="1 of the 5 columns"):
        apply_run(instrument, ward.frame[["Age", "died"]])


def test_names_that_differ_by_case_and_signs_are_taken_and_said(ward, instrument):
    other = ward.frame.rename(columns={"Age": "AGE ", "Temp": "temp_"})
    applied = apply_run(instrument, other, gaps_allowed=False)
    assert np.array_equal(applied.proba, apply_run(instrument, ward.frame).proba)
    assert sum(note.code == "alike names" for note in applied.notes) == 2


def test_levels_that_training_never_saw_and_words_among_numbers_are_said(ward, instrument):
    frame = ward.frame.assign(unit=ward.frame["unit"].replace("A", "Z"))
    frame["Age"] = frame["Age"].astype(object)
    frame.loc[[3, 4], "Age"] = "old"
    applied = apply_run(instrument, frame)
    found = codes(applied)
    assert found["unknown levels"].values["n"] == (ward.frame["unit"] == "A").sum()
    assert found["unreadable values"].values == {
        **{"column": "Age", "title": "Age", "unit": "years"},
        "n": 2,
    }
    assert applied.blank[3] >= 1


def test_a_column_in_another_unit_is_named_with_both_units(ward, instrument):
    frame = ward.frame.assign(
        Creatinine=ward.frame["Creatinine"] * 88.42, Temp=ward.frame["Temp"] * 1.8 + 32
    )
    said = " ".join(sentence(n) for n in apply_run(instrument, frame).notes)
    assert "'Creatinine' looks like another unit: µmol/L instead of mg/dL" in said
    assert "'Temp' looks like another unit: °F instead of °C" in said


def test_one_patient_far_outside_is_flagged_alone(ward, instrument):
    frame = ward.frame.copy()
    frame.loc[7, "Creatinine"], frame.loc[9, "Age"] = 95.0, 400.0
    warned = row_warnings(apply_run(instrument, frame))
    assert "Creatinine: maybe another unit" in warned[7]
    assert "Age: " in warned[9]
    assert not any("Creatinine" in w for i, w in enumerate(warned) if i != 7)


def test_patients_outside_the_runs_subgroup_are_told(ward, instrument):
    choices = with_subset(ward.choices, [Condition("Age", low=60)])
    applied = apply_run(instrument._replace(choices=choices), ward.frame)
    assert applied.outside.sum() == (ward.frame["Age"] < 60).sum()
    assert "not of the run's subgroup" in row_warnings(applied)[int(applied.outside.argmax())]


def test_codes_that_meant_missing_in_training_mean_it_again(ward, instrument):
    columns = tuple(
        replace(c, missing=("-9",)) if c.name == "Age" else c for c in ward.choices.columns
    )
    run = instrument._replace(choices=replace(ward.choices, columns=columns))
    told, empty = ward.frame.copy(), ward.frame.copy()
    told.loc[5, "Age"], empty.loc[5, "Age"] = -9, np.nan
    assert np.array_equal(apply_run(run, told).proba, apply_run(run, empty).proba)


def test_every_note_has_a_sentence(ward, instrument):
    frame = ward.frame.drop(columns="Temp").rename(columns={"Age": "age"})
    frame["unit"] = "Z"
    for note in apply_run(instrument, frame).notes:
        assert sentence(note).endswith(".")
        assert sentence(note) != f"{note.code}."
