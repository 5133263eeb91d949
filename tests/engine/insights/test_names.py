import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.insights.described.profiles import profile_groups
from cacviz.engine.insights.names import MOST_LETTERS, PLAIN, stem_of, suggest_names
from cacviz.engine.types import Column, Outcome


def named(values, clusters, n_clusters, kind="category", name="NYHA"):
    frame = pd.DataFrame({name: values, "died": np.arange(len(values)) % 2})
    columns = [Column(name, kind), Column("died", "yesno")]
    cohort = make_cohort("c", frame, columns, Outcome("died"))
    return suggest_names(profile_groups(cohort, np.asarray(clusters), n_clusters), n_clusters)


def test_each_subtype_is_named_by_the_level_that_most_have_with_its_share_unless_nearly_all():
    levels = np.repeat(["III", "IV", "I", "II"], [40, 22, 18, 40])
    assert named(levels, np.repeat([0, 1, 2], 40), 3) == ("NYHA III", "55% NYHA IV", "NYHA II")


def test_of_two_levels_each_subtype_gets_its_own():
    found = named(np.repeat(["F", "M"], 30), np.repeat([0, 1], 30), 2, name="Sex")
    assert found == ("Sex F", "Sex M")


def test_nobody_is_said_to_have_no_sex():
    found = named(np.repeat([0, 1], 30), np.repeat([0, 1], 30), 2, kind="yesno", name="sex")
    assert found == ("Sex 0", "Sex 1")


def test_a_level_of_fewer_than_half_names_nobody():
    levels = ["a"] * 16 + ["b"] * 15 + ["c"] * 9 + ["a"] * 3 + ["b"] * 13 + ["c"] * 24
    assert named(levels, np.repeat([0, 1], 40), 2) == (PLAIN, "60% NYHA c")


@pytest.mark.parametrize(
    ("kind", "values"), [("category", ["sepsis", "stroke"]), ("number", [9.0, 1.0])]
)
def test_what_few_of_a_subtype_have_measured_does_not_name_it(kind, values):
    """The dead have a cause of death; the few survivors with an entry name no subtype."""
    gone = None if kind == "category" else np.nan
    causes = [values[0]] * 38 + [values[1]] * 2 + [values[1]] * 12 + [gone] * 28
    first, second = named(causes, np.repeat([0, 1], 40), 2, kind=kind, name="Cause")
    assert first != PLAIN
    assert second == PLAIN


def test_a_subtype_of_whom_nobody_has_it_measured_is_named_so():
    hours = [5.0] * 20 + [9.0] * 20 + [np.nan] * 40
    first, second = named(hours, np.repeat([0, 1], 40), 2, kind="number", name="Ventilated")
    assert (first, second) == (PLAIN, "Ventilated not measured")


def test_what_two_subtypes_share_names_neither_where_they_have_something_of_their_own():
    """Two wards without breathing rates: each is named by what it has alone."""
    frame = pd.DataFrame({"rate": [16.0] * 40 + [np.nan] * 80, "gcs": [15.0] * 40 + [5.0] * 80})
    frame["gcs"] += np.arange(120) % 3  # some spread, the same in all
    frame["surgery"] = [0] * 40 + [1] * 40 + [0] * 40
    frame["fever"] = [36.5] * 80 + [39.5] * 40
    frame["died"] = np.arange(120) % 2
    columns = [Column(name, "number") for name in ("rate", "gcs", "fever")]
    columns += [Column("surgery", "yesno"), Column("died", "yesno")]
    cohort = make_cohort("c", frame, columns, Outcome("died"))
    found = suggest_names(profile_groups(cohort, np.repeat([0, 1, 2], 40), 3), 3)
    assert found == ("High gcs", "Surgery", "High fever")


def test_what_is_shared_names_a_subtype_that_has_nothing_else():
    frame = pd.DataFrame({"gcs": np.repeat([15.0, 5.0, 5.0], 40), "died": np.arange(120) % 2})
    cohort = make_cohort(
        "c", frame, [Column("gcs", "number"), Column("died", "yesno")], Outcome("died")
    )
    found = suggest_names(profile_groups(cohort, np.repeat([0, 1, 2], 40), 3), 3)
    assert found == ("High gcs", "Low gcs", "Low gcs (3)")


def test_a_level_that_everybody_has_more_often_names_nobody():
    levels = ["yes"] * 30 + ["no"] * 20 + ["yes"] * 50
    first, second = named(levels, np.repeat([0, 1], 50), 2, kind="yesno", name="Oxygen")
    assert (first, second) == (PLAIN, "Oxygen")


def test_the_whole_title_is_in_the_name():
    frame = pd.DataFrame({"gcs": np.repeat([3.0, 15.0], 30), "died": np.arange(60) % 2})
    columns = [Column("gcs", "number", label="GCS lowest"), Column("died", "yesno")]
    cohort = make_cohort("c", frame, columns, Outcome("died"))
    found = suggest_names(profile_groups(cohort, np.repeat([0, 1], 30), 2), 2)
    assert found == ("Low GCS lowest", "High GCS lowest")


@pytest.mark.parametrize("title", ["mean area", "worst area", "area_last", "lowest area median"])
def test_one_thing_measured_in_several_ways_has_one_stem(title):
    assert stem_of(title) == "area"


def test_a_name_ends_with_a_whole_word():
    rng, clusters = np.random.default_rng(0), np.repeat([0, 1], 50)
    titles = [
        f"{word} concentration of the {organ}" for word, organ in zip("abcd", "wxyz", strict=True)
    ]
    frame = pd.DataFrame({t: clusters + rng.normal(0, 0.2, 100) for t in titles})
    frame["died"] = clusters
    columns = [*(Column(t, "number") for t in titles), Column("died", "yesno")]
    cohort = make_cohort("c", frame, columns, Outcome("died"))
    for name in suggest_names(profile_groups(cohort, clusters, 2), 2):
        assert len(name) <= MOST_LETTERS
        assert not name.endswith(",")
