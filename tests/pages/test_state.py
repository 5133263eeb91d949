"""What is open, through the pages: it is neither lost by edits nor clung to once it is gone."""

import pytest

from cacviz import runs
from cacviz.engine.cohorts import with_outcome
from cacviz.engine.demo import make_demo
from cacviz.engine.studies import study_plan
from cacviz.engine.types import Outcome, RunConfig
from cacviz.runs import studies
from cacviz.ui.navigation import PAGES
from tests.pages.test_pages import words

FIRST = b"age,died\n" + b"".join(b"%d,%d\n" % (20 + i, i % 2) for i in range(60))
SECOND = FIRST.replace(b"20,0", b"99,0")


def leave_out_age(app):
    box = next(m for m in app.multiselect if m.label == "Leave out")
    return box.set_value([*box.value, "Age"]).run()


def open_path(app, path):
    app.text_input(key="path").set_value(str(path)).run()
    return app.button(key="open_path").click().run()


def test_an_edited_cohort_keeps_the_version_that_was_compared(show, data_dir, monkeypatch):
    monkeypatch.setattr(studies, "_start", lambda folder: None)
    cohort_id = runs.save_cohort(make_demo(200))
    studies.start_study(cohort_id, study_plan(["kmeans"], [2], 2), n_jobs=1)
    assert not leave_out_age(show("cohort", cohort=cohort_id)).exception
    assert len(studies.list_studies(cohort_id)) == 1
    assert len(runs.list_cohorts()) == 2


def test_an_edited_cohort_keeps_the_version_that_was_run(show, data_dir):
    cohort_id = runs.save_cohort(make_demo(200))
    runs.create_run(cohort_id, RunConfig())
    leave_out_age(show("cohort", cohort=cohort_id))
    assert len(runs.list_cohorts()) == 2


def test_a_draft_is_replaced_by_its_edited_version(show, data_dir):
    leave_out_age(show("cohort", cohort=runs.save_cohort(make_demo(200))))
    (kept,) = runs.list_cohorts()
    assert "Age" in runs.load_cohort(kept.id).names("ignore")


def test_opening_another_file_of_the_same_name_loses_nothing(show, data_dir, tmp_path):
    app = show("cohort")
    for folder, content in (("one", FIRST), ("two", SECOND)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "ward.csv").write_bytes(content)
        open_path(app, tmp_path / folder / "ward.csv")
    assert not app.exception
    assert [row.name for row in runs.list_cohorts()] == ["ward.csv", "ward.csv"]


def test_a_path_in_an_unknown_home_is_answered_as_a_missing_file(show, data_dir):
    app = open_path(show("cohort"), "~nobody-here/x.csv")
    assert not app.exception
    assert "x\\.csv" in app.error[0].value


def test_notes_of_a_file_stay_with_it_while_it_is_edited_and_no_longer(show, data_dir, tmp_path):
    other = runs.save_cohort(make_demo(200))
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
    first = runs.save_cohort(with_outcome(demo, Outcome("Age", cuts=(40.0, 60.0))))
    second = runs.save_cohort(with_outcome(demo, Outcome("Age", cuts=(50.0,))))
    app = show("cohort", cohort=first)
    app.button(key=f"open_{second}").click().run()
    assert not app.exception
    assert {row.id for row in runs.list_cohorts()} == {first, second}


@pytest.mark.parametrize("page", PAGES)
def test_a_cohort_removed_elsewhere_is_said_once_and_forgotten(show, data_dir, page):
    cohort_id = runs.save_cohort(make_demo(200))
    app = show(page, cohort=cohort_id)
    runs.delete_cohort(cohort_id)
    app.run()
    assert not app.exception
    assert "This cohort was removed elsewhere." in words(app)
    assert "cohort" not in app.query_params
    assert "removed elsewhere" not in words(app.run())


def test_a_run_removed_elsewhere_is_said_and_its_cohort_stays_open(show, data_dir):
    cohort_id = runs.save_cohort(make_demo(200))
    run_id = runs.create_run(cohort_id, RunConfig())
    app = show("find_subtypes", run=run_id)
    runs.delete_run(run_id)
    app.run()
    assert not app.exception
    assert "This run was removed elsewhere." in words(app)
    assert app.query_params["cohort"] == cohort_id
    assert "run" not in app.query_params
