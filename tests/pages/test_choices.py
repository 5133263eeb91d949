"""What is decided about a cohort stands: it is stored, shown, undone by nobody but the user."""

import pytest

from cacviz.engine.cohorts.choosing import with_roles
from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.types import Condition, RunConfig
from cacviz.store import cohorts, runs
from cacviz.ui.shell.navigation import PAGES
from tests.pages.test_pages import of_outcome, words
from tests.pages.test_state import FIRST, open_path


@pytest.fixture
def demo_id(data_dir):
    """A small demo cohort with its outcome."""
    return cohorts.save_cohort(make_demo(200))


def stored(cohort_id):
    return cohorts.describe_cohort(cohort_id)


def plain_words(app):
    return words(app).replace("\\", "")


def decide(cohort_id, **roles):
    """Decide elsewhere, as another window does; `Age="left out"`."""
    held = cohorts.load_cohort(cohort_id)
    cohorts.change_cohort(cohort_id, lambda choices: with_roles(choices, roles), held)


ROLES = {
    "time": "MechVentDuration",
    "event": "MechVentLast8Hour",
    "treatment": "FiO2_last",
    "sensitive": ["Age", "Sex"],
    "external check": ["Weight"],
    "left out": ["Creatinine_day3", "Death30Days", "Length_of_stay"],
}


def test_every_role_has_a_field_that_stores_what_is_chosen(show, demo_id):
    app = show("cohort", cohort=demo_id)
    for role, wanted in ROLES.items():
        field = app.multiselect if isinstance(wanted, list) else app.selectbox
        field(key=f"role_{role}").set_value(wanted).run()
        assert not app.exception
    for role, wanted in ROLES.items():
        assert sorted(stored(demo_id).choices.names(role)) == sorted(
            [wanted] * isinstance(wanted, str) or wanted
        )
    again = show("cohort", cohort=demo_id)  # another session: nothing is remembered but the store
    for role, wanted in ROLES.items():
        field = again.multiselect if isinstance(wanted, list) else again.selectbox
        shown = field(key=f"role_{role}").value
        assert shown == wanted if isinstance(wanted, str) else sorted(shown) == sorted(wanted)


@pytest.mark.parametrize("page", PAGES)
def test_looking_at_a_page_decides_nothing(show, demo_id, page):
    decide(demo_id, Age="left out", FiO2_last="treatment")
    before = stored(demo_id).record
    show(page, cohort=demo_id).run()
    assert stored(demo_id).record == before


@pytest.mark.parametrize("page", PAGES)
def test_every_page_says_outcome_features_and_what_is_left_out(show, demo_id, page):
    decide(demo_id, Age="left out", FiO2_last="left out")
    choices = stored(demo_id).choices
    side = "\n".join(c.value for c in show(page, cohort=demo_id).sidebar.caption)
    said = side.replace("\\", "")
    assert "Outcome: In-hospital_death = yes" in said
    assert f"{len(choices.names('feature'))} features; left out: " in said
    assert all(name in said for name in choices.names("left out")[:3])


def test_what_another_window_decided_is_shown_and_kept(show, demo_id):
    app = show("cohort", cohort=demo_id)
    held = app.multiselect(key="role_left out").value
    decide(demo_id, FiO2_last="left out")
    app.multiselect(key="role_left out").set_value([*held, "Age"]).run()
    assert {"Age", "FiO2_last"} <= set(stored(demo_id).choices.names("left out"))
    assert {"Age", "FiO2_last"} <= set(app.multiselect(key="role_left out").value)


def test_a_former_time_is_left_out_and_a_former_treatment_is_a_feature_again(show, demo_id):
    decide(demo_id, FiO2_last="treatment")
    app = show("cohort", cohort=demo_id)
    app.selectbox(key="role_time").select("Length_of_stay").run()
    app.selectbox(key="role_treatment").set_value(None).run()
    assert not app.exception
    choices = stored(demo_id).choices
    assert choices.names("time") == ["Length_of_stay"]
    assert "FollowUpDays" in choices.names("left out")
    assert "FiO2_last" in choices.names("feature")


def test_another_outcome_asks_what_becomes_of_the_former_one(show, demo_id):
    app = show("cohort", cohort=demo_id)
    app.selectbox(key="outcome_column").set_value("Death30Days").run()
    assert "was the outcome until now" in plain_words(app)
    assert stored(demo_id).outcome.column == "In-hospital_death"
    app.button(key="former_cancel").click().run()
    assert app.selectbox(key="outcome_column").value == "In-hospital_death"
    app.selectbox(key="outcome_column").set_value("Death30Days").run()
    app.button(key="former_feature").click().run()
    choices = stored(demo_id).choices
    assert choices.outcome.column == "Death30Days"
    assert "In-hospital_death" in choices.names("feature")


def test_what_was_done_is_listed_and_each_step_can_be_taken_back(show, demo_id):
    app = show("cohort", cohort=demo_id)
    held = app.multiselect(key="role_left out").value
    app.multiselect(key="role_left out").set_value([*held, "Age"]).run()
    app.selectbox(key="role_treatment").set_value("FiO2_last").run()
    assert "Left out: Age" in plain_words(app)
    assert "Treatment: FiO2_last" in plain_words(app)
    older = next(b for b in reversed(app.button) if b.label == "Undo")
    older.click().run()
    choices = stored(demo_id).choices
    assert "Age" in choices.names("feature")
    assert choices.names("treatment") == ["FiO2_last"]
    assert "Left out: Age" not in plain_words(app)


def test_the_same_file_finds_its_cohort_with_all_that_was_decided(show, data_dir, tmp_path):
    path = tmp_path / "ward.csv"
    path.write_bytes(FIRST)
    app = open_path(show("cohort"), path)
    app.selectbox(key="outcome_column").set_value("died").run()
    (first,) = cohorts.list_cohorts()
    again = open_path(show("cohort"), path)
    assert "You opened this file before" in plain_words(again)
    assert again.selectbox(key="outcome_column").value == "died"
    assert [row.id for row in cohorts.list_cohorts()] == [first.id]
    again.button(key="afresh").click().run()
    assert again.selectbox(key="outcome_column").value is None
    assert len(cohorts.list_cohorts()) == 2
    assert stored(first.id).outcome.column == "died"


def test_a_new_file_with_the_same_columns_is_offered_the_earlier_choices(show, data_dir, tmp_path):
    app = show("cohort")
    for name, content in (("may.csv", FIRST), ("june.csv", FIRST.replace(b"20,0", b"99,0"))):
        (tmp_path / name).write_bytes(content)
        open_path(app, tmp_path / name)
        if name == "may.csv":
            app.selectbox(key="outcome_column").set_value("died").run()
    assert "may.csv has nearly the same columns" in plain_words(app)
    app.button(key="carry_over").click().run()
    assert [row.outcome.column for row in cohorts.list_cohorts()] == ["died", "died"]
    assert "nearly the same columns" not in plain_words(app)


@pytest.mark.parametrize("page", ["subtypes", "what_differs", "risk_factors"])
def test_a_run_of_other_choices_says_so_and_they_can_be_taken_over(show, described_run, page):
    cohort_id, run_id = described_run
    before = stored(cohort_id).choices
    decide(cohort_id, Age="left out")
    app = show(page, cohort=cohort_id, run=run_id)
    assert not app.exception
    warned = [w.value.replace("\\", "") for w in app.warning]
    assert any("other choices than today's: 1 more feature (Age)" in w for w in warned)
    app.button(key="take_over").click().run()
    assert stored(cohort_id).choices == before
    assert not [w for w in app.warning if "other choices" in w.value]


def test_the_list_of_runs_says_what_each_used_and_whether_that_is_todays(show, demo_id):
    runs.create_run(demo_id, RunConfig(method="kmeans", n_clusters=4, seed=7))
    decide(demo_id, Age="left out")
    runs.create_run(demo_id, RunConfig(n_clusters=2))
    table = show("runs", cohort=demo_id).dataframe[0].value
    assert table["Today's choices"].tolist() == ["yes", "no"]
    assert table["Method"].tolist() == ["CAC", "k-means"]
    assert table["k"].tolist() == [2, 4]
    assert table["Seed"].tolist() == [0, 7]
    assert table["Features"].tolist()[0] == table["Features"].tolist()[1] - 1
    assert "Age" in table["Left out"].iloc[0]
    assert len(set(table["Run"])) == 2


def test_deleting_a_run_says_which_and_can_be_cancelled(show, demo_id):
    run_id = runs.create_run(demo_id, RunConfig(n_clusters=2), "Ward look")
    app = show("runs", cohort=demo_id, run=run_id)
    app.button(key=f"delete_{run_id}").click().run()
    assert "Ward look" in plain_words(app)
    assert app.button(key="confirm_delete")
    app.button(key="cancel_delete").click().run()
    assert [row.id for row in runs.list_runs()] == [run_id]


def test_a_subgroup_becomes_a_cohort_of_its_own(show, demo_id):
    app = show("cohort", cohort=demo_id)
    app.multiselect(key=f"subgroup_{demo_id}").set_value(["Age"]).run()
    app.number_input(key="from_Age").set_value(65.0).run()
    app.button(key="save_subgroup").click().run()
    assert not app.exception
    newest, whole = cohorts.list_cohorts()
    assert whole.id == demo_id
    assert newest.choices.subset == (Condition("Age", low=65.0),)
    old = cohorts.load_cohort(demo_id).frame["Age"]
    assert newest.n_patients == int((old >= 65).sum())
    assert app.query_params["cohort"] == newest.id


def test_no_outcome_is_said_and_not_guessed(show, data_dir):
    cohort_id = cohorts.save_cohort(of_outcome(make_demo(200), None))
    app = show("cohort", cohort=cohort_id)
    assert app.selectbox(key="outcome_column").value is None
    assert "No outcome chosen yet" in plain_words(app)
