"""Each page with and without a cohort and a run."""

import time
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.choosing import with_outcome
from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.cohorts.making import make_cohort, rechosen
from cacviz.engine.types import Column, Outcome
from cacviz.store import cohorts, runs
from cacviz.ui.shell.navigation import PAGES


def words(app):
    """All text on the page."""
    kinds = ("title", "subheader", "markdown", "caption", "info", "warning", "error", "success")
    return "\n".join(str(e.value) for kind in kinds for e in getattr(app, kind))


def of_outcome(cohort, outcome):
    """The cohort with another outcome."""
    return rechosen(cohort, with_outcome(cohort.choices, outcome))


@pytest.mark.parametrize("name", PAGES)
def test_every_page_opens_with_nothing_there(show, name):
    app = show(name)
    assert not app.exception
    assert app.title


@pytest.mark.parametrize("name", PAGES)
def test_every_page_opens_with_a_finished_run(show, with_run, name):
    cohort_id, run_id = with_run
    app = show(name, cohort=cohort_id, run=run_id)
    assert not app.exception
    assert not app.error
    assert "Demo ICU cohort" in words(app).replace("\\", "")


@pytest.mark.parametrize("name", PAGES)
def test_every_page_survives_an_address_that_names_nothing(show, name):
    app = show(name, cohort="nonsense", run="../../etc/passwd")
    assert not app.exception
    assert app.title


def test_subtypes_page_says_what_to_do_when_there_is_no_run(show):
    assert "Find subtypes" in show("subtypes").info[0].value


def test_subtypes_page_shows_the_numbers_of_the_run(show, with_run):
    cohort_id, run_id = with_run
    summary = runs.load_run(run_id).summary
    app = show("subtypes", cohort=cohort_id, run=run_id)
    rates = [metric.value for metric in app.metric]
    assert rates == [f"{c.test_rates[1].value:.1%}" for c in summary.clusters]
    table = next(d.value for d in app.dataframe if "AUC" in d.value)
    assert f"{summary.test['auc'].value:.3f}" in table.iloc[0]["AUC"]
    assert len(table) == 1 + len(summary.controls)


def test_a_link_to_a_run_brings_its_cohort_along(show, with_run):
    cohort_id, run_id = with_run
    app = show("subtypes", run=run_id)
    assert not app.exception
    assert app.query_params["cohort"] == cohort_id
    assert "training patients" in words(app)


def test_find_subtypes_asks_for_an_outcome_first(show, data_dir):
    cohort_id = cohorts.save_cohort(of_outcome(make_demo(200), None))
    app = show("find_subtypes", cohort=cohort_id)
    assert "has no outcome yet" in words(app)
    assert not [b for b in app.button if b.label == "Find subtypes"]


def test_alpha_beyond_its_critical_value_is_said_before_the_run(show, data_dir):
    cohort_id = cohorts.save_cohort(make_demo(400))
    app = show("find_subtypes", cohort=cohort_id)
    app.radio(key="alpha_way").set_value("typed").run()
    assert not app.warning
    app.slider(key="alpha").set_value(0.5).run()
    assert "beyond its critical value" in app.warning[0].value


def test_a_chosen_outcome_is_kept_on_disk(show, data_dir):
    cohort_id = cohorts.save_cohort(of_outcome(make_demo(200), None))
    app = show("cohort", cohort=cohort_id)
    box = next(b for b in app.selectbox if b.label == "Outcome column")
    box.set_value("In-hospital_death").run()
    assert not app.exception
    (kept,) = cohorts.list_cohorts()
    assert kept.outcome.column == "In-hospital_death"


def test_runs_page_renames_a_run(show, with_run):
    cohort_id, run_id = with_run
    app = show("runs", cohort=cohort_id, run=run_id)
    app.text_input(key=f"name_{run_id}").set_value("The one").run()
    assert next(r for r in runs.list_runs() if r.id == run_id).card.name == "The one"


def test_runs_page_shows_the_alpha_that_was_used(show, with_run):
    cohort_id, run_id = with_run
    app = show("runs", cohort=cohort_id, run=run_id)
    alpha = f"{runs.load_run(run_id).summary.alpha:.3g}"
    assert app.dataframe[0].value["α"].tolist() == [alpha]
    assert f"(α) {alpha} (half its critical value)" in words(app).replace("\\", "")


def test_markdown_in_a_file_name_is_shown_not_obeyed(show, data_dir):
    hostile = replace(make_demo(200), name="![x](http://evil.example/x.png)")
    app = show("cohort", cohort=cohorts.save_cohort(hostile))
    assert "![x](" not in words(app)


def test_columns_left_out_and_the_patient_id_are_kept_on_disk(show, data_dir):
    cohort_id = cohorts.save_cohort(make_demo(200))
    app = show("cohort", cohort=cohort_id)
    box = next(m for m in app.multiselect if m.label == "Leave out")
    box.set_value([*box.value, "Age"]).run()
    assert not app.exception
    (kept,) = cohorts.list_cohorts()
    cohort = cohorts.load_cohort(kept.id)
    assert "Age" in cohort.names("left out")
    assert cohort.names("patient id") == ["RecordID"]


def test_another_sheet_of_an_uploaded_book_can_be_chosen(show, data_dir, tmp_path):
    with pd.ExcelWriter(tmp_path / "ward.xlsx") as book:
        pd.DataFrame({"column": ["age"]}).to_excel(book, sheet_name="Codebook", index=False)
        pd.DataFrame({"age": [70, 61], "dead": [0, 1]}).to_excel(book, sheet_name="A", index=False)
    app = show("cohort")
    file = ("ward.xlsx", (tmp_path / "ward.xlsx").read_bytes(), "application/vnd.ms-excel")
    app.file_uploader(key="upload").set_value(file).run()
    assert "The sheet A was read" in words(app).replace("\\", "")
    box = next(b for b in app.selectbox if b.label == "Sheet")
    assert list(box.options) == ["A", "Codebook"]
    box.set_value("Codebook").run()
    assert not app.exception
    newest, first = cohorts.list_cohorts()
    assert (newest.name, newest.n_patients, len(newest.choices.columns)) == ("ward.xlsx", 1, 1)
    assert first.n_patients == 2  # what was read before is not lost


def clinic(**more):
    """A small cohort as a clinic exports it: words for answers, one of them unknown."""
    n = 120
    frame = pd.DataFrame({"age": np.arange(n) % 50 + 40.5, **more})
    frame["Tod"] = np.where(
        np.arange(n) < 10, "unbekannt", np.where(np.arange(n) % 4, "nein", "ja")
    )
    kinds = {"Tod": "category", "rauchen": "yesno"}
    columns = [Column(name, kinds.get(name, "number")) for name in frame]
    return make_cohort("clinic.csv", frame, columns, Outcome("Tod"))


def test_an_unknown_outcome_is_fixed_with_one_click_and_the_event_is_said(show, data_dir):
    app = show("cohort", cohort=cohorts.save_cohort(clinic()))
    assert "unbekannt" in app.error[0].value
    next(b for b in app.button if b.label == "Treat unbekannt as missing").click().run()
    assert not app.exception
    (kept,) = cohorts.list_cohorts()
    assert kept.classes == ("nein", "ja")
    n = int((clinic().frame["Tod"] == "ja").sum())
    said = {m.label: m.value.replace("\\", "") for m in app.metric}["Event"]
    assert said.startswith(f"ja: {n} (2")
    assert f"Event: **{said}**" in words(app).replace("\\", "")


def test_cohorts_of_the_same_file_can_be_told_apart(show, data_dir):
    first = clinic(rauchen=np.tile(["ja", "nein"], 60))
    cohorts.save_cohort(first)
    cohorts.save_cohort(of_outcome(first, Outcome("rauchen")))
    lines = [m.value.replace("\\", "") for m in show("cohort").markdown if "clinic" in m.value]
    assert "Outcome rauchen = ja; 1 feature; left out: Tod" in lines[0]
    assert "Outcome Tod (nein, ja, unbekannt); 2 features; no column left out" in lines[1]
    assert all("**clinic.csv**, 120 patients, 0 runs" in line for line in lines)
    assert all(f"opened {time.strftime('%d %b %Y')}" in line for line in lines)
