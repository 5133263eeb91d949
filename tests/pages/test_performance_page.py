"""Performance: the numbers of the part, a threshold and a remedy that stay with the run."""

import numpy as np
import pytest

from cacviz.engine.types import TEST
from cacviz.store import insights, runs
from cacviz.store.cohorts import load_cohort
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
