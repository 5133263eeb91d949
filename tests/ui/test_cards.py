"""The card of a subtype."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from cacviz.engine.types import ClusterSummary, Control, Outcome, RunConfig, RunSummary, Scored
from cacviz.ui.cards import controls_frame

RATE = Scored(0.25, 0.1, 0.4)
SCORES = dict.fromkeys(("auprc_macro", "auprc_positive", "auc"), RATE)
CLUSTER = ClusterSummary(0, 100, (76, 24), 40, (30, 10), (Scored(0.75, 0.6, 0.9), RATE))
CONTROL = Control("lr", "Logistic regression", SCORES, Scored(-0.0003, -0.002, 0.001))
SUMMARY = RunSummary(
    *(RunConfig(), "ward", "", Outcome("In-hospital_death"), ("no", "yes"), (CLUSTER,)),
    *(SCORES, (CONTROL,), 0.1, None, None, None, 1.0, ()),
)


def show(cluster, summary):
    from cacviz.ui.cards import subtype_card

    subtype_card(cluster, summary, "Subtype 1", "In-hospital death")


@pytest.fixture
def said():
    def words(cluster):
        app = AppTest.from_function(show, args=(cluster, SUMMARY)).run()
        assert not app.exception
        parts = [*app.markdown, *app.caption, *app.metric]
        return "\n".join(str(part.value) for part in parts).replace("\\", "")

    return words


def test_the_outcome_has_its_label_and_the_ratio_says_which_class_is_which(said):
    assert "Outcome In-hospital death = yes" in said(CLUSTER)
    assert "25.0%" in said(CLUSTER)
    assert "Class ratio as found (no : yes): 3.17 : 1" in said(CLUSTER)


def test_a_rate_of_fewer_than_five_held_out_patients_is_not_told(said):
    few = said(replace(CLUSTER, n_test=4))
    assert "fewer than 5 held-out patients" in few
    assert "25.0%" not in few
    assert "interval" not in few


def test_a_difference_of_nothing_has_no_minus():
    told = controls_frame(SUMMARY)["This run minus control (AUPRC)"].iloc[1]
    assert told == "0.000 (-0.002 to 0.001)"
