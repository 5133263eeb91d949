"""One patient: the run's own word, why, who is alike, and what if."""

import numpy as np
import pytest

from cacviz.engine.exceptions import CohortError
from cacviz.engine.insights.single.desk import Desk
from cacviz.engine.running.applying.predicting import Instrument
from cacviz.engine.types import TEST
from cacviz.wording.patient import change_sentence, place_sentence
from tests.wording.grammar import assert_sentence

TITLES = ["Subtype 1", "Subtype 2", "Subtype 3"]


@pytest.fixture(scope="module")
def desk(demo, demo_run):
    config = demo_run.summary.config
    known = (demo_run.preparation, demo_run.model)
    return Desk(Instrument(config, demo.choices, demo.classes, 1, *known), demo, demo_run)


def values_of(demo, row):
    said = demo.frame[demo.names("feature")].iloc[row]
    return {n: None if v is None or v != v else v for n, v in said.items()}


def test_a_patient_of_the_cohort_gets_the_runs_own_risk(desk, demo, demo_run):
    row = int(np.flatnonzero(demo_run.part == TEST)[0])
    found = desk.predict(values_of(demo, row), None)
    assert found.cluster == demo_run.clusters[row]
    assert found.risks == pytest.approx(demo_run.proba[row])
    assert found.neighbours[0].row == row
    assert found.neighbours[0].distance == pytest.approx(0, abs=1e-4)
    assert all(a.low <= a.value <= a.high for a in found.alike)
    assert_sentence(place_sentence(found, TITLES))


def test_what_is_blank_and_what_is_odd_is_told(desk, demo):
    values = values_of(demo, 3) | {"Age": 640.0, "HR_median": None}
    found = desk.predict(values, None)
    assert "HR_median" in found.blank
    (doubt,) = [d for d in found.doubts if d.column == "Age"]
    assert doubt.low < 64 < doubt.high
    with pytest.raises(CohortError, match="at least one value"):
        desk.predict({}, None)


def test_recalibration_moves_the_risk_and_nothing_else(desk, demo):
    plain = desk.predict(values_of(demo, 5), None)
    after = desk.predict(values_of(demo, 5), (0.5, (0.0, 0.3)))
    assert after.risks != plain.risks
    assert sum(after.risks) == pytest.approx(1)
    assert (after.cluster, after.margin) == (plain.cluster, plain.margin)


def test_the_waterfall_ends_at_what_the_explainer_says(desk, demo):
    values = values_of(demo, 7)
    cluster = desk.predict(values, None).cluster
    why = desk.why(values, cluster, 1)
    assert why.base + sum(v for _, v in why.parts) == pytest.approx(why.total, abs=1e-4)
    model = desk._student(cluster, 1)
    said = model.predict(desk.lesson.X[7:8])[0]
    assert why.total == pytest.approx(float(said), abs=1e-4)


def test_what_if_goes_through_the_present_value_and_says_where_the_subtype_changes(desk, demo):
    values = values_of(demo, 11)
    found = desk.what_if(values, "Age", None)
    assert found.values[0] <= values["Age"] <= found.values[-1]
    nearest = int(np.argmin(np.abs(np.array(found.values) - values["Age"])))
    moved = desk.predict(values | {"Age": found.values[nearest]}, None)
    assert found.clusters[nearest] == moved.cluster
    assert found.risks[nearest] == pytest.approx(moved.risks)
    assert_sentence(change_sentence(found, TITLES, "Age"))
    levels = desk.what_if(values, "Sex", None)
    assert len(levels.words) == 2
    assert not levels.values
