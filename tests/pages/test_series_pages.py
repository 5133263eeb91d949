"""Pages of a cohort with hourly records: how it came in, what was measured, courses by subtype."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.making import decided_cohort
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running.fitting import fit_run
from cacviz.engine.series.records import read_records
from cacviz.engine.series.tables import series_table
from cacviz.engine.types import RunConfig, Window
from cacviz.jobs import environment
from cacviz.store import cohorts, insights, paths, runs
from tests.engine.series.record_files import SET_A, as_csv, as_zip

N, HOURS = 64, 8


def records_frame():
    """Two wards whose pulse goes different ways; some stays are too short."""
    rng = np.random.default_rng(0)
    patient, hour = np.repeat(np.arange(N + 4), HOURS), np.tile(np.arange(HOURS), N + 4)
    pulse = (
        70 + 20 * (patient % 2) + hour * np.where(patient % 2, 2, -1) + rng.normal(size=len(hour))
    )
    frame = pd.DataFrame({"patient": patient, "hour": hour, "HR": pulse, "sick": patient % 4 // 2})
    frame["Lactate"] = np.where(hour % 3 == 0, rng.normal(2, 0.3, len(hour)), np.nan)
    return frame[(frame["patient"] < N) | (frame["hour"] < 3)]


def stays():
    table = series_table(read_records(as_csv(records_frame()), "stays.csv"), Window(6))
    return decided_cohort("stays", table, "sick")


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder, cohort = tmp_path_factory.mktemp("stays"), stays()
    fitted = fit_run(split_cohort(cohort, 0), RunConfig("kmeans", 2))
    with pytest.MonkeyPatch.context() as here:
        here.setenv(paths.DATA_DIR, str(folder))
        cohort_id = cohorts.save_cohort(cohort)
        run_id = runs.create_run(cohort_id, fitted.summary.config)
        runs.save_result(runs.run_folder(run_id), fitted, environment.describe(1))
        for name in insights.INSIGHTS:  # none is needed here, and none is waited for
            insights.save_part(runs.run_folder(run_id), name, None)
    return folder, cohort_id, run_id


@pytest.fixture
def opened(finished, show, monkeypatch):
    """Open a page with the cohort of records and its run."""
    folder, cohort_id, run_id = finished
    monkeypatch.setenv(paths.DATA_DIR, str(folder))
    return lambda page: show(page, cohort=cohort_id, run=run_id)


def words(app):
    return " ".join(e.value for kind in (app.markdown, app.caption, app.subheader) for e in kind)


def test_the_cohort_page_says_who_was_left_out_and_what_was_measured(opened):
    app = opened("cohort")
    assert not app.exception
    said = words(app).replace("\\", "")
    assert "68 patients were read from a wide table" in said
    assert "4 who were observed for too short a time" in said
    assert "6 hours × 2 variables a patient" in said
    assert [t.label for t in app.tabs][-1] == "Hours"


def test_the_cohort_page_of_a_table_speaks_of_no_hours(show):
    from cacviz.engine.cohorts.demo import make_demo

    app = show("cohort", cohort=cohorts.save_cohort(make_demo(300)))
    assert not app.exception
    assert "Hourly records" not in words(app)
    assert "Hours" not in [t.label for t in app.tabs]


def test_methods_of_series_are_offered_where_there_are_hours(opened, show, data_dir, monkeypatch):
    app = opened("find_subtypes")
    assert not app.exception
    assert any("DeepCAC-TS" in o for o in app.selectbox(key="method").options)


def test_the_subtypes_page_draws_courses_of_any_variable_and_one_patients_own(opened):
    app = opened("subtypes")
    assert not app.exception
    assert "Course over the first 6 hours" in words(app)
    app.selectbox(key="course_variable").set_value("Lactate")
    app.selectbox(key="course_carried").set_value(True)
    run_id = app.session_state["run"]
    app.selectbox(key=f"course_patient_{run_id}").set_value(3).run()
    assert not app.exception
    assert "A patient counts from the first measurement on" in words(app)


def test_an_upload_of_records_is_asked_about_and_opened(show, data_dir):
    app = show("cohort")
    app.text_input(key="path").set_value(str(_zipped(data_dir))).run()
    app.button(key="open_path").click().run()
    assert not app.exception
    assert "Folders and zips are read as hourly records" in app.info[0].value.replace("\\", "")
    button = next(b for b in app.button if b.label == "Read the records")
    button.click().run()
    assert not app.exception
    assert "3 patients were read from PhysioNet 2012 records" in words(app).replace("\\", "")
    (row,) = cohorts.list_cohorts()
    assert row.has_series


def _zipped(folder):
    path = folder.parent / f"{folder.name}.zip"
    path.write_bytes(as_zip(SET_A))
    return path


@pytest.fixture(scope="module")
def finished_ts(tmp_path_factory):
    """A run that reads the hours of the same stays."""
    folder, cohort = tmp_path_factory.mktemp("hours"), stays()
    config = RunConfig("deepcac_ts", 2, pretrain_epochs=1, epochs=2, hidden=8)
    fitted = fit_run(split_cohort(cohort, 0), config)
    with pytest.MonkeyPatch.context() as here:
        here.setenv(paths.DATA_DIR, str(folder))
        cohort_id = cohorts.save_cohort(cohort)
        run_id = runs.create_run(cohort_id, config)
        runs.save_result(runs.run_folder(run_id), fitted, environment.describe(1))
        for name in insights.INSIGHTS:
            insights.save_part(runs.run_folder(run_id), name, None)
    return folder, cohort_id, run_id


@pytest.fixture
def patient_page(finished_ts, show, monkeypatch):
    folder, cohort_id, run_id = finished_ts
    monkeypatch.setenv(paths.DATA_DIR, str(folder))
    return show("patient", cohort=cohort_id, run=run_id), runs.load_run(run_id)


def test_a_patient_of_a_run_on_hours_has_a_risk_and_a_course_and_no_form(patient_page):
    app, run = patient_page
    assert "A form cannot stand for them" in words(app)
    assert [o for o in app.segmented_control(key="hours_way").options if "new" in o] == []
    app.text_input(key=f"row_{run.id}").set_value("#3").run()
    app.button(key="take_row").click().run(timeout=180)
    assert not app.exception
    assert not app.number_input
    assert next(m.value for m in app.metric) == f"{run.proba[2, 1]:.1%}"
    assert "Course over the first 6 hours" in words(app)
    assert "would contradict itself" in words(app)


def test_a_file_of_records_is_predicted_on_the_page(patient_page):
    app, run = patient_page
    app.segmented_control(key="hours_way").set_value("file").run()
    frame = records_frame()
    some = frame[frame["patient"].isin([2, 5])].drop(columns=["sick", "Lactate"])
    app.file_uploader(key=f"batch_{run.id}").set_value(("new.csv", as_csv(some), "text/csv"))
    app.run(timeout=180)
    assert not app.exception
    assert "2 patients were read" in words(app)
    assert "never measured: 'Lactate'" in words(app).replace("\\", "")
    assert app.dataframe[0].value["patient"].tolist() == [2, 5]
