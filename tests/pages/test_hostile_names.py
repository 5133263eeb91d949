"""No name, label, unit, level or subtype's name is ever taken for markup."""

import pytest

from cacviz.engine.insights.making import insight_steps
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running.fitting import fit_run
from cacviz.engine.types import RunConfig
from cacviz.jobs import environment
from cacviz.store import cohorts, insights, paths, runs
from cacviz.ui.shell.navigation import PAGES
from cacviz.ui.shell.text import JOINER, plain
from tests.pages.hostile import PAYLOADS, SITE, hostile_cohort, name, raw_texts


@pytest.fixture(scope="module")
def hostile_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    cohort = hostile_cohort()
    fitted = fit_run(split_cohort(cohort, 0), RunConfig(method="kmeans", n_clusters=2))
    with pytest.MonkeyPatch.context() as here:
        here.setenv(paths.DATA_DIR, str(folder))
        cohort_id = cohorts.save_cohort(cohort)
        run_id = runs.create_run(cohort_id, fitted.summary.config, name(3), note=name(4))
        runs.save_result(runs.run_folder(run_id), fitted, environment.describe(1))
        for part, make in insight_steps(cohort, fitted):
            if part != "map":
                insights.save_part(runs.run_folder(run_id), part, make())
        for cluster in range(2):
            insights.rename_subtype(run_id, cluster, name(cluster)[:60])
    return folder, cohort_id, run_id


@pytest.mark.parametrize("page", PAGES)
def test_no_name_is_markup(hostile_run, show, monkeypatch, page):
    folder, cohort_id, run_id = hostile_run
    monkeypatch.setenv(paths.DATA_DIR, str(folder))
    app = show(page, cohort=cohort_id, run=run_id)
    assert not app.exception
    assert raw_texts(app) == []


@pytest.mark.parametrize("payload", PAYLOADS)
def test_plain_text_has_no_address_that_streamlit_would_link(payload):
    said = plain(payload)
    assert SITE not in said
    shown = said.replace("\\", "").replace(JOINER, "")
    assert shown == payload.replace("\\", "")
    for address in ("http://", "https://", "www.", "@evil"):
        assert address not in said.replace("\\", "")
