"""What sets the subtypes apart: every feature in every subtype, the most distinguishing first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cacviz.engine.insights.described.measured import Measured, measure
from cacviz.engine.insights.types import FEW, TOP, Cell, FeatureProfile, Profiles
from cacviz.engine.scoring.effects import (
    eta_squared,
    group_moments,
    level_counts,
    pairwise_level_smd,
    pairwise_smd,
)
from cacviz.engine.scoring.tests import anova_p, chi_square, chi_square_p, cramers_v
from cacviz.engine.types import Cohort, Role

N_BOOT = 100
DESCRIBED: tuple[Role, ...] = ("feature", "sensitive", "external check", "treatment")


def profile_subtypes(cohort: Cohort, clusters, n_clusters, train, test, *, seed=0) -> Profiles:
    """Profiles of the training patients (as found), with the held-out ones' effects beside them."""
    groups = _only(clusters, train)
    made = profile_groups(cohort, groups, n_clusters, seed=seed)
    held_out = _only(clusters, test)
    columns = {m.column.name: m for m in measure(cohort, [f.name for f in made.features])}
    return replace(
        made,
        features=tuple(
            replace(f, effect_held_out=again(columns[f.name], f.pair, groups, held_out))
            for f in _with_q(made.features)
        ),
        held_out_sizes=_sizes(held_out, n_clusters),
    )


def profile_groups(cohort: Cohort, groups, n_groups, *, n_boot=N_BOOT, seed=0) -> Profiles:
    """Any groups of patients (-1: in none): subtypes, or a selection and the rest."""
    columns = measure(cohort, cohort.names(*DESCRIBED))
    effects, pairs = largest_effects(columns, groups, n_groups)
    ranked = [i for i, m in enumerate(columns) if m.column.role == "feature"]
    top = _top(len(ranked))
    stability = np.full(len(columns), np.nan)
    if n_boot:
        chosen = [columns[i] for i in ranked]
        stability[ranked] = _stability(chosen, groups, n_groups, top, n_boot, seed)
    features = [
        _profile(m, groups, n_groups, float(e), pair, float(s))
        for m, e, pair, s in zip(columns, effects, pairs, stability, strict=True)
    ]
    places = {column.name: i for i, column in enumerate(cohort.columns)}
    features = [replace(f, place=places[f.name]) for f in features]
    ordered = sorted(features, key=lambda f: (f.role != "feature", -np.nan_to_num(f.effect)))
    return Profiles(tuple(ordered), _sizes(groups, n_groups), (), top)


def largest_effects(columns: list[Measured], groups, n_groups, weights=None):
    """Each column's largest difference between two groups and that pair; draws where weighted."""
    inside = groups >= 0
    groups, plain = groups[inside], weights is None
    weights = np.ones((1, len(groups))) if plain else weights
    best = np.zeros((len(columns), len(weights)))
    where = [(0, 0)] * len(columns)
    numbers = [i for i, m in enumerate(columns) if m.shape == "number"]
    if numbers and n_groups > 1:
        values = np.column_stack([columns[i].values[inside] for i in numbers])
        pairs, smd = pairwise_smd(*group_moments(values, groups, n_groups, weights))
        best[numbers] = _largest(smd).T
        for i, place in zip(numbers, np.nan_to_num(smd[:, 0]).argmax(axis=0), strict=True):
            where[i] = pairs[place]
    for i, m in enumerate(columns):
        if m.shape != "number" and n_groups > 1:
            counts = level_counts(m.values[inside], len(m.levels), groups, n_groups, weights)
            pairs, smd = pairwise_level_smd(counts)
            best[i], where[i] = _largest(smd), pairs[int(np.nan_to_num(smd[:, 0]).argmax())]
    return (best[:, 0] if plain else best), where


def _largest(smd):
    """Over pairs; NaN where no pair has enough patients."""
    return np.where(np.isnan(smd).all(axis=0), np.nan, np.nan_to_num(smd).max(axis=0))


def again(m: Measured, pair, found, held_out) -> float:
    """The difference between two groups in other patients; below 0 where it is reversed."""
    first, second = (
        np.select([groups == pair[0], groups == pair[1]], [0, 1], -1)
        for groups in (found, held_out)
    )
    size = float(largest_effects([m], second, 2)[0][0])
    return size if _gap(m, first) @ _gap(m, second) >= 0 else -size


def _gap(m: Measured, groups):
    """Difference of the means, or of each level's share, between groups 0 and 1."""
    if m.shape == "number":
        known = ~np.isnan(m.values)
        sides = [m.values[known & (groups == j)] for j in (0, 1)]
        return np.array([sides[0].mean() - sides[1].mean() if all(map(len, sides)) else 0.0])
    weights = np.ones((1, len(groups)))
    counts = level_counts(m.values, len(m.levels), groups, 2, weights)[0]
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return share[0] - share[1]


def _stability(columns, groups, n_groups, top, n_boot, seed):
    """Share of bootstrap samples of patients in which each column ranks within the top."""
    from cacviz.engine.metrics import resample_weights  # loads scikit-learn

    weights = resample_weights(int((groups >= 0).sum()), n_boot=n_boot, seed=seed)
    effects, _ = largest_effects(columns, groups, n_groups, weights.astype(np.float64))
    ranks = (-effects).argsort(axis=0, kind="stable").argsort(axis=0, kind="stable")
    return ((ranks < top) & (effects > 0)).mean(axis=1)


def _top(n_features):
    """The ten first, or the first half where there are few features at all."""
    return min(TOP, max(1, n_features // 2))


def _only(clusters, rows):
    groups = np.full(len(clusters), -1)
    groups[rows] = clusters[rows]
    return groups


def _sizes(groups, n_groups):
    return tuple(int((groups == j).sum()) for j in range(n_groups))


def _profile(m: Measured, groups, n_groups, effect, pair, stability) -> FeatureProfile:
    describe = _describe_number if m.shape == "number" else _describe_levels
    cells, overall, facts = describe(m, groups, n_groups)
    return FeatureProfile(
        name=m.column.name,
        title=m.column.title,
        unit=m.column.unit,
        shape=m.shape,
        role=m.column.role,
        levels=m.levels,
        cells=cells,
        overall=overall,
        effect=effect,
        pair=pair,
        effect_held_out=float("nan"),
        stability=stability,
        circular_q=float("nan"),
        **facts,
    )


def _describe_number(m: Measured, groups, n_groups):
    inside = groups >= 0
    values, groups = m.values[inside], groups[inside]
    cells = tuple(_number_cell(values[groups == j]) for j in range(n_groups))
    overall = _number_cell(values)
    n, mean, variance = group_moments(values[:, None], groups, n_groups, np.ones((1, len(values))))
    spread = overall.sd if overall.sd > 0 else 1.0
    standing = [(c.mean - overall.mean) / spread if c.n >= FEW else np.nan for c in cells]
    facts = {
        "association": float(eta_squared(n, mean, variance)[0, 0]),
        "standing": tuple(float(z) for z in standing),
        "standing_level": "",
        "test": "one-way ANOVA",
        "circular_p": float(anova_p(n, mean, variance)[0, 0]),
    }
    return cells, overall, facts


def _number_cell(values) -> Cell:
    known = values[~np.isnan(values)]
    n, missing = len(known), int(len(values) - len(known))
    if n == 0:
        return Cell(n, missing)
    low, median, high = np.quantile(known, [0.25, 0.5, 0.75])
    sd = float(known.std(ddof=1)) if n > 1 else float("nan")
    ends = float(known.min()), float(known.max())
    return Cell(n, missing, float(known.mean()), sd, float(median), float(low), float(high), *ends)


def _describe_levels(m: Measured, groups, n_groups):
    inside = groups >= 0
    codes, groups = m.values[inside], groups[inside]
    table = level_counts(codes, len(m.levels), groups, n_groups, np.ones((1, len(codes))))[0]
    sizes = np.bincount(groups, minlength=n_groups)
    cells = tuple(_level_cell(m, table[j], int(sizes[j] - table[j].sum())) for j in range(n_groups))
    total = table.sum(axis=0)
    overall = _level_cell(m, total, int(sizes.sum() - total.sum()))
    chi2, freedom = chi_square(table)
    standing, level = _level_standing(table)
    facts = {
        "association": cramers_v(table),
        "standing": standing,
        "standing_level": "" if m.shape == "yesno" else m.levels[level],
        "test": "chi-square",
        "circular_p": chi_square_p(chi2, freedom),
    }
    return cells, overall, facts


def _level_cell(m: Measured, counts, missing) -> Cell:
    n = int(counts.sum())
    share = float(counts[1] / n) if m.shape == "yesno" and n else np.nan
    return Cell(n, missing, share, counts=tuple(int(c) for c in counts))


def _level_standing(table):
    """The level whose share differs most between a group and everybody, in standard deviations."""
    n = table.sum(axis=1, keepdims=True)
    share, overall = table / np.maximum(n, 1), table.sum(axis=0) / max(table.sum(), 1)
    spread = np.sqrt(overall * (1 - overall))
    gaps = np.divide(share - overall, spread, out=np.zeros_like(share), where=spread > 0)
    gaps[(n < FEW)[:, 0]] = np.nan
    # of two levels the second tells it: yes, not no
    level = 1 if table.shape[1] == 2 else int(np.nan_to_num(np.abs(gaps)).max(axis=0).argmax())
    return tuple(float(z) for z in gaps[:, level]), level


def _with_q(features):
    from scipy.stats import false_discovery_control  # slow to import, for workers only

    p = np.array([f.circular_p for f in features])
    known, q = np.isfinite(p), np.full(len(p), np.nan)
    if known.any():
        q[known] = false_discovery_control(p[known])
    return [replace(f, circular_q=float(v)) for f, v in zip(features, q, strict=True)]
