"""The page Compare: without a study, with one that is going, stopped, and complete."""

import shutil

import pytest

from cacviz.engine.cohorts.choosing import with_roles
from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.running.studies import COLUMNS, LIMITS, study_plan
from cacviz.engine.running.study_statistics import compared, verdict
from cacviz.engine.types import RunConfig
from cacviz.jobs import queue
from cacviz.store import atomic, cohorts, history, ids, runs, states, studies
from cacviz.store.unix import my_mark
from cacviz.ui.compare.findings import paper_table
from cacviz.ui.compare.pair import other_choices, other_spaces
from cacviz.wording.verdicts import verdict_parts
from tests.pages.test_pages import words

PLAN = study_plan(["kmeans"], [2], 3)


def score(cell):
    # differences must vary from split to split to be tested
    return 0.6 + 0.01 * cell.split + (0.1 if cell.clusters > 1 else 0.001 * (cell.split == 1))


@pytest.fixture
def study(data_dir, monkeypatch):
    """A study of a stored cohort whose worker is never started; gives (cohort, study, folder)."""
    monkeypatch.setattr(queue, "_start", lambda folder, slots: None)
    cohort_id = cohorts.save_cohort(make_demo(300))
    study_id = queue.start_study(cohort_id, PLAN)
    return cohort_id, study_id, studies.study_folder(study_id)


def fill(folder, n):
    """Write the rows of the first fits, as a worker does."""
    rows = []
    for step, cell in enumerate(PLAN.cells()[:n]):
        row = {"phase": "comparing", "step": step + 1, "of": 12} | cell._asdict()
        rows.append(row | dict.fromkeys((*COLUMNS[3:], *LIMITS), score(cell)))
    history.append_rows(folder, b"".join(atomic.encode(row) + b"\n" for row in rows))


def test_without_a_study_the_page_asks_what_to_compare(show, data_dir):
    cohort_id = cohorts.save_cohort(make_demo(300))
    app = show("compare", cohort=cohort_id)
    assert not app.exception
    assert "fits, about" in words(app)
    assert "Two finished runs" in words(app)
    assert any(button.label == "Compare" for button in app.button)


def test_the_button_starts_the_study_that_was_asked_for(show, data_dir, monkeypatch):
    asked = []
    monkeypatch.setattr(queue, "start_study", lambda *a: asked.append(a))
    cohort_id = cohorts.save_cohort(make_demo(300))
    app = show("compare", cohort=cohort_id)
    app.multiselect(key="compare_methods").set_value(["kmeans"])
    app.multiselect(key="compare_k").set_value([2])
    app.slider(key="compare_splits").set_value(3).run()
    next(b for b in app.button if b.label == "Compare").click().run()
    assert asked == [(cohort_id, PLAN)]


def test_without_a_number_of_subtypes_the_page_asks_for_one(show, data_dir):
    app = show("compare", cohort=cohorts.save_cohort(make_demo(300)))
    app.multiselect(key="compare_k").set_value([]).run()
    assert "Choose one or more numbers of subtypes." in words(app)
    assert next(b for b in app.button if b.label == "Compare").disabled


def test_a_finished_study_shows_the_verdict_the_table_and_the_words(show, study):
    cohort_id, study_id, folder = study
    fill(folder, 12)
    studies.seal_rows(folder)
    rows = studies.study_rows(study_id)
    app = show("compare", cohort=cohort_id)
    assert not app.exception
    said = next(i.value for i in app.info if "splits" in i.value).replace("\\", "")
    for sentence in verdict_parts(verdict(rows, 2), "In-hospital death"):
        assert sentence in said
    table = next(d.value for d in app.dataframe if "AUC" in d.value)
    assert table.loc["k-means with 2 subtypes", "AUC"] == "0.710 ± 0.010 ▲"
    best = paper_table(compared(rows, 2), ["auc"], "lr")[1]
    assert list(best.index[best["AUC"]]) == ["k-means with 2 subtypes"]
    found = next(d.value for d in app.dataframe if "In words" in d.value)
    assert set(found["In words"]) == {"clearly better"}


def test_results_are_shown_as_they_come(show, study):
    cohort_id, _, folder = study
    fill(folder, 9)  # two whole splits and a fit of the third
    states.write_worker(folder, my_mark())
    states.write_status(folder, "running")
    app = show("compare", cohort=cohort_id)
    assert not app.exception
    table = next(d.value for d in app.dataframe if "AUC" in d.value)
    assert table.loc["k-means with 2 subtypes", "AUC"].startswith("0.705 ± ")


def test_a_comparison_made_with_other_choices_says_so(show, study):
    cohort_id, _, folder = study
    fill(folder, 12)
    studies.seal_rows(folder)
    held = cohorts.load_cohort(cohort_id)
    cohorts.change_cohort(cohort_id, lambda c: with_roles(c, {"Age": "left out"}), held)
    app = show("compare", cohort=cohort_id)
    warned = [w.value for w in app.warning if "other choices than today's" in w.value]
    assert len(warned) == 1
    assert "1 more feature" in warned[0]
    assert "Age" in warned[0]


def test_a_stopped_study_offers_to_resume_and_does(show, study, monkeypatch):
    cohort_id, study_id, folder = study
    fill(folder, 5)
    states.write_status(folder, "stopped")
    app = show("compare", cohort=cohort_id)
    assert "5 of 12 fits are done and kept" in app.warning[0].value
    asked = []
    monkeypatch.setattr(queue, "resume_study", asked.append)
    next(b for b in app.button if b.label == "Resume").click().run()
    assert asked == [study_id]
    app.button(key="discard_study").click().run()
    assert studies.study_folder(study_id).exists()
    assert app.button(key="confirm_discard")


def test_a_study_that_is_going_shows_progress_and_stop(show, study, monkeypatch):
    cohort_id, study_id, folder = study
    fill(folder, 6)
    states.write_worker(folder, my_mark())
    states.write_status(folder, "running")
    app = show("compare", cohort=cohort_id)
    assert not app.exception
    assert next(b for b in app.button if b.label == "Compare").disabled
    asked = []
    monkeypatch.setattr(queue, "stop_study", asked.append)
    next(b for b in app.button if b.label == "Stop").click().run()
    assert asked == [study_id]


@pytest.mark.parametrize("name", ["dcn_z", "dmnn", "actpc", "grasp"])
def test_a_baseline_can_be_picked_and_keeps_its_own_weights(show, data_dir, name, monkeypatch):
    asked = []
    monkeypatch.setattr(queue, "start_run", lambda _, config: asked.append(config))
    app = show("find_subtypes", cohort=cohorts.save_cohort(make_demo(300)))
    app.selectbox(key="method").set_value(name).run()
    assert not app.exception
    next(b for b in app.button if b.label == "Find subtypes").click().run()
    (config,) = asked
    assert config.method == name
    assert {config.get("alpha"), config.get("beta")} == {None}


def test_two_runs_stand_side_by_side_with_their_agreement(show, with_run):
    cohort_id, run_id = with_run
    second = queue.start_run(cohort_id, RunConfig(method="kmeans", n_clusters=3), "Second look")
    assert [now.state for now in queue.follow_run(second)][-1] == "done"
    app = show("compare", cohort=cohort_id, run=run_id)
    assert not app.exception
    agreement = next(m for m in app.metric if "adjusted Rand" in m.label)
    assert -1 <= float(agreement.value) <= 1
    table = next(d.value for d in app.dataframe if "Run" in d.value)
    assert len(table) == 2
    assert "different spaces" not in words(app)
    queue.delete_run(second)


def test_two_runs_of_the_same_name_can_both_be_chosen(show, with_run):
    cohort_id, run_id = with_run
    twin = ids.new_id()
    folder = runs.run_folder(run_id)
    # without the mark of the worker, who may still be at its map and would go with the twin
    shutil.copytree(folder, folder.parent / twin, ignore=shutil.ignore_patterns("lock.json"))
    app = show("compare", cohort=cohort_id, run=run_id)
    boxes = [app.selectbox(key=key) for key in ("pair_first", "pair_second")]
    assert [box.value for box in boxes] == [twin, run_id]
    assert len(set(boxes[0].options)) == 2
    assert any("adjusted Rand" in metric.label for metric in app.metric)
    queue.delete_run(twin)


@pytest.mark.parametrize(
    ("methods", "told"),
    [
        (("cac", "kmeans"), ""),
        (("cac", "deepcac"), "different spaces (features, learned embedding)"),
        (("deepcac", "deepcac"), "different spaces (each run's own learned embedding)"),
    ],
)
def test_separation_scores_of_different_spaces_are_not_to_be_compared(methods, told):
    said = other_spaces(*methods)
    assert (told in said) if told else not said


def test_two_runs_of_other_features_say_so():
    whole = make_demo(60).choices
    without = with_roles(whole, {"Age": "left out"})
    assert other_choices(whole, whole) == ""
    assert "1 more feature (Age)" in other_choices(whole, without)
    assert "without Age" in other_choices(without, whole)
