"""The page Compare: without a study, with one that is going, stopped, and complete."""

import shutil

import pytest

from cacviz import runs
from cacviz.engine.demo import make_demo
from cacviz.engine.studies import study_plan
from cacviz.engine.study_statistics import verdict
from cacviz.engine.types import RunConfig
from cacviz.runs import files, states, store, studies
from cacviz.runs.reports import HISTORY
from cacviz.ui.compare_views import paper_table
from cacviz.ui.pair_views import other_spaces
from tests.pages.test_pages import words

PLAN = study_plan(["kmeans"], [2], 3)


def score(cell):
    # differences must vary from split to split to be tested
    return 0.6 + 0.01 * cell.split + (0.1 if cell.clusters > 1 else 0.001 * (cell.split == 1))


@pytest.fixture
def study(data_dir, monkeypatch):
    """A study of a stored cohort whose worker is never started; gives (cohort, study, folder)."""
    monkeypatch.setattr(studies, "_start", lambda folder: None)
    cohort_id = runs.save_cohort(make_demo(300))
    study_id = studies.start_study(cohort_id, PLAN, n_jobs=1)
    return cohort_id, study_id, studies.study_folder(study_id)


def fill(folder, n):
    lines = []
    for step, cell in enumerate(PLAN.cells()[:n]):
        row = {"phase": "comparing", "step": step + 1, "of": 12} | cell._asdict()
        columns = (*studies.COLUMNS[3:], *studies.LIMITS)
        lines.append(files.encode(row | dict.fromkeys(columns, score(cell))))
    (folder / HISTORY).write_bytes(b"\n".join(lines) + b"\n")


def test_without_a_study_the_page_asks_what_to_compare(show, data_dir):
    cohort_id = runs.save_cohort(make_demo(300))
    app = show("compare", cohort=cohort_id)
    assert not app.exception
    assert "fits, about" in words(app)
    assert "Two finished runs" in words(app)
    assert any(button.label == "Compare" for button in app.button)


def test_the_button_starts_the_study_that_was_asked_for(show, data_dir, monkeypatch):
    asked = []
    monkeypatch.setattr(studies, "start_study", lambda *a: asked.append(a))
    cohort_id = runs.save_cohort(make_demo(300))
    app = show("compare", cohort=cohort_id)
    app.multiselect(key="compare_methods").set_value(["kmeans"])
    app.multiselect(key="compare_k").set_value([2])
    app.slider(key="compare_splits").set_value(3).run()
    next(b for b in app.button if b.label == "Compare").click().run()
    assert asked == [(cohort_id, PLAN)]


def test_without_a_number_of_subtypes_the_page_asks_for_one(show, data_dir):
    app = show("compare", cohort=runs.save_cohort(make_demo(300)))
    app.multiselect(key="compare_k").set_value([]).run()
    assert "Choose one or more numbers of subtypes." in words(app)
    assert next(b for b in app.button if b.label == "Compare").disabled


def test_a_finished_study_shows_the_verdict_the_table_and_the_words(show, study):
    cohort_id, study_id, folder = study
    fill(folder, 12)
    rows = studies.study_rows(study_id)
    files.seal_folder(folder / states.RESULT, {studies.ROWS: files.encode(rows)}, {})
    app = show("compare", cohort=cohort_id)
    assert not app.exception
    said = app.info[0].value.replace("\\", "")
    assert said == verdict(rows, "In-hospital death")
    table = next(d.value for d in app.dataframe if "AUC" in d.value)
    assert table.loc["k-means with 2 subtypes", "AUC"] == "0.710 ± 0.010 ▲"
    best = paper_table(rows, ["auc"], "lr")[1]
    assert list(best.index[best["AUC"]]) == ["k-means with 2 subtypes"]
    found = next(d.value for d in app.dataframe if "In words" in d.value)
    assert set(found["In words"]) == {"better"}


def test_a_stopped_study_offers_to_go_on_and_does(show, study, monkeypatch):
    cohort_id, study_id, folder = study
    fill(folder, 5)
    states.write_status(folder, "stopped")
    app = show("compare", cohort=cohort_id)
    assert "5 of 12 fits are done and kept" in app.warning[0].value
    asked = []
    monkeypatch.setattr(studies, "resume_study", asked.append)
    next(b for b in app.button if b.label == "Go on").click().run()
    assert asked == [study_id]
    app.button(key="discard_study").click().run()
    assert studies.study_folder(study_id).exists()
    assert app.button(key="confirm_discard")


def test_a_study_that_is_going_shows_progress_and_stop(show, study, monkeypatch):
    cohort_id, study_id, folder = study
    fill(folder, 6)
    states.write_worker(folder, studies.my_mark())
    states.write_status(folder, "running")
    app = show("compare", cohort=cohort_id)
    assert not app.exception
    assert next(b for b in app.button if b.label == "Compare").disabled
    asked = []
    monkeypatch.setattr(studies, "stop_study", asked.append)
    next(b for b in app.button if b.label == "Stop").click().run()
    assert asked == [study_id]


@pytest.mark.parametrize("name", ["dcn_z", "dmnn", "actpc", "grasp"])
def test_a_baseline_can_be_picked_and_keeps_its_own_weights(show, data_dir, name, monkeypatch):
    asked = []
    monkeypatch.setattr(runs, "start_run", lambda _, config: asked.append(config))
    app = show("find_subtypes", cohort=runs.save_cohort(make_demo(300)))
    app.selectbox(key="method").set_value(name).run()
    assert not app.exception
    next(b for b in app.button if b.label == "Find subtypes").click().run()
    (config,) = asked
    assert (config.method, config.alpha, config.beta) == (name, None, None)


def test_two_runs_stand_side_by_side_with_their_agreement(show, with_run):
    cohort_id, run_id = with_run
    second = runs.start_run(cohort_id, RunConfig(method="kmeans", n_clusters=3), "Second look")
    assert [now.state for now in runs.follow(second)][-1] == "done"
    app = show("compare", cohort=cohort_id, run=run_id)
    assert not app.exception
    agreement = next(m for m in app.metric if "adjusted Rand" in m.label)
    assert -1 <= float(agreement.value) <= 1
    table = next(d.value for d in app.dataframe if "Run" in d.value)
    assert len(table) == 2
    assert "different spaces" not in words(app)
    runs.delete_run(second)


def test_two_runs_of_the_same_name_can_both_be_chosen(show, with_run):
    cohort_id, run_id = with_run
    twin = store.new_id()
    shutil.copytree(store.run_folder(run_id), store.run_folder(run_id).parent / twin)
    app = show("compare", cohort=cohort_id, run=run_id)
    boxes = [app.selectbox(key=key) for key in ("pair_first", "pair_second")]
    assert [box.value for box in boxes] == [twin, run_id]
    assert len(set(boxes[0].options)) == 2
    assert any("adjusted Rand" in metric.label for metric in app.metric)
    runs.delete_run(twin)


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
