"""The card of a subtype, and the run beside its controls."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from cacviz.engine.running.verdicts import run_verdict
from cacviz.engine.types import ClusterSummary, Control, Outcome, RunConfig, RunSummary, Scored
from cacviz.store import paths
from cacviz.store.preferences import change_preferences
from cacviz.wording.controls import DIFFERENCE, WORDS, controls_frame

RATE = Scored(0.25, 0.1, 0.4)
SCORES = dict.fromkeys(("auprc_macro", "auprc_positive", "auc"), RATE)
CLUSTER = ClusterSummary(0, 100, (76, 24), 40, (30, 10), (Scored(0.75, 0.6, 0.9), RATE))
CONTROL = Control("lr", "lr", SCORES, Scored(-0.0003, -0.002, 0.001), 0.7)
SUMMARY = RunSummary(
    *(RunConfig(), "ward", "", Outcome("In-hospital_death"), ("no", "yes"), (CLUSTER,)),
    *(SCORES, (CONTROL,), 0.1, None, None, None, 1.0, ()),
)


@pytest.fixture(autouse=True)
def data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv(paths.DATA_DIR, str(tmp_path))


def show(summary):
    from cacviz.ui.subtypes.cards import show_cards

    show_cards(summary, ["Older"], "In-hospital death", [0])


@pytest.fixture
def said():
    def words(cluster, **more):
        summary = replace(SUMMARY, clusters=(cluster,), **more)
        app = AppTest.from_function(show, args=(summary,)).run()
        assert not app.exception
        parts = [*app.markdown, *app.caption, *app.metric]
        return "\n".join(str(part.value) for part in parts).replace("\\", "")

    return words


def test_number_and_name_and_size_stand_on_the_card(said):
    words = said(CLUSTER)
    assert "#### Subtype 1" in words
    assert "**Older**" in words
    assert "100 training patients (100%)" in words


def test_the_outcome_has_its_label_and_the_ratio_says_which_class_is_which(said):
    words = said(CLUSTER)
    assert "Outcome In-hospital death = yes" in words
    assert "25.0%" in words
    assert "class ratio (no : yes) 3.17 : 1, 24.0%" in words


def test_of_three_classes_each_rate_is_told(said):
    rates = (Scored(0.5, 0.4, 0.6), RATE, RATE)
    cluster = replace(CLUSTER, class_counts=(50, 25, 25), test_rates=rates)
    words = said(cluster, classes=("a", "b", "c"))
    assert "a: **50.0% (40.0% to 60.0%)**" in words
    assert "class ratio (a : b : c) 2 : 1 : 1" in words


def test_a_rate_of_fewer_than_five_held_out_patients_is_shown_unless_hidden(said):
    few = replace(CLUSTER, n_test=4)
    assert "25.0%" in said(few)
    change_preferences(hide_small=True)
    words = said(few)
    assert "fewer than 5 held-out patients" in words
    assert "25.0%" not in words
    assert "interval" not in words
    assert "25.0%" in said(CLUSTER)


def test_a_subtype_without_held_out_patients_says_so(said):
    assert "no held-out patients" in said(replace(CLUSTER, n_test=0))


def judged(difference, p, events=80):
    control = replace(CONTROL, difference=difference, p=p)
    clusters = [replace(CLUSTER, test_counts=(200, events))]
    verdict = run_verdict([control], clusters * 2, ("no", "yes"), method="cac", score=0.3, own=True)
    return replace(SUMMARY, controls=(control,), verdict=verdict)


def test_a_difference_of_nothing_has_no_sign():
    frame = controls_frame(judged(Scored(-0.0003, -0.002, 0.001), 0.7))
    assert frame[DIFFERENCE].tolist() == ["", "0.000 (-0.002 to +0.001)"]
    assert frame[WORDS].tolist() == ["", "no clear difference"]


def test_each_control_has_its_title_and_the_word_of_the_verdict():
    frame = controls_frame(judged(Scored(0.1, 0.05, 0.15), 1e-6))
    assert frame[""].tolist() == ["This run", "Logistic regression"]
    assert frame[WORDS].tolist() == ["", "clearly better"]


def test_with_too_few_events_no_word_is_said():
    frame = controls_frame(judged(Scored(0.1, 0.05, 0.15), 1e-6, events=10))
    assert frame[WORDS].iloc[1] == "too few to tell"
