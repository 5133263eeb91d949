"""The risk of a patient on the way from one subtype to another: by one expert, or by both."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

SHARPNESS = 4  # DeepCAC mixes experts by Student-t memberships to this power
CENTRES = (-2.0, 2.0)


class Way(NamedTuple):
    """Along the line between two centres: each expert's risk, and the risk by both routings."""

    at: np.ndarray
    experts: np.ndarray  # n × 2
    share: np.ndarray  # how much the second expert says under soft routing
    hard: np.ndarray
    soft: np.ndarray


def way(first: float, second: float, n: int = 401) -> Way:
    """Risks from one centre to the other; `first` and `second` are the risks at the border."""
    at = np.linspace(1.6 * CENTRES[0], 1.6 * CENTRES[1], n)
    return _risks(at, first, second)


def at_place(place: float, first: float, second: float) -> Way:
    """One patient on this line."""
    return _risks(np.array([place]), first, second)


def _risks(at: np.ndarray, first: float, second: float) -> Way:
    odds = (
        np.log([first / (1 - first), second / (1 - second)])
        + np.array([0.35, -0.25]) * (at[:, None])
    )
    experts = 1 / (1 + np.exp(-odds))
    distances = (at[:, None] - np.array(CENTRES)) ** 2
    member = (1 + distances) ** -float(SHARPNESS)
    share = member[:, 1] / member.sum(axis=1)
    hard = np.where(distances[:, 0] <= distances[:, 1], experts[:, 0], experts[:, 1])
    return Way(at, experts, share, hard, (1 - share) * experts[:, 0] + share * experts[:, 1])
