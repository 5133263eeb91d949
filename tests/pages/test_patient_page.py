"""Patient: a form, a patient of the cohort, a file; answered by the helper, kept nowhere."""

import pytest

from cacviz.engine.cohorts.demo import make_demo
from cacviz.store import paths, runs
from cacviz.store.bundles.opening import take_in
from cacviz.store.bundles.packing import pack_run
from cacviz.ui.patient import asking
from cacviz.wording.patient import WITHOUT_PATIENTS
from tests.pages.test_pages import words


@pytest.fixture
def opened(show, described_run):
    cohort_id, run_id = described_run
    return show("patient", cohort=cohort_id, run=run_id)


def test_without_a_run_the_page_says_what_to_do(show):
    app = show("patient")
    assert not app.exception
    assert app.info


def test_a_run_without_its_patients_takes_a_file_and_says_why(show, described_run, tmp_path):
    (tmp_path / "run.zip").write_bytes(pack_run(described_run[1]))
    app = show("patient", run=take_in(tmp_path / "run.zip").run_id)
    assert not app.exception
    assert WITHOUT_PATIENTS in [i.value for i in app.info]
    assert not app.number_input


def test_a_patient_of_the_cohort_is_shown_with_the_runs_own_risk(opened, described_run):
    run = runs.load_run(described_run[1])
    app = opened
    app.segmented_control(key="patient_way").set_value("row").run()
    app.text_input(key=f"row_{run.id}").set_value("#3").run()
    app.button(key="take_row").click().run()
    assert not app.exception
    risk = next(m.value for m in app.metric)
    assert risk == f"{run.proba[2, 1]:.1%}"
    said = words(app)
    assert "Row 3 of the cohort" in said.replace("\\", "")
    assert [s.value for s in app.subheader][-3:] == [
        "Why?",
        "What if one value were another?",
        "Nearest patients of the cohort",
    ]
    assert set(app.query_params) <= {"cohort", "run"}  # never a patient's value


def test_the_usual_range_of_a_whole_number_is_told_in_whole_numbers(opened, described_run):
    age = opened.number_input(key=f"field_{described_run[1]}_Age")
    assert "." not in age.placeholder
    assert " to " in age.placeholder


def test_a_new_patient_with_one_value_is_predicted_and_blanks_are_said(opened, described_run):
    run_id = described_run[1]
    app = opened
    app.number_input(key=f"field_{run_id}_Age").set_value(710.0)
    submit = next(b for b in app.button if b.label == "Predict")
    submit.click().run()
    assert not app.exception
    said = words(app).replace("\\", "")
    assert "are blank" in said
    assert any("far outside" in w.value.replace("\\", "") for w in app.warning)


def test_a_file_gives_the_runs_own_risks_and_leaves_nothing_behind(described_run):
    run_id = described_run[1]
    run = runs.load_run(run_id)
    found, notes, id_name = asking.batch(run_id, make_demo(600).table)
    assert (found["risk_1"].to_numpy() == run.proba[:, 1]).all()
    assert id_name == "RecordID"
    assert not [n for n in notes if n.severity == "grave"]
    assert not [p for p in paths.data_dir().iterdir() if "scratch" in p.name]
