"""Validate and Treatment: with and without what they need, and what is said is kept."""

import numpy as np
import pytest

from cacviz.engine import fit_run, split_cohort
from cacviz.engine.cohorts.choosing import with_roles
from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.insights.elsewhere.validating import validate
from cacviz.engine.insights.material import Material
from cacviz.engine.insights.treated.treating import treat_run
from cacviz.engine.types import Column, RunConfig
from cacviz.jobs import environment
from cacviz.store import applying, cohorts, insights, runs, treatments, validations
from tests.pages.test_pages import words


@pytest.fixture(scope="module")
def fitted():
    demo = make_demo(400)
    frame = demo.frame.assign(arm=np.random.default_rng(0).integers(0, 3, 400))
    columns = [*demo.columns, Column("arm", "category", role="treatment")]
    cohort = make_cohort("trial", frame, columns, demo.outcome)
    assert with_roles(cohort.choices, {}).names("treatment") == ["arm"]
    return cohort, fit_run(split_cohort(cohort, 0), RunConfig("kmeans", 2))


@pytest.fixture
def trial(fitted, data_dir):
    """A finished run of a trial with its treatment effects; (cohort id, run id)."""
    cohort, found = fitted
    cohort_id = cohorts.save_cohort(cohort)
    run_id = runs.create_run(cohort_id, found.summary.config)
    folder = runs.run_folder(run_id)
    runs.save_result(folder, found, environment.describe(1))
    insights.save_part(folder, "treatment", treat_run(Material(cohort, found)))
    return cohort_id, run_id


@pytest.mark.parametrize("page", ["treatment", "validate"])
def test_without_a_run_the_page_says_what_to_do(show, page):
    app = show(page)
    assert not app.exception
    assert "No subtypes yet" in words(app)


def test_a_treatment_is_an_association_until_it_is_said_to_be_randomised(show, trial):
    cohort_id, run_id = trial
    app = show("treatment", cohort=cohort_id, run=run_id)
    assert not app.exception
    assert "read what stands here as an association" in words(app)
    app.selectbox(key=f"randomised_{run_id}").set_value(True).run()
    assert treatments.randomised(cohort_id, "arm") is True
    again = show("treatment", cohort=cohort_id, run=run_id)
    said = words(again).replace("\\", "")
    assert "Randomised, as you say" in said
    assert "held-out patient" in said


def test_a_run_without_a_treatment_says_how_to_get_one(show, with_run):
    cohort_id, run_id = with_run
    app = show("treatment", cohort=cohort_id, run=run_id)
    assert not app.exception
    assert "No column of this run is the treatment" in words(app)


def test_a_validation_is_shown_as_it_is_stored(show, trial):
    cohort_id, run_id = trial
    other = cohorts.save_cohort(make_demo(300, seed=3))
    app = show("validate", cohort=cohort_id, run=run_id)
    assert not app.exception
    assert "looked for anew" in words(app)
    frame = cohorts.load_cohort(other).frame
    loaded = applying.load_instrument(run_id), applying.load_home(run_id)
    found = validate(*loaded, frame, "In-hospital_death", name="Other ward")
    name = validations.create_validation(run_id, other, "In-hospital_death")
    validations.save_validation(validations.validation_folder(name), found)
    app = show("validate", cohort=cohort_id, run=run_id)
    assert not app.exception
    said = words(app).replace("\\", "")
    assert f"adjusted Rand index {found.ari:.2f}" in said
    assert "Other ward" in said
