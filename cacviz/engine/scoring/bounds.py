"""The paper's three theorems as arithmetic: bounds of a loss, a mean over patients, in nats.

Derivations, and where the paper's do not hold, are in docs/methods.md, The theorems.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

DELTA = 0.05  # theorem 1 holds with probability 1 - DELTA


@dataclass(frozen=True, slots=True)
class LossBounds:
    """A log loss between theorem 2's bounds; `tight` is Jensen's lower bound, never below 0."""

    lower: float
    tight: float
    loss: float
    upper: float
    reach: float  # c: the largest log odds, by size


@dataclass(frozen=True, slots=True)
class MarginBounds:
    """An AM-softmax loss between bounds that hold, and what theorem 3 prints instead."""

    lower: float
    loss: float
    upper: float
    paper_lower: float
    paper_upper: float
    beyond: int  # patients beyond the margin: with one the paper's upper bound is not proven


@dataclass(frozen=True, slots=True)
class Generalisation:
    """Theorem 1 for logistic regressions: what the loss of new patients cannot exceed, and why."""

    n: int
    loss: float  # on the patients learned from
    complexity: float  # 2 × the Rademacher bound of linear models with this norm
    chance: float  # what is added for the luck of the sample
    needed: float  # patients for the bound to fall below `trivial`; inf where it never does
    trivial: float  # the loss of giving everybody the rate

    @property
    def bound(self) -> float:
        return self.loss + self.complexity + self.chance

    @property
    def void(self) -> bool:
        """Whether it promises no more than a model that gives everybody the rate."""
        return self.bound >= self.trivial


def softplus(x: np.ndarray | float) -> np.ndarray:
    """log(1 + e^x) without overflow."""
    return np.logaddexp(0.0, x)


def entropy(counts: np.ndarray) -> float:
    """The log loss of giving everybody the rates of these counts."""
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log(shares)).sum())


def log_loss_bounds(odds: np.ndarray, y: np.ndarray) -> LossBounds:
    """Theorem 2. `odds`: log odds that a model gives each patient's own outcome."""
    reach, mean = float(np.abs(odds).max()), float(odds.mean())
    tight = sum((y == c).mean() * softplus(-odds[y == c].mean()) for c in np.unique(y))
    return LossBounds(
        lower=float(np.log(2) - mean / 2),
        tight=float(tight),
        loss=float(softplus(-odds).mean()),
        upper=float(softplus(reach) - reach / 2 - mean / 2),
        reach=reach,
    )


def own_odds(proba: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Log odds of each patient's own outcome."""
    own = np.clip(proba[np.arange(len(y)), y], 1e-12, 1 - 1e-12)
    return np.log(own / (1 - own))


def margin_bounds(cosines: np.ndarray, y: np.ndarray, margin: float, scale: float) -> MarginBounds:
    """Theorem 3. `cosines`: of each patient with each class vector."""
    rows = np.arange(len(y))
    others = scale * (cosines - cosines[rows, y][:, None] + margin)
    others[rows, y] = -np.inf
    x = np.logaddexp.reduce(others, axis=1)  # the loss is softplus of this, whatever the classes
    mean, low, high = float(x.mean()), float(x.min()), float(x.max())
    chord = np.interp(mean, [low, high], softplus(np.array([low, high]))) if high > low else None
    loss = float(softplus(x).mean())
    lead = margin - mean / scale  # two classes: the mean lead of the own class's cosine
    return MarginBounds(
        lower=float(np.log(2) + mean / 2),
        loss=loss,
        upper=loss if chord is None else float(chord),
        paper_lower=float(np.log(2) + scale * margin / 2 - scale * lead),
        paper_upper=float(1 + scale * margin - scale * lead),
        beyond=int((x <= 0).sum()),
    )


def generalisation(
    odds: np.ndarray, squares: np.ndarray, norm: float, n_clusters: int, trivial: float
) -> Generalisation:
    """Theorem 1 for a linear model with this norm, the constant included.

    `odds`: of each patient's own outcome; `squares`: squared norms of patients, a 1 for the
    constant included. Norms are looked up on a grid of powers of two, each with its share of
    DELTA, so that the fitted norm may be used; the log loss moves by at most 1 a unit of odds.
    """
    n, step = len(odds), max(0, int(np.ceil(np.log2(max(norm, 1e-12)))))
    ball = 2.0**step
    luck = np.log(2 * n_clusters * 2.0 ** (step + 1) / DELTA)
    worst = float(softplus(ball * np.sqrt(squares.max())))
    loss = float(softplus(-odds).mean())
    complexity = 2 * ball * np.sqrt(squares.sum()) / n
    chance = 3 * worst * np.sqrt(luck / (2 * n))
    short = (complexity + chance) * np.sqrt(n)  # both fall with the square root of n
    needed = (short / (trivial - loss)) ** 2 if trivial > loss else np.inf
    return Generalisation(n, loss, float(complexity), float(chance), float(needed), trivial)
