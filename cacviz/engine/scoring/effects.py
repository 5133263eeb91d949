"""How far a feature sets groups apart, for one weighting of patients or many at once.

`weights` is draws × patients; every result has a row a draw. One draw of ones is the plain value.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from cacviz.engine.scoring.tests import sums_of_squares

FEW = 5  # patients of a group below which no difference is told
NO_SPREAD = 1e-9  # of the largest spread: less is rounding, which must not be divided by
LARGEST = 5.0  # standard deviations: so far apart, groups do not overlap, and no more is told


def group_moments(values, groups, n_groups, weights):
    """Known patients, mean and variance of each number in each group: draws × groups × columns."""
    known = ~np.isnan(values)
    shift = np.nan_to_num(np.nanmean(np.where(known.any(axis=0), values, 0.0), axis=0))
    centred = np.where(known, values - shift, 0.0)
    parts = (known.astype(float), centred, centred**2)
    n, first, second = (_sums(part, groups, n_groups, weights) for part in parts)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = first / n
        variance = np.maximum(second - n * mean**2, 0) / (n - 1)
    return n, mean + shift, variance


def _sums(part, groups, n_groups, weights):
    """Weighted sums of columns in each group: draws × groups × columns."""
    if len(weights) == 1:  # without a copy of the columns
        return ((groups == np.arange(n_groups)[:, None]) * weights[0] @ part)[None]
    return np.stack([weights[:, groups == j] @ part[groups == j] for j in range(n_groups)], axis=1)


def pairwise_smd(n, mean, variance):
    """Standardised mean difference of each pair of groups: pairs × draws × columns.

    NaN where a group has too few patients to compare.
    """
    pairs = list(combinations(range(mean.shape[1]), 2))
    found = np.zeros((len(pairs), mean.shape[0], mean.shape[2]))
    for place, (a, b) in enumerate(pairs):
        with np.errstate(divide="ignore", invalid="ignore"):
            gap = np.abs(mean[:, a] - mean[:, b])
            smd = np.where(gap > 0, gap / np.sqrt((variance[:, a] + variance[:, b]) / 2), 0.0)
        enough = (n[:, a] >= FEW) & (n[:, b] >= FEW)
        smd = np.minimum(np.nan_to_num(smd, posinf=LARGEST), LARGEST)
        found[place] = np.where(enough, smd, np.nan)
    return pairs, found


def level_counts(codes, n_levels, groups, n_groups, weights):
    """Patients of each level in each group: draws × groups × levels; missing ones are left out."""
    levels = np.eye(n_levels)[np.maximum(codes, 0)] * (codes >= 0)[:, None]
    return _sums(levels, groups, n_groups, weights)


def pairwise_level_smd(counts):
    """The same for levels (Yang and Dalton 2012): pairs × draws."""
    n = counts.sum(axis=2, keepdims=True)
    share = (counts / np.maximum(n, 1))[:, :, 1:]  # of all levels, one follows from the others
    spread = share[..., None] * (np.eye(share.shape[2]) - share[:, :, None, :])
    pairs = list(combinations(range(counts.shape[1]), 2))
    found = np.zeros((len(pairs), len(counts)))
    for place, (a, b) in enumerate(pairs):
        gap, both = share[:, a] - share[:, b], (spread[:, a] + spread[:, b]) / 2
        inverse = np.linalg.pinv(both, rcond=NO_SPREAD, hermitian=True)
        smd = np.sqrt(np.maximum(np.einsum("bi,bij,bj->b", gap, inverse, gap), 0))
        # a gap in a direction without any spread: the groups share no level there
        beyond = gap - np.einsum("bij,bjk,bk->bi", both, inverse, gap)
        smd = np.where(np.abs(beyond).max(axis=1, initial=0) > 1e-9, LARGEST, smd)
        enough = (n[:, a, 0] >= FEW) & (n[:, b, 0] >= FEW)
        found[place] = np.where(enough, np.minimum(smd, LARGEST), np.nan)
    return pairs, found


def eta_squared(n, mean, variance):
    """Share of a number's variance that lies between the groups: draws × columns."""
    between, within = sums_of_squares(n, mean, variance)
    total = between + within
    return np.divide(between, total, out=np.zeros_like(total), where=total > 0)
