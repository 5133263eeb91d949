"""A quick boosted model is asked whether the features tell the outcome too well together."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.choosing import with_kinds, with_roles
from cacviz.engine.cohorts.joint import FEWEST, MOST_OF_IT, TOO_GOOD, Joint, joint_note, quick_look
from cacviz.engine.cohorts.making import changed, make_cohort
from cacviz.engine.types import Column, Outcome
from tests.engine.cohorts.faulty import N, clean, cohort_of


@pytest.fixture(scope="module")
def honest():
    return cohort_of(clean())


def test_an_honest_cohort_is_judged_on_patients_that_the_model_did_not_see(honest):
    found = quick_look(honest)
    assert 0.6 < found.auc < 0.9
    assert found.share < MOST_OF_IT
    assert not found.doubtful
    assert joint_note(honest) == []


def test_noise_is_at_chance_however_many_columns_there_are():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(N, 40))).rename(columns=lambda i: f"m{i}")
    frame["death"] = rng.integers(0, 2, N)
    assert quick_look(cohort_of(frame)).auc == pytest.approx(0.5, abs=0.07)


def test_the_same_question_has_the_same_answer(honest):
    assert quick_look(honest) == quick_look(honest)


def test_the_column_that_leads_is_named():
    frame = clean()
    frame["late"] = frame["death"] + np.random.default_rng(0).normal(0, 0.1, N)
    found = quick_look(cohort_of(frame))
    assert (found.column, found.auc > TOO_GOOD, found.share > 0.9) == ("late", True, True)
    (note,) = joint_note(cohort_of(frame))
    assert (note.code, note.severity) == ("doubt", "grave")
    assert note.values == {"auc": found.auc, "column": "late", "share": found.share}


@pytest.mark.parametrize(
    ("auc", "share", "doubtful"),
    [
        (0.94, 0.5, False),
        (TOO_GOOD, 0.1, True),
        (0.7, 0.51, True),
    ],
)
def test_what_is_doubtful(auc, share, doubtful):
    assert Joint(auc, "x", share).doubtful is doubtful


def test_a_category_of_many_rare_levels_tells_nothing_by_heart():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"who": [f"p{i}" for i in rng.integers(0, 400, N)]})
    frame = frame.assign(a=rng.normal(size=N), death=rng.integers(0, 2, N))
    assert quick_look(cohort_of(frame, {"who": "category"})).auc < 0.6


def test_a_category_that_tells_the_outcome_is_seen_and_so_is_its_being_missing():
    frame = clean()
    words = np.where(frame["death"] == 1, "seen", "well")
    said = cohort_of(frame.assign(word=words), {"word": "category"})
    assert quick_look(said).column == "word"
    gone = pd.Series(np.where(frame["death"] == 1, None, "well"), dtype=object)
    assert quick_look(cohort_of(frame.assign(gone=gone), {"gone": "category"})).auc > TOO_GOOD


def test_what_is_left_out_has_no_say(honest):
    frame = clean().assign(late=clean()["death"])
    cohort = cohort_of(frame)
    assert quick_look(cohort).auc > TOO_GOOD
    without = changed(cohort, with_roles, {"late": "left out"})
    assert quick_look(without) == quick_look(honest)


def test_dates_and_free_text_have_no_say(honest):
    frame = clean().assign(story=[f"text {i}" for i in range(N)])
    told = cohort_of(frame, {"story": "category"})
    assert quick_look(changed(told, with_kinds, {"story": "text"})) == quick_look(honest)


def test_names_of_the_users_may_hold_anything():
    frame = clean().rename(columns={"a": "a [mmol/l] < 3", "b": "a\nb"})
    assert quick_look(cohort_of(frame)).auc > 0.6


def test_each_of_three_classes_counts():
    found = quick_look(cohort_of(clean(n_classes=3)))
    assert 0.6 < found.auc < 0.9


@pytest.mark.parametrize("events", [2 * FEWEST - 1, 2 * FEWEST])
def test_with_too_few_events_in_a_half_nothing_is_judged(events):
    frame = clean()
    frame["death"] = (np.arange(N) < events).astype(int)
    assert (quick_look(cohort_of(frame)) is None) == (events < 2 * FEWEST)


def test_without_an_outcome_or_a_feature_nothing_is_judged():
    frame = clean()
    columns = [Column(n, "category" if n == "ward" else "number") for n in frame]
    assert quick_look(make_cohort("ward", frame, columns, None)) is None
    assert joint_note(make_cohort("ward", frame, columns, None)) == []
    bare = make_cohort("ward", frame[["death"]], [Column("death", "yesno")], Outcome("death"))
    assert quick_look(bare) is None


def test_patients_without_an_outcome_and_those_not_asked_for_are_passed_over():
    frame = clean().astype({"death": float})
    frame.loc[frame.index % 7 == 0, "death"] = np.nan
    cohort = cohort_of(frame)
    known = np.flatnonzero(cohort.y >= 0)
    assert quick_look(cohort) == quick_look(cohort, known)
    assert quick_look(cohort, known[:30]) is None
    assert quick_look(cohort, np.flatnonzero(cohort.y == 1)) is None


def test_the_module_loads_no_heavy_library_before_it_is_asked():
    code = (
        "import sys; import cacviz.engine.cohorts.joint;"
        "print(sorted({'xgboost', 'sklearn', 'scipy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
