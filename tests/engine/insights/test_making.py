"""Every insight of a run, in order, all from one set of matrices."""

import pytest

from cacviz.engine.insights.described.profiles import profile_groups
from cacviz.engine.insights.making import insight_steps, make_insights
from cacviz.engine.insights.names import PLAIN, stem_of, suggest_names
from cacviz.engine.insights.registry import INSIGHTS
from cacviz.engine.preparation.preparing import Preparation


@pytest.mark.heavy
def test_the_map_comes_last_and_every_part_is_there(demo, demo_run):
    made = make_insights(demo, demo_run)
    assert tuple(made) == tuple(INSIGHTS)
    assert next(reversed(made)) == "map"
    for name, insight in INSIGHTS.items():
        if name == "treatment":
            assert made[name] is None  # the demo has none
        else:
            assert isinstance(made[name], insight.kind)
    assert len(made["described"].names) == len(made["students"].views[0].students) == 3


def test_one_part_can_be_made_alone(demo, demo_run):
    ((name, make),) = insight_steps(demo, demo_run, only=("silhouettes",))
    assert name == "silhouettes"
    assert make().mean > 0


def test_nothing_is_computed_before_it_is_asked_for(demo, demo_run, monkeypatch):
    monkeypatch.setattr(Preparation, "transform", lambda *_: pytest.fail("prepared too early"))
    assert [name for name, _ in insight_steps(demo, demo_run)] == list(INSIGHTS)


@pytest.mark.heavy
def test_all_parts_share_one_prepared_matrix(demo, demo_run, monkeypatch):
    real, times = Preparation.transform, []
    monkeypatch.setattr(
        Preparation, "transform", lambda self, frame: times.append(1) or real(self, frame)
    )
    for _, make in insight_steps(demo, demo_run, only=("described", "silhouettes", "map")):
        make()
    assert len(times) == 1


def test_names_tell_the_strongest_differences_and_differ(wards, demo, demo_run):
    cohort, ward = wards
    assert suggest_names(profile_groups(cohort, ward, 2), 2)[1].startswith("Older")
    names = suggest_names(profile_groups(demo, demo_run.clusters, 3), 3)
    assert len(set(names)) == 3
    assert all(name[0].isupper() and len(name) <= 60 for name in names)


def test_subtypes_that_differ_in_nothing_are_named_so(wards):
    cohort, _ = wards
    halves = (cohort.frame.index % 2).to_numpy()
    named = suggest_names(profile_groups(cohort, 0 * halves, 1), 1)
    assert named == (PLAIN,)


def test_what_is_measured_several_times_is_named_once():
    assert stem_of("GCS_last") == stem_of("GCS_lowest") == stem_of("GCS not measured") == "GCS"
    assert stem_of("MechVentDuration") == stem_of("MechVentLast8Hour") == "MechVent"
    assert stem_of("Albumin") == stem_of("Albumin_first") == "Albumin"
