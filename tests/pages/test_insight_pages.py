"""What differs, Risk factors and the parts of Subtypes that come from insights."""

from dataclasses import replace

import pytest

from cacviz.engine.insights.registry import INSIGHTS
from cacviz.jobs import queue
from cacviz.store import insights, runs
from cacviz.ui.shell import shared
from tests.pages.test_pages import words


def test_the_worker_makes_every_part(described_run):
    wanted = set(INSIGHTS) - {"treatment"}  # the demo has none
    assert all(insights.load_part(described_run[1], name) is not None for name in wanted)


def test_what_differs_shows_the_numbers_of_the_profiles(show, described_run):
    cohort_id, run_id = described_run
    described = insights.load_part(run_id, "described")
    app = show("what_differs", cohort=cohort_id, run=run_id)
    assert not app.exception
    table = next(d.value for d in app.dataframe if "Stability" in d.value)
    first = described.profiles.features[0]
    assert table["Largest difference (sd)"].iloc[0] == pytest.approx(first.effect)
    assert "describes and does not test" in words(app)
    assert "p" not in table.columns
    top = described.profiles.top
    assert f"it stays among the {top} strongest" in words(app)


def test_risk_factors_show_fidelity_and_marks(show, described_run):
    cohort_id, run_id = described_run
    (view,) = insights.load_part(run_id, "students").views
    app = show("risk_factors", cohort=cohort_id, run=run_id)
    assert not app.exception
    said = words(app).replace("\\", "")
    assert f"mean R² {view.mean_r2:.2f}" in said
    for student in view.students:
        assert f"R² {student.r2:.2f}" in said
    assert "shared by all" in said


def test_a_subtype_is_renamed_and_the_name_is_used_elsewhere(show, described_run):
    cohort_id, run_id = described_run
    app = show("subtypes", cohort=cohort_id, run=run_id)
    app.text_input(key=f"name_{run_id}_0").set_value("Renal *ward*").run()
    assert not app.exception
    assert r"Renal \*ward\*" in words(app)
    assert r"Renal \*ward\*" in words(show("risk_factors", cohort=cohort_id, run=run_id))
    insights.rename_subtype(run_id, 0, "")


def test_a_suggestion_that_comes_later_is_shown_and_stored_by_nobody(
    show, described_run, monkeypatch
):
    cohort_id, run_id = described_run
    with monkeypatch.context() as early:
        early.setattr(insights, "load_part", lambda run, name: None)
        app = show("subtypes", cohort=cohort_id, run=run_id)
        assert app.text_input(key=f"name_{run_id}_0").value == ""
        assert "#### Subtype 1" in words(app)
    suggested = insights.load_part(run_id, "described").names
    assert app.run().text_input(key=f"name_{run_id}_0").value == suggested[0]
    app.run()
    assert insights.subtype_names(run_id, 2) == suggested


def test_a_cleared_name_brings_the_suggestion_back_at_once(show, described_run):
    cohort_id, run_id = described_run
    suggested = insights.load_part(run_id, "described").names[0]
    app = show("subtypes", cohort=cohort_id, run=run_id)
    for said in ("Renal ward", "", ""):
        app.text_input(key=f"name_{run_id}_0").set_value(said).run()
    assert app.text_input(key=f"name_{run_id}_0").value == suggested
    assert suggested in insights.subtype_names(run_id, 2)


def test_a_name_that_another_subtype_has_is_refused(show, described_run):
    cohort_id, run_id = described_run
    app = show("subtypes", cohort=cohort_id, run=run_id)
    second = app.text_input(key=f"name_{run_id}_1").value
    app.text_input(key=f"name_{run_id}_0").set_value(f" {second.upper()}").run()
    assert "Subtype 2 has this name already" in app.error[0].value
    assert second not in insights.subtype_names(run_id, 1)


@pytest.mark.parametrize("state", ["missing", "failed"])
def test_missing_and_failed_parts_can_be_asked_for(show, described_run, monkeypatch, state):
    cohort_id, run_id = described_run
    asked = []
    monkeypatch.setattr(insights, "load_part", lambda run, name: None)
    monkeypatch.setattr(insights, "part_states", lambda run: dict.fromkeys(INSIGHTS, state))
    monkeypatch.setattr(queue, "complete", asked.append)
    app = show("what_differs", cohort=cohort_id, run=run_id)
    app.button(key="complete").click().run()
    assert asked == [run_id]


def test_when_nobody_moved_the_page_says_so(show, described_run, monkeypatch):
    cohort_id, run_id = described_run
    run = runs.load_run(run_id)
    still = tuple({**row, "moves": 0} for row in run.summary.history)
    quiet = replace(run, summary=replace(run.summary, history=still))
    monkeypatch.setattr(runs, "load_run", lambda run: quiet)
    monkeypatch.setattr(shared, "_held", {})  # what another window of these tests may hold
    assert "No patient moved." in words(show("subtypes", cohort=cohort_id, run=run_id))
