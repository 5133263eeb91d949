"""The small studies of the page Method show what their sentences say."""

import numpy as np
import pytest
import torch

from cacviz.engine.cac.explained import margin, mixing
from cacviz.engine.cac.explained.patients import World
from cacviz.engine.cac.explained.studies import compare, on_noise, turn_dial
from cacviz.engine.deep import losses


def test_subtypes_pay_where_risk_factors_are_opposite_and_not_where_they_are_the_same():
    same, opposite = (compare(World(1.5, 4.0, 2, turned)).auc for turned in (0.0, 1.0))
    assert same["cac"] < same["one"] + 0.01
    assert opposite["cac"] > opposite["one"] + 0.2


def test_the_dial_ends_where_its_stops_are():
    dial = turn_dial(World(1.5, 4.0, 2))
    assert dial["cac"][-1] == compare(World(1.5, 4.0, 2, 1.0)).auc["cac"]


def test_on_noise_more_subtypes_look_better_and_held_out_patients_do_not_agree():
    found = [on_noise(seed=seed) for seed in range(6)]
    learned = np.mean([[row.learned for row in rows] for rows in found], axis=0)
    held_out = np.mean([[row.held_out for row in rows] for rows in found], axis=0)
    assert learned[-1] > learned[0] + 0.15
    assert abs(held_out - 0.5).max() < 0.05


def test_a_wider_margin_drives_outcomes_further_apart():
    gaps = [found.gap(found.settled) for found in map(margin.settle, (0.0, 0.4, 0.8))]
    assert gaps == sorted(gaps)
    assert gaps[-1] > gaps[0] + 10


def test_the_settled_circle_is_where_the_loss_of_deepcac_falls_least():
    """The gradient steps go down on DeepCAC's own loss, with the pull to the start beside it."""
    found = margin.settle(0.4)

    def total(angles):
        z = torch.tensor(np.column_stack([np.cos(angles), np.sin(angles)]))
        vectors = torch.tensor(np.column_stack([np.cos(found.vectors), np.sin(found.vectors)]))
        apart = losses.separation(z, torch.tensor(found.y), vectors, margin=0.4, scale=30.0)
        pull = 1 - np.cos(angles - found.start)
        return float(apart.sum()) * 0.6 / 30 + pull.sum()

    settled = total(found.settled)
    assert settled < total(found.start) - 1
    for nudge in (-0.05, 0.05):
        assert total(found.settled + nudge) > settled - 1e-3


def test_soft_routing_is_deepcac_s():
    way = mixing.way(0.2, 0.6)
    z, centres = torch.tensor(way.at)[:, None], torch.tensor(mixing.CENTRES)[:, None]
    member = losses.routed(losses.memberships(z, centres.double())).numpy()
    np.testing.assert_allclose(way.share, member[:, 1], atol=1e-9)


def test_hard_routing_jumps_at_the_border_and_soft_routing_does_not():
    left, right = (mixing.at_place(place, 0.15, 0.45) for place in (-1e-6, 1e-6))
    assert right.hard[0] - left.hard[0] == pytest.approx(0.3, abs=1e-3)
    assert right.soft[0] == pytest.approx(left.soft[0], abs=1e-4)
