"""Whether clusters come back, by hand and by law."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cacviz.engine.scoring.stability import (
    best_jaccards,
    consensus,
    exceedance_p,
    mean_agreement,
    strengths,
)


def test_jaccards_of_five_patients_by_hand():
    reference, found = np.array([0, 0, 0, 1, 1]), np.array([1, 1, 0, 0, 0])
    assert best_jaccards(reference, found, 2) == pytest.approx([2 / 3, 2 / 3])


def test_a_cluster_of_which_nobody_was_drawn_is_not_found_again():
    found = best_jaccards(np.array([0, 0, 2]), np.array([0, 0, 1]), 3)
    assert found == pytest.approx([1.0, 0.0, 1.0])


@given(st.lists(st.integers(0, 3), min_size=4, max_size=30), st.permutations([0, 1, 2, 3]))
@settings(deadline=None)
def test_other_numbers_for_the_same_clusters_change_nothing(labels, numbers):
    labels = np.array(labels)
    renamed = np.array(numbers)[labels]
    present = np.bincount(labels, minlength=4) > 0
    assert best_jaccards(labels, renamed, 4) == pytest.approx(present.astype(float))
    assert mean_agreement([labels, renamed]) == pytest.approx(1.0)
    both = np.bincount(labels, minlength=4) > 1
    assert strengths(labels, renamed, 4) == pytest.approx(both.astype(float))


def test_strength_is_the_share_of_pairs_kept_together():
    found, routed = np.array([0, 0, 0, 0, 1, 1]), np.array([0, 0, 0, 1, 1, 1])
    assert strengths(found, routed, 2) == pytest.approx([0.5, 1.0])  # 3 of 6 pairs, 1 of 1


def test_consensus_counts_only_who_was_drawn():
    found = consensus([np.array([0, 0, -1]), np.array([0, 1, 1])])
    assert found[0, 1] == 0.5
    assert found[1, 2] == 1.0
    assert found[0, 2] == 0.0
    assert np.isnan(consensus([np.array([0, -1])])[0, 1])


def test_p_counts_the_value_itself_and_ties():
    assert exceedance_p(1.0, [0.0] * 19) == pytest.approx(1 / 20)
    assert exceedance_p(1.0, [1.0, 0.0, 2.0]) == pytest.approx(3 / 4)
    assert np.isnan(exceedance_p(1.0, []))
    assert np.isnan(exceedance_p(float("nan"), [1.0]))
