"""In which subtypes a run predicts otherwise than one model for all."""

import numpy as np
import pytest

from cacviz.engine.metrics import auprc_macro
from cacviz.engine.running.places import ENOUGH_HERE, patients_with, places_of

N = 300


@pytest.fixture
def split():
    """Two subtypes; in the second the run knows the outcome, and one model for all does not."""
    rng = np.random.default_rng(0)
    y, clusters = rng.integers(0, 2, 2 * N), np.repeat([0, 1], N)
    blind = np.clip(0.5 + rng.normal(0, 0.01, 2 * N), 0, 1)
    told = np.where(clusters == 1, np.clip(0.2 + 0.6 * y + rng.normal(0, 0.2, 2 * N), 0, 1), blind)
    return y, clusters, pair(told), pair(blind)


def pair(risk):
    return np.column_stack([1 - risk, risk])


def test_each_subtype_has_both_scores_and_their_difference(split):
    y, clusters, run, other = split
    first, second = places_of(y, clusters, run, other, 2)
    assert (first.cluster, second.cluster) == (0, 1)
    rows = clusters == 1
    assert second.run == pytest.approx(auprc_macro(y[rows], run[rows]))
    assert second.control == pytest.approx(auprc_macro(y[rows], other[rows]))
    assert second.difference.value == pytest.approx(second.run - second.control)
    assert second.difference.low > 0
    assert (first.word, second.word) == ("no clear difference", "better")
    assert first.difference.value == 0


def test_the_other_way_round_it_is_worse(split):
    y, clusters, run, other = split
    assert [p.word for p in places_of(y, clusters, other, run, 2)][1] == "worse"


def test_a_subtype_with_too_few_events_is_left_out(split):
    y, clusters, run, other = split
    rows = np.flatnonzero((clusters == 1) & (y == 1))
    few = np.delete(np.arange(len(y)), rows[ENOUGH_HERE - 1 :])
    found = places_of(y[few], clusters[few], run[few], other[few], 2)
    assert [p.cluster for p in found] == [0]


def test_the_more_subtypes_are_looked_at_the_more_is_asked():
    """A gain in one subtype that is told when it stands alone, but not as one of ten looks."""
    rng = np.random.default_rng(5)
    y, clusters = rng.integers(0, 2, 10 * N), np.repeat(np.arange(10), N)
    run, other = (rng.normal(0.5, 0.1, 10 * N) for _ in range(2))
    run, other = pair(np.clip(run + 0.05 * y * (clusters == 0), 0, 1)), pair(np.clip(other, 0, 1))
    rows = clusters == 0
    (alone,) = places_of(y[rows], clusters[rows], run[rows], other[rows], 1)
    assert alone.word == "better"
    together = places_of(y, clusters, run, other, 10)
    assert together[0].difference == alone.difference
    assert together[0].word == "no clear difference"


def test_rows_of_one_patient_are_drawn_together(split):
    """Each patient four times over: the interval is as wide as that of the patients themselves."""
    y, clusters, run, other = split
    once = places_of(y, clusters, run, other, 2)[1].difference
    often = [np.repeat(part, 4, axis=0) for part in (y, clusters, run, other)]
    patients = np.repeat(np.arange(len(y)), 4)
    grouped = places_of(*often, 2, patients)[1].difference
    naive = places_of(*often, 2)[1].difference
    width = once.high - once.low
    assert grouped.high - grouped.low == pytest.approx(width, rel=0.2)
    assert naive.high - naive.low < 0.7 * width


def test_floors_count_patients_and_not_rows(split):
    """Twenty patients of each class, ten rows each: two hundred rows, and yet too few."""
    y, clusters, run, other = split
    rows = np.flatnonzero(clusters == 1)
    few = np.r_[rows[y[rows] == 0][:20], rows[y[rows] == 1][:20]]
    often = [np.repeat(part[few], 10, axis=0) for part in (y, clusters, run, other)]
    patients = np.repeat(np.arange(40), 10)
    assert patients_with(often[0], 2, patients) == [20, 20]
    assert places_of(*often, 2, patients) == []


def test_a_place_says_how_many_patients_it_rests_on(split):
    y, clusters, run, other = split
    often = [np.repeat(part, 2, axis=0) for part in (y, clusters, run, other)]
    found = places_of(*often, 2, np.repeat(np.arange(len(y)), 2))[1]
    assert (found.n, found.events) == (N, np.bincount(y[clusters == 1]).min())
