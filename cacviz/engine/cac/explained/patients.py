"""Patients in a plane with a known truth, made by what the paper's synthetic study turns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

EVENT_SHARE = 0.35


class World(NamedTuple):
    """What is turned: how far outcomes and groups lie apart, how many groups, whose risk turns."""

    inner: float = 1.5  # distance of the outcomes' means within a group, in sd
    outer: float = 4.0  # distance of the groups' centres, in sd
    kinds: int = 2
    turned: float = 0.0  # 0: the event lies on the same side in every group, 1: opposite


class Plane(NamedTuple):
    """Patients: where they lie, whether they had the event, and the group they come from."""

    X: np.ndarray  # n × 2
    y: np.ndarray
    kind: np.ndarray


def patients(world: World, n: int, seed: int = 0) -> Plane:
    """Patients of a world; the same seed gives the same patients, moved as the world is turned."""
    rng = np.random.default_rng(seed)
    kind = np.arange(n) % world.kinds
    y = (rng.random(n) < EVENT_SHARE).astype(np.int64)
    noise = rng.normal(size=(n, 2))
    towards = directions(world)[kind] * ((y - EVENT_SHARE) * world.inner)[:, None]
    return Plane(centres(world)[kind] + towards + noise, y, kind)


def centres(world: World) -> np.ndarray:
    """Where the groups lie: on a line for two, on a circle for more, neighbours `outer` apart."""
    angles = 2 * np.pi * np.arange(world.kinds) / world.kinds + (np.pi / 2) * (world.kinds > 2)
    radius = world.outer / (2 * np.sin(np.pi / max(world.kinds, 2)))
    return radius * np.column_stack([np.cos(angles), np.sin(angles)])


def directions(world: World) -> np.ndarray:
    """Which way the event lies in each group: up, in every second one turned by the dial."""
    up = np.tile([0.0, 1.0], (world.kinds, 1))
    up[1::2] *= 1 - 2 * world.turned
    return up
