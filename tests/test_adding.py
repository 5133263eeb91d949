"""What a newcomer does: add a method with settings of its own, and an insight with a picture.

Each is one file and one registry line; then it is fitted, stored, compared, shown.
"""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from cacviz.commands.main import main
from cacviz.engine.cac.cac import KMeansExperts
from cacviz.engine.cac.experts import route
from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.insights.material import Material
from cacviz.engine.insights.registry import INSIGHTS, Insight
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.protocol import at_least
from cacviz.engine.running.fitting import fit_run
from cacviz.engine.running.methods import METHODS, Method
from cacviz.engine.running.settings import Setting
from cacviz.engine.running.studies import run_study, study_plan
from cacviz.engine.types import RunConfig
from cacviz.figures.theme import styled
from cacviz.jobs.kinds import make_parts
from cacviz.store import cohorts, insights, paths, runs
from cacviz.wording.runs import settings_words


class FirstFeature(KMeansExperts):
    """Groups patients by quantiles of one feature: a method of a newcomer's own file."""

    def __init__(self, n_clusters=3, *, feature=0, expert="lr", n_init=1, random_state=None):
        super().__init__(n_clusters, expert=expert, n_init=n_init, random_state=random_state)
        self.feature = feature

    _parameter_constraints = KMeansExperts._parameter_constraints | {"feature": [at_least(0)]}

    def fit(self, X, y, *, validation=None, on_step=None):
        return super().fit(self._stretched(X), y, validation=validation, on_step=on_step)

    def predict_cluster(self, X):
        return super().predict_cluster(self._stretched(X))

    def predict_proba(self, X):
        routed = self.predict_cluster(X)
        return route(self.experts_, self._stretched(X), routed, len(self.classes_))

    def _stretched(self, X):
        stretched = np.array(X)
        stretched[:, self.feature] *= 50  # the others hardly count
        return stretched


@dataclass(frozen=True, slots=True, eq=False)
class Ages:
    """An insight of a newcomer's own: the mean age of each subtype."""

    means: np.ndarray


def mean_ages(material: Material) -> Ages:
    ages = material.cohort.frame["Age"].to_numpy()
    clusters = material.fitted.clusters
    return Ages(np.array([ages[clusters == j].mean() for j in range(material.n_clusters)]))


def age_bars(found: Ages) -> go.Figure:
    return styled(go.Figure(go.Bar(y=found.means)), y_title="Mean age")


@pytest.fixture
def added(monkeypatch, tmp_path):
    """One registry line each."""
    setting = Setting("feature", "Feature", "By which feature.", "whole", "by feature {}", high=99)
    method = Method(
        "first", "First feature", "By one feature.", f"{__name__}:FirstFeature", ("expert", setting)
    )
    monkeypatch.setitem(METHODS, "first", method)
    monkeypatch.setitem(INSIGHTS, "ages", Insight("ages", Ages, f"{__name__}:mean_ages"))
    monkeypatch.setenv(paths.DATA_DIR, str(tmp_path))
    return method


def test_the_catalogue_knows_its_settings_and_their_defaults(added):
    assert added.default("feature") == 0
    assert added.default("expert") == "lr"
    assert "by feature 2" in settings_words(RunConfig("first", 2, feature=2), None)


@pytest.mark.heavy
def test_it_is_fitted_stored_described_and_loaded(added):
    cohort, config = make_demo(400), RunConfig("first", 2, feature=1)
    fitted = fit_run(split_cohort(cohort, 0), config)
    assert [c.key for c in fitted.summary.controls] == ["k=1", "lr", "gbm"]
    run_id = runs.create_run(cohorts.save_cohort(cohort), config)
    folder = runs.run_folder(run_id)
    runs.save_result(folder, fitted, {})
    model = runs.load_model(run_id).model
    assert isinstance(model, FirstFeature)
    assert model.feature == 1
    make_parts(folder, cohort, fitted)
    found = insights.load_part(run_id, "ages")
    assert found.means == pytest.approx(mean_ages(Material(cohort, fitted)).means)
    assert list(age_bars(found).data[0].y) == pytest.approx(list(found.means))


def test_it_is_compared_with_the_others(added):
    rows = []
    plan = study_plan(["first"], [2], 1)
    run_study(make_demo(400), plan, on_row=rows.append)
    assert {(r["method"], r["clusters"]) for r in rows} == {
        *[("lr", 1), ("gbm", 1), ("first", 1), ("first", 2)],
    }


def test_it_is_offered_on_the_page_with_its_setting(added):
    cohort_id = cohorts.save_cohort(make_demo(300))
    page = AppTest.from_string(
        "from cacviz.ui.shell.frame import show\nshow('find_subtypes')", default_timeout=180
    )
    page.query_params["cohort"] = cohort_id
    page.run()
    page.selectbox(key="method").select("first").run()
    assert not page.exception
    assert page.number_input(key="first_feature").value == 0


def test_the_command_line_takes_it(added, capsys):
    with pytest.raises(SystemExit):
        main(["fit", "--help"])
    assert "first" in capsys.readouterr().out
