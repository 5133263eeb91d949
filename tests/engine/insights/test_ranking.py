"""A profile gives every subtype a say, and one row to each measurement while there are others."""

from dataclasses import replace

import pytest

from cacviz.engine.insights.described.ranking import telling_features


@pytest.fixture
def feature(demo_described):
    return next(f for f in demo_described.profiles.features if f.role == "feature")


def named(feature, name, *standing):
    return replace(feature, name=name, standing=standing)


def test_a_subtype_with_weaker_differences_is_told_too(feature):
    strong = [named(feature, f"lab{i}", 3 - i / 10, 0.1, 0.0) for i in range(6)]
    weak = named(feature, "age", 0.0, 0.1, 0.4)
    told = [f.name for f in telling_features([*strong, weak], 3)]
    assert "age" in told
    assert told == [f.name for f in [*strong, weak] if f.name in told]  # in their order


def test_of_one_measurement_the_strongest_stands_for_all_while_there_are_others(feature):
    urea = [named(feature, f"BUN_{when}", 2.0, 1.0) for when in ("first", "last", "lowest")]
    others = [named(feature, name, 0.5, 0.5) for name in ("Age", "HR_last")]
    told = [f.name for f in telling_features([*urea, *others], 3)]
    assert told == ["BUN_first", "Age", "HR_last"]
    assert len(telling_features([*urea, *others], 5)) == 5  # room is not left empty


def test_columns_kept_out_of_clustering_are_no_part_of_it(feature):
    apart = replace(named(feature, "check", 9.0, 9.0), role="external check")
    assert telling_features([apart, named(feature, "age", 0.1, 0.1)], 2)[0].name == "age"
    assert telling_features([], 3) == []
