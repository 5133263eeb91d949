"""What is open, through the pages: it is neither lost by edits nor clung to once it is gone."""

import pytest

from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.running.studies import study_plan
from cacviz.engine.types import Outcome, RunConfig
from cacviz.jobs import queue
from cacviz.store import cohorts, ids, runs, states, studies
from cacviz.store.unix import my_mark
from cacviz.ui.shell import state
from cacviz.ui.shell.navigation import PAGES
from tests.pages.test_pages import of_outcome, words

FIRST = b"age,died\n" + b"".join(b"%d,%d\n" % (20 + i, i % 2) for i in range(60))
SECOND = FIRST.replace(b"20,0", b"99,0")


def leave_out_age(app):
    box = next(m for m in app.multiselect if m.label == "Leave out")
    return box.set_value([*box.value, "Age"]).run()


def open_path(app, path):
    app.text_input(key="path").set_value(str(path)).run()
    return app.button(key="open_path").click().run()


def test_an_edited_cohort_stays_one_cohort_with_its_comparisons(show, data_dir, monkeypatch):
    monkeypatch.setattr(queue, "_start", lambda folder, slots: None)
    cohort_id = cohorts.save_cohort(make_demo(200))
    queue.start_study(cohort_id, study_plan(["kmeans"], [2], 2))
    assert not leave_out_age(show("cohort", cohort=cohort_id)).exception
    (kept,) = cohorts.list_cohorts()
    (study,) = studies.list_studies(cohort_id)
    assert "Age" in kept.choices.names("left out")
    assert "Age" in study.asked.choices.names("feature")  # what it was asked with stands
    assert "Age" in runs.cohort_of_run(study.asked).names("feature")


def test_an_edited_cohort_stays_one_cohort_with_its_runs(show, data_dir):
    cohort_id = cohorts.save_cohort(make_demo(200))
    run_id = runs.create_run(cohort_id, RunConfig())
    leave_out_age(show("cohort", cohort=cohort_id))
    (kept,) = cohorts.list_cohorts()
    assert "Age" in kept.choices.names("left out")
    (row,) = runs.list_runs(kept.id)
    assert row.id == run_id
    assert "Age" in runs.cohort_of_run(row.asked).names("feature")


def test_an_edit_makes_no_second_cohort(show, data_dir):
    cohort_id = cohorts.save_cohort(make_demo(200))
    leave_out_age(show("cohort", cohort=cohort_id))
    (kept,) = cohorts.list_cohorts()
    assert kept.id == cohort_id
    assert "Age" in cohorts.load_cohort(kept.id).names("left out")


def test_opening_another_file_of_the_same_name_loses_nothing(show, data_dir, tmp_path):
    app = show("cohort")
    for folder, content in (("one", FIRST), ("two", SECOND)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "ward.csv").write_bytes(content)
        open_path(app, tmp_path / folder / "ward.csv")
    assert not app.exception
    assert [row.name for row in cohorts.list_cohorts()] == ["ward.csv", "ward.csv"]


def test_a_path_in_an_unknown_home_is_answered_as_a_missing_file(show, data_dir):
    app = open_path(show("cohort"), "~nobody-here/x.csv")
    assert not app.exception
    assert "x\\.csv" in app.error[0].value


def test_notes_of_a_file_stay_with_it_while_it_is_edited_and_no_longer(show, data_dir, tmp_path):
    other = cohorts.save_cohort(make_demo(200))
    path = tmp_path / "notes.csv"
    path.write_bytes(FIRST.replace(b"age,died", b"age,age"))
    app = open_path(show("cohort"), path)
    assert "is now called" in words(app)
    box = next(b for b in app.selectbox if b.label == "Outcome column")
    box.set_value(box.options[1]).run()
    assert "is now called" in words(app)
    app.button(key=f"open_{other}").click().run()
    assert "is now called" not in words(app)


def test_opening_a_cohort_does_not_give_it_the_cuts_of_the_one_before(show, data_dir):
    demo = make_demo(200)
    first = cohorts.save_cohort(of_outcome(demo, Outcome("Age", cuts=(40.0, 60.0))))
    second = cohorts.save_cohort(of_outcome(demo, Outcome("Age", cuts=(50.0,))))
    app = show("cohort", cohort=first)
    app.button(key=f"open_{second}").click().run()
    assert not app.exception
    cuts = {row.id: row.outcome.cuts for row in cohorts.list_cohorts()}
    assert cuts == {first: (40.0, 60.0), second: (50.0,)}


@pytest.mark.parametrize("page", PAGES)
def test_a_cohort_removed_elsewhere_is_said_once_and_forgotten(show, data_dir, page):
    cohort_id = cohorts.save_cohort(make_demo(200))
    app = show(page, cohort=cohort_id)
    queue.delete_cohort(cohort_id)
    app.run()
    assert not app.exception
    assert "This cohort was removed elsewhere." in words(app)
    assert "cohort" not in app.query_params
    assert "removed elsewhere" not in words(app.run())


def test_a_run_removed_elsewhere_is_said_and_its_cohort_stays_open(show, data_dir):
    cohort_id = cohorts.save_cohort(make_demo(200))
    run_id = runs.create_run(cohort_id, RunConfig())
    app = show("find_subtypes", run=run_id)
    queue.delete_run(run_id)
    app.run()
    assert not app.exception
    assert "This run was removed elsewhere." in words(app)
    assert app.query_params["cohort"] == cohort_id
    assert "run" not in app.query_params


def unfinished(state_word, **said):
    """A run whose worker never comes to its end; gives (cohort id, run id)."""
    cohort_id = cohorts.save_cohort(make_demo(200))
    run_id = runs.create_run(cohort_id, RunConfig())
    folder = runs.run_folder(run_id)
    if state_word == "running":
        states.write_worker(folder, my_mark())
    states.write_status(folder, state_word, **said)
    return cohort_id, run_id


@pytest.mark.parametrize("page", ["subtypes", "what_differs", "risk_factors"])
def test_a_link_to_a_run_that_is_not_here_says_so(show, data_dir, page):
    app = show(page, run=ids.new_id())
    for _ in range(2):
        assert app.warning[0].value == "This run is not on this computer."
        assert "No subtypes yet" not in words(app)
        app.run()


def test_a_dead_link_keeps_the_run_that_is_open(show, data_dir):
    cohort_id, run_id = unfinished("stopped")
    app = show("runs", run=run_id)
    app.query_params["run"] = ids.new_id()
    app.run()
    assert "This run is not on this computer." in words(app)
    assert app.query_params["run"] == run_id
    assert app.query_params["cohort"] == cohort_id


@pytest.mark.parametrize("page", ["subtypes", "what_differs", "risk_factors"])
def test_a_page_without_a_result_yet_shows_the_progress_of_its_run(show, data_dir, page):
    _, run_id = unfinished("running", phase="cluster", step=3, of=10)
    app = show(page, run=run_id)
    assert not app.exception
    assert app.button(key="stop_watched")
    assert "No subtypes yet" not in words(app)


@pytest.mark.parametrize("page", ["subtypes", "what_differs", "risk_factors"])
def test_a_stopped_run_says_where_and_no_more(show, data_dir, page):
    _, run_id = unfinished("stopped", phase="cluster", step=62, of=100, row={"epoch": 62})
    said = words(show(page, run=run_id))
    assert "Stopped before it was finished (Finding subtypes, epoch 62 of 100)." in said
    assert "No subtypes yet" not in said


@pytest.mark.parametrize("page", ["subtypes", "runs"])
def test_discarding_a_run_asks_first(show, data_dir, page):
    _, run_id = unfinished("stopped")
    app = show(page, run=run_id)
    app.button(key=f"discard_{run_id}").click().run()
    assert [row.id for row in runs.list_runs()] == [run_id]
    assert app.button(key="confirm_discard")


def test_the_address_is_written_once_a_page(show, data_dir, monkeypatch):
    _, run_id = unfinished("stopped")
    written = []
    kept = type(state.st.query_params).from_dict
    monkeypatch.setattr(
        type(state.st.query_params),
        "from_dict",
        lambda self, said: (written.append(dict(said)), kept(self, said)),
    )
    app = show("runs", run=run_id)
    app.run()
    assert [list(said) for said in written] == [["run", "cohort"]]


@pytest.mark.parametrize("page", ["subtypes", "runs", "compare"])
def test_with_no_cohort_the_way_on_leads_to_one_or_to_the_demo(show, data_dir, page):
    app = show(page)
    links = [link.proto.label for link in app.main if link.type == "page_link"]
    assert links == ["Open a cohort"]
    app.button(key="show_demo").click().run()
    assert not app.exception
    assert app.query_params["run"]


def test_a_run_that_another_window_started_is_shown_where_nothing_else_is(
    show, data_dir, monkeypatch
):
    monkeypatch.setattr(queue, "_start", lambda folder, slots: None)
    cohort_id = cohorts.save_cohort(make_demo(200))
    run_id = queue.start_run(cohort_id, RunConfig())
    app = show("subtypes", cohort=cohort_id)
    assert not app.exception
    assert "No subtypes yet" not in words(app)
    assert app.query_params["run"] == run_id
