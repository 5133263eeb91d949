"""A cohort's twin without subtypes: the same marginals and correlations, one population.

Each feature, the outcome and each pattern of missing values is a step function of one coordinate
of a single multivariate normal (a Gaussian copula), so that the twin has the cohort's values,
levels and gaps as often, goes together as its columns do, and yet is one cloud.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pandas as pd

from cacviz.engine.reading.kinds import as_numbers, as_words
from cacviz.engine.types import Cohort

Marginals = Literal["own", "one hump"]
FEW_VALUES = 12  # distinct numbers up to which a column is a scale and keeps its own steps
SPIKE = 0.1  # share of patients with one and the same value, from which it is kept as it is
ROUNDS, DRAWN, CEILING, RIDGE = 4, 4_000, 0.99, 0.05
GAPS = (0.01, 0.99)  # share of missing values from which a pattern is a variable of its own


@dataclass(frozen=True, slots=True, eq=False)
class _Variable:
    """A column, the outcome or a pattern of gaps: its sorted values, and a score a patient."""

    steps: np.ndarray  # sorted values (or codes in their order), as often as they occur
    scores: np.ndarray  # a patient each: normal score of its mid-rank, NaN where missing


@dataclass(frozen=True, slots=True, eq=False)
class OnePopulation:
    """What a cohort is without subtypes; `draw` gives a twin of it."""

    cohort: Cohort
    names: tuple[str, ...]  # of the columns; the outcome comes after them, then the gaps
    variables: tuple[_Variable, ...]
    gaps: tuple[tuple[str, ...], ...]  # the columns that each pattern of gaps takes away
    root: np.ndarray  # of the latent correlations

    def draw(self, seed: int, marginals: Marginals = "own") -> Cohort:
        """A twin of the cohort; the same seed gives the same twin."""
        cohort, n = self.cohort, self.cohort.n_patients
        rng = np.random.default_rng([seed, 7919])
        places = _uniform(rng.standard_normal((n, len(self.root))) @ self.root.T)
        frame = cohort.frame.copy(deep=False)
        columns = {}
        for j, name in enumerate(self.names):
            values = _values(self.variables[j].steps, places[:, j], marginals)
            columns[name] = pd.Series(values, frame.index, name=name)
        for g, names in enumerate(self.gaps, start=len(self.names) + 1):
            gone = _values(self.variables[g].steps, places[:, g], "own") > 0
            for name in names:
                columns[name] = columns[name].where(~gone)
        y = _values(self.variables[len(self.names)].steps, places[:, len(self.names)], "own")
        y = np.where(cohort.y < 0, -1, y).astype(np.int64)
        told = hashlib.sha256(f"{cohort.fingerprint}:{marginals}:{seed}".encode()).hexdigest()
        return replace(cohort, frame=frame.assign(**columns), y=y, fingerprint=told)


def one_population(cohort: Cohort) -> OnePopulation:
    """Learn the marginals and correlations of a cohort's features, outcome and gaps."""
    features = [c for c in cohort.columns if c.role == "feature"]
    features = [c for c in features if c.kind in ("number", "yesno", "category")]
    read = {c.name: _read(cohort.frame[c.name], c.kind) for c in features}
    read = {name: values for name, values in read.items() if _varies(values)}
    numbers = [v for c in features if (v := read.get(c.name)) is not None and c.kind == "number"]
    axis = _main_axis(numbers, cohort.n_patients)
    variables = [_variable(values, axis) for values in read.values()]
    y = np.where(cohort.y < 0, np.nan, cohort.y)
    variables.append(_variable(pd.Series(y).astype(object).where(cohort.y >= 0), axis))
    patterns = _patterns(read)
    variables += [_variable(pd.Series(gone.astype(float)), axis) for gone, _ in patterns]
    names, gaps = tuple(read), tuple(n for _, n in patterns)
    own = [[names.index(name) for name in columns] for columns in gaps]
    root = _latent_root(variables, own)
    return OnePopulation(cohort, names, tuple(variables), gaps, root)


def _read(values: pd.Series, kind: str) -> pd.Series:
    if kind == "number":
        return pd.Series(as_numbers(values), values.index)
    return values.astype(object).where(values.notna())


def _varies(values: pd.Series) -> bool:
    return values.nunique() > 1


def _main_axis(numbers: list[pd.Series], n: int) -> np.ndarray:
    """A patient's place on the first principal component of the numbers, to order levels by."""
    if not numbers:
        return np.zeros(n)
    Z = np.nan_to_num(np.column_stack([_scores(v.to_numpy(float)) for v in numbers]))
    _, vectors = np.linalg.eigh(Z.T @ Z)
    return Z @ vectors[:, -1]


def _variable(values: pd.Series, axis: np.ndarray) -> _Variable:
    if values.dtype != object:
        numbers = values.to_numpy(float)
        return _Variable(np.sort(numbers[~np.isnan(numbers)]), _scores(numbers))
    words = as_words(values)
    codes, levels = pd.factorize(words)
    known = codes >= 0
    mean = np.bincount(codes[known], axis[known]) / np.bincount(codes[known])
    order = np.lexsort([np.asarray(levels, dtype=str), mean])  # levels along the main axis
    rank = np.argsort(order)
    first = [values[known].iloc[np.flatnonzero(codes[known] == c)[0]] for c in order]
    numbers = np.where(known, rank[codes], np.nan)
    counts = np.bincount(rank[codes[known]])
    return _Variable(np.repeat(np.array(first, dtype=object), counts), _scores(numbers))


def _scores(numbers: np.ndarray) -> np.ndarray:
    """Normal scores of mid-ranks, of mean 0 and sd 1; NaN where missing."""
    from scipy.special import ndtri
    from scipy.stats import rankdata

    found, known = np.full(len(numbers), np.nan), ~np.isnan(numbers)
    found[known] = ndtri((rankdata(numbers[known]) - 0.5) / known.sum())
    spread = found[known].std()
    return (found - found[known].mean()) / (spread if spread > 0 else 1.0)


def _patterns(read: dict[str, pd.Series]) -> list[tuple[np.ndarray, tuple[str, ...]]]:
    """Each pattern of missing values with the columns that share it."""
    found: dict[bytes, tuple[np.ndarray, list[str]]] = {}
    for name, values in read.items():
        gone = values.isna().to_numpy()
        if gone.any():
            found.setdefault(np.packbits(gone).tobytes(), (gone, []))[1].append(name)
    return [(gone, tuple(names)) for gone, names in found.values()]


def _latent_root(variables: list[_Variable], own: list[list[int]]) -> np.ndarray:
    """A root of the latent correlations that give the scores the correlations they have.

    Steps weaken a correlation, so that the latent one has to be stronger: it is moved by what the
    drawn scores still lack, a few times over.
    """
    scores = np.column_stack([v.scores for v in variables])
    target = _with_gaps(_correlations(scores), own)
    stairs = [np.sort(v.scores[~np.isnan(v.scores)]) for v in variables]
    z = np.random.default_rng(0).standard_normal((DRAWN, len(variables)))
    latent = target
    for _ in range(ROUNDS):
        places = _uniform(z @ _root(latent).T)
        drawn = np.column_stack([_step(s, places[:, j]) for j, s in enumerate(stairs)])
        latent = np.clip(latent + target - _correlations(drawn), -CEILING, CEILING)
        np.fill_diagonal(latent, 1.0)
    return _root(latent)


def _with_gaps(target: np.ndarray, own: list[list[int]]) -> np.ndarray:
    """How a column goes with its own gaps cannot be seen: as far as the other columns tell it."""
    filled = target.copy()
    for g, columns in enumerate(own, start=len(target) - len(own)):
        others = np.setdiff1d(np.arange(len(target)), [g, *columns])
        inside = target[np.ix_(others, others)] + RIDGE * np.eye(len(others))
        guessed = (
            np.linalg.solve(inside, target[others, g]) @ target[np.ix_(others, np.array(columns))]
        )
        filled[g, columns] = filled[columns, g] = np.clip(guessed, -CEILING, CEILING)
    return filled


def _correlations(scores: np.ndarray) -> np.ndarray:
    """Of each pair of columns, over the patients who have both."""
    known = (~np.isnan(scores)).astype(float)
    filled = np.nan_to_num(scores)
    n = np.maximum(known.T @ known, 1)
    sums, squares = filled.T @ known / n, (filled**2).T @ known / n
    cross = filled.T @ filled / n - sums * sums.T
    spread = np.sqrt(np.maximum(squares - sums**2, 1e-12))
    found = np.clip(cross / (spread * spread.T), -CEILING, CEILING)
    found[n < 10] = 0.0  # too few have both to say
    np.fill_diagonal(found, 1.0)
    return found


def _root(matrix: np.ndarray) -> np.ndarray:
    """A root of the nearest correlation matrix: without negative eigenvalues, with ones inside."""
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    root = vectors * np.sqrt(np.maximum(values, 1e-9))
    return root / np.linalg.norm(root, axis=1, keepdims=True)


def _uniform(z: np.ndarray) -> np.ndarray:
    from scipy.special import ndtr

    return ndtr(z)


def _step(stairs: np.ndarray, places: np.ndarray) -> np.ndarray:
    return stairs[np.minimum((places * len(stairs)).astype(int), len(stairs) - 1)]


def _values(steps: np.ndarray, places: np.ndarray, marginals: Marginals) -> np.ndarray:
    """The values at these places of the distribution: the cohort's own, or smoothed to one hump."""
    if marginals == "own" or steps.dtype == object or not _is_smooth(steps):
        return _step(steps, places)
    return _one_hump(steps, places)


def _is_smooth(steps: np.ndarray) -> bool:
    _, counts = np.unique(steps, return_counts=True)
    return len(counts) > FEW_VALUES and counts.max() < SPIKE * len(steps)


def _one_hump(steps: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Tukey's g-and-h distribution through the column's letter values: skew and tails, one hump."""
    from scipy.special import ndtri

    z = np.clip(ndtri(places), -4, 4)
    at = np.array([0.75, 0.9, 0.975])
    middle = np.median(steps)
    up, down = np.quantile(steps, at) - middle, middle - np.quantile(steps, 1 - at)
    up, down = np.maximum(up, 1e-12), np.maximum(down, 1e-12)
    g = float(np.median(np.log(up / down) / ndtri(at)))
    width = np.expm1(g * z) / g if abs(g) > 1e-6 else z
    base = np.expm1(g * ndtri(at)) / g if abs(g) > 1e-6 else ndtri(at)
    spread = up / base  # of exp(h z²/2)
    slope, level = np.polyfit(ndtri(at) ** 2 / 2, np.log(spread), 1)
    found = middle + np.exp(level) * width * np.exp(np.maximum(slope, -0.05) * z**2 / 2)
    return np.clip(found, steps[0], steps[-1])
