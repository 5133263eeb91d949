"""Performance: the numbers of the part, a threshold and a remedy that stay with the run."""

import numpy as np
import pytest

from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.insights.making import insight_steps
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running.fitting import fit_run
from cacviz.engine.types import TEST, RunConfig
from cacviz.jobs import environment
from cacviz.store import insights, runs
from cacviz.store.cohorts import load_cohort, save_cohort
from cacviz.store.risk_choices import change_choices, read_choices
from tests.pages.test_pages import words


@pytest.fixture
def opened(show, described_run):
    cohort_id, run_id = described_run
    yield lambda: show("performance", cohort=cohort_id, run=run_id)
    change_choices(run_id, recalibrated=False, thresholds={})


def test_without_a_run_the_page_says_what_to_do(show):
    app = show("performance")
    assert not app.exception
    assert app.info


def test_the_page_shows_the_parts_numbers(opened, described_run):
    part = insights.load_part(described_run[1], "performance")
    everybody = part.views[0].judged[0]
    app = opened()
    assert not app.exception
    said = words(app).replace("\\", "")
    assert f"AUC {everybody.auc.value:.2f}" in said
    table = next(d.value for d in app.dataframe if "Missed (FNR)" in d.value)
    assert len(table) == len(part.views[0].judged)
    for row, judged in zip(table.itertuples(), part.views[0].judged, strict=True):
        assert judged.told != ("fewer than 10" in row.AUC)


def test_the_threshold_counts_and_stays_with_the_run(opened, described_run):
    cohort_id, run_id = described_run
    app = opened()
    app.slider(key=f"threshold_{run_id}_1").set_value(30.0).run()
    assert not app.exception
    run, y = runs.load_run(run_id), load_cohort(cohort_id).y
    test = run.part == TEST
    found = int(np.sum((run.proba[test, 1] >= 0.3) & (y[test] == 1)))
    table = next(d.value for d in app.dataframe if "flagged" in d.value)
    assert table["flagged"].iloc[0] == f"{found:,}"
    assert read_choices(run_id).thresholds == {"1": 0.3}
    assert opened().slider(key=f"threshold_{run_id}_1").value == 30.0


def test_the_remedy_is_kept_and_can_be_taken_back(opened, described_run):
    run_id = described_run[1]
    if insights.load_part(run_id, "performance").remedy is None:
        pytest.skip("too few validation patients of a class")
    app = opened()
    app.button(key="recalibrate").click().run()
    assert read_choices(run_id).recalibrated
    again = opened()
    assert "Recalibrated; kept with the run" in words(again)
    again.button(key="recalibrate").click().run()
    assert not read_choices(run_id).recalibrated


@pytest.fixture
def taught_run(data_dir):
    """A run whose validation patients taught its model."""
    cohort = make_demo(600)
    fitted = fit_run(split_cohort(cohort, 0), RunConfig(method="gbm", n_clusters=1))
    cohort_id = save_cohort(cohort)
    run_id = runs.create_run(cohort_id, fitted.summary.config)
    runs.save_result(runs.run_folder(run_id), fitted, environment.describe(1))
    for name, make in insight_steps(cohort, fitted, only=("performance",)):
        insights.save_part(runs.run_folder(run_id), name, make())
    return cohort_id, run_id


def test_patients_who_taught_the_model_are_not_offered_to_recalibrate_it(show, taught_run):
    cohort_id, run_id = taught_run
    app = show("performance", cohort=cohort_id, run=run_id)
    assert not app.exception
    assert "Validation patients taught this model too" in words(app)
    assert not [b for b in app.button if b.key == "recalibrate"]


def test_a_recalibration_chosen_before_that_was_known_can_be_taken_back(show, taught_run):
    cohort_id, run_id = taught_run
    change_choices(run_id, recalibrated=True, slope=2.0, shifts=(0.0, 0.1))
    app = show("performance", cohort=cohort_id, run=run_id)
    assert "once recalibrated on validation patients" in " ".join(w.value for w in app.warning)
    app.button(key="recalibrate").click().run()
    assert not app.exception
    assert not read_choices(run_id).recalibrated
