"""What was found in another cohort, and of a treatment, stands in the report in the same words."""

import numpy as np
import pytest

from cacviz.engine import fit_run, split_cohort
from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.insights.elsewhere.validating import validate
from cacviz.engine.insights.material import Material
from cacviz.engine.insights.treated.treating import treat_run
from cacviz.engine.types import Column, RunConfig
from cacviz.jobs import environment
from cacviz.report.blocks import Callout, Grid, Points
from cacviz.report.material import gather
from cacviz.report.registry import build
from cacviz.store import applying, cohorts, insights, paths, runs, treatments, validations
from cacviz.wording import elsewhere as words
from cacviz.wording.tables import HIDDEN


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    """A run of a trial with two arms, validated in another ward; (run id, what was found)."""
    with pytest.MonkeyPatch.context() as here:
        here.setenv(paths.DATA_DIR, str(tmp_path_factory.mktemp("trial")))
        demo = make_demo(500)
        frame = demo.frame.assign(arm=np.random.default_rng(0).integers(0, 2, 500))
        columns = [*demo.columns, Column("arm", "category", role="treatment")]
        cohort = make_cohort("trial", frame, columns, demo.outcome)
        run_id = runs.create_run(cohorts.save_cohort(cohort), RunConfig("kmeans", 3))
        folder = runs.run_folder(run_id)
        fitted = fit_run(split_cohort(cohort, 0), RunConfig("kmeans", 3))
        runs.save_result(folder, fitted, environment.describe(1))
        insights.save_part(folder, "treatment", treat_run(Material(cohort, fitted)))
        loaded = applying.load_instrument(run_id), applying.load_home(run_id)
        found = validate(*loaded, make_demo(300, seed=3).frame, "In-hospital_death", name="Ward B")
        other = cohorts.save_cohort(make_demo(300, seed=3))
        made = validations.create_validation(run_id, other, "In-hospital_death")
        validations.save_validation(validations.validation_folder(made), found)
        yield run_id, found


def sections(run_id, **how):
    report = build(gather(run_id, **how), ["elsewhere", "treatment", "limits"])
    return {section.key: section.blocks for section in report.sections}


def test_the_verdict_elsewhere_and_its_reasons_are_those_of_the_page(trial):
    run_id, found = trial
    made = sections(run_id)["elsewhere"]
    *reasons, verdict = words.verdict_parts(found.verdict)
    assert [b.text for b in made if isinstance(b, Callout)] == [verdict]
    assert next(b.items for b in made if isinstance(b, Points)) == tuple(reasons)
    assert "not tried on patients" not in str(sections(run_id)["limits"])


def test_a_treatment_is_an_association_unless_it_was_said_to_be_randomised(trial):
    run_id, _ = trial
    assert "association" in sections(run_id)["treatment"][0].text
    treatments.say_randomised(runs.load_run(run_id).asked.cohort_id, "arm", True)
    assert "Randomised" in sections(run_id)["treatment"][0].text


def test_small_counts_of_events_are_hidden_unless_they_are_asked_for(trial):
    run_id, _ = trial
    shown, hidden = (table(sections(run_id, hide=hide)) for hide in (False, True))
    few = [i for i, cell in enumerate(shown["Events in the arm"]) if int(cell.split()[0]) < 5]
    assert few
    assert (hidden.loc[few, "Odds ratio"] == HIDDEN).all()
    assert not (shown == HIDDEN).any(axis=None)


def table(made):
    return next(b.frame for b in made["treatment"] if isinstance(b, Grid))
