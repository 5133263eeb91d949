"""What the margin of AM-softmax (third term of Eq. 2) does to two outcomes on a circle."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

SCALE = 30.0  # the paper's s
STEPS, RATE = 250, 0.05


class Circle(NamedTuple):
    """Directions of patients and of the two class vectors, in radians."""

    start: np.ndarray
    settled: np.ndarray
    y: np.ndarray
    vectors: np.ndarray  # of the outcome absent and present

    def gap(self, angles: np.ndarray) -> float:
        """The angle between the middles of the two outcomes, in degrees."""
        middles = [_middle(angles[self.y == c]) for c in (0, 1)]
        return float(np.degrees(abs(_folded(middles[1] - middles[0]))))

    def won(self, angles: np.ndarray, margin: float) -> int:
        """Patients whose own class vector is nearer than the other by the margin or more."""
        return int((lead(angles, self.y, self.vectors) >= margin).sum())


def lead(angles: np.ndarray, y: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Cosine to one's own class vector minus cosine to the other."""
    return np.cos(angles - vectors[y]) - np.cos(angles - vectors[1 - y])


def settle(margin: float, weight: float = 0.6, n: int = 60, seed: int = 3) -> Circle:
    """Patients pulled to where they came from (reconstruction) and away from the other outcome.

    Gradient steps on 1 − cos(angle − start) + weight · AM-softmax / s, for patients and vectors.
    """
    rng = np.random.default_rng(seed)
    y = (np.arange(n) % 2).astype(np.int64)
    start = np.pi / 2 + np.where(y == 1, -0.45, 0.45) + rng.normal(0, 0.5, n)
    angles, vectors = start.copy(), np.array([_middle(start[y == c]) for c in (0, 1)])
    for _ in range(STEPS):
        x = SCALE * (margin - lead(angles, y, vectors))
        push = weight / (1 + np.exp(-np.clip(x, -50, 50)))  # of the loss by the lead, negated
        own, other = np.sin(angles - vectors[y]), np.sin(angles - vectors[1 - y])
        slope = np.sin(angles - start) + push * (own - other)
        turn = [(push * np.where(y == c, -own, other)).sum() / n for c in (0, 1)]
        angles = angles - RATE * slope
        vectors = vectors - RATE * np.array(turn)
    return Circle(start, angles, y, vectors)


def unwon(margin: float, vectors: np.ndarray, n: int = 721) -> np.ndarray:
    """Directions in which neither outcome is won by the margin: True on a fine grid of a turn."""
    angles = np.linspace(0, 2 * np.pi, n)
    return np.abs(np.cos(angles - vectors[1]) - np.cos(angles - vectors[0])) < margin


def _middle(angles: np.ndarray) -> float:
    return float(np.arctan2(np.sin(angles).mean(), np.cos(angles).mean()))


def _folded(angle: float) -> float:
    return (angle + np.pi) % (2 * np.pi) - np.pi
