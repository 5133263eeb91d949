"""The patient map and the panel of picked patients, on a run of nine subtypes."""

import json

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from cacviz.store import cohorts, runs
from cacviz.store.preferences import change_preferences
from cacviz.ui.subtypes import picked as panels
from tests.pages.test_pages import words

NAMES = [f"Subtype {j}" for j in range(1, 10)]


def panel(run_id, cohort_id, rows, names):
    import numpy as np

    from cacviz.store import cohorts, runs
    from cacviz.ui.subtypes.picked import panel

    panel(runs.load_run(run_id), cohorts.load_cohort(cohort_id), names, np.array(rows))


def picked(cohort_id, run_id, rows, names=NAMES):
    asked = {"run_id": run_id, "cohort_id": cohort_id, "rows": list(rows), "names": names}
    return AppTest.from_function(panel, kwargs=asked, default_timeout=180).run()


@pytest.mark.parametrize("page", ["subtypes", "what_differs", "risk_factors"])
def test_pages_open_with_more_subtypes_than_colours(show, with_nine, page):
    cohort_id, run_id = with_nine
    app = show(page, cohort=cohort_id, run=run_id)
    assert not app.exception


def test_a_column_called_risk_can_colour_the_map(show, with_nine):
    cohort_id, run_id = with_nine
    app = show("subtypes", cohort=cohort_id, run=run_id)
    app.selectbox(key="map_color").select("Risk (column Risk)").run()
    assert not app.exception
    drawn = json.loads(app.get("plotly_chart")[0].proto.spec)
    assert drawn["data"][-1]["name"] == "Risk"  # not "Risk of yes, %"
    app.selectbox(key="map_color").select("Risk").run()
    drawn = json.loads(app.get("plotly_chart")[0].proto.spec)
    assert drawn["data"][-1]["name"].startswith("Risk of")


def test_the_export_keeps_columns_that_are_called_as_its_own(with_nine):
    cohort_id, run_id = with_nine
    run, cohort = runs.load_run(run_id), cohorts.load_cohort(cohort_id)
    frame = panels._export(run, cohort, NAMES, np.arange(6))
    assert list(frame.columns[:2]) == ["subtype (cacviz)", "risk (cacviz)"]
    assert frame["subtype"].tolist() == list(range(6))
    assert frame["subtype (cacviz)"].tolist() == [NAMES[j] for j in run.clusters[:6]]


def test_a_kept_selection_is_offered_in_its_own_run_only(with_nine):
    cohort_id, run_id = with_nine
    app = picked(cohort_id, run_id, range(40))
    app.button(key="keep_selection").click().run()
    box = app.selectbox(key=f"others_{run_id}")
    assert box.options[-1] == panels.KEPT
    app.session_state["_kept_rows"] = ("another run", np.arange(5000, 6000))
    assert panels.KEPT not in app.run().selectbox(key=f"others_{run_id}").options


def test_a_subtype_called_everybody_else_can_be_compared_with(with_nine):
    cohort_id, run_id = with_nine
    run = runs.load_run(run_id)
    app = picked(cohort_id, run_id, range(40), [panels.REST, *NAMES[1:]])
    box = app.selectbox(key=f"others_{run_id}")
    box.select_index(1).run()
    assert not app.exception
    n = np.setdiff1d(np.flatnonzero(run.clusters == 0), np.arange(40)).size
    assert f"compared with {n:,}" in words(app)


@pytest.fixture
def one_of_few(with_nine):
    """Thirty patients of the largest subtype and two of the next: (many, few, what is said)."""
    cohort_id, run_id = with_nine
    run = runs.load_run(run_id)
    many, few = np.argsort(-np.bincount(run.clusters))[:2]
    rows = [*np.flatnonzero(run.clusters == many)[:30], *np.flatnonzero(run.clusters == few)[:2]]
    yield many, few, lambda: words(picked(cohort_id, run_id, [int(row) for row in rows]))
    change_preferences(hide_small=False)


def test_small_counts_are_shown_on_ones_own_computer(one_of_few):
    many, few, said = one_of_few
    assert f"{NAMES[many]} 30 (94%)" in said()
    assert f"{NAMES[few]} 2 (6%)" in said()


def test_counts_hidden_for_the_sake_of_others_are_not_called_few(one_of_few):
    many, few, said = one_of_few
    change_preferences(hide_small=True)
    assert f"{NAMES[many]} hidden" in said()
    assert f"{NAMES[few]} hidden" in said()
    assert "would give them away" in said()
