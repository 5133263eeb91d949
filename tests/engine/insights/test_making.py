from cacviz.engine.insights import STEPS, insight_steps, make_insights
from cacviz.engine.insights.names import PLAIN, _stem, suggest_names
from cacviz.engine.insights.profiles import profile_groups


def test_the_map_comes_last_and_every_part_is_there(demo, demo_run):
    order = []
    made = make_insights(demo, demo_run, on_step=lambda row: order.append(row["phase"]))
    assert tuple(order) == STEPS
    assert STEPS[-1] == "map"
    assert all(getattr(made, name) is not None for name in STEPS)
    assert len(made.described.names) == len(made.students.students) == 3


def test_one_part_can_be_made_alone(demo, demo_run):
    ((name, part),) = insight_steps(demo, demo_run, only=("silhouettes",))
    assert name == "silhouettes"
    assert part.mean > 0


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
    assert _stem("GCS_last") == _stem("GCS_lowest") == _stem("GCS not measured") == "GCS"
    assert _stem("MechVentDuration") == _stem("MechVentLast8Hour") == "MechVent"
    assert _stem("Albumin") == _stem("Albumin_first") == "Albumin"
