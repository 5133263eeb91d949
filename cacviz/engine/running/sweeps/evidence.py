"""What the rows of a sweep say of each k: scores, sizes, and whether its clusters come back."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cacviz.engine.running.methods import METHODS
from cacviz.engine.running.studies import decode_clusters
from cacviz.engine.running.sweeps import plans
from cacviz.engine.running.sweeps.plans import SweepCell, SweepPlan
from cacviz.engine.scoring.agreement import crossing
from cacviz.engine.scoring.stability import consensus, exceedance_p, mean_agreement

Row = Mapping[str, Any]
SCORES = ("auprc_macro", "auprc_positive", "auc", "f1_macro", "f1_positive", "silhouette")
COLUMNS = (
    *("method", "clusters", "alpha", "beta", "seed"),
    *SCORES,
    *("seconds", "smallest"),
)
NAN = float("nan")


@dataclass(frozen=True, slots=True)
class AtK:
    """All that is known of one number of clusters, at the weights where they are compared.

    NaN where it was not looked at. `apart` is by how many of their standard deviations the
    separation score lies above that of twins without subtypes; `p_twins` its p.
    """

    k: int
    fits: int = 0
    auprc: float = NAN
    auprc_sd: float = NAN
    auc: float = NAN
    silhouette: float = NAN
    smallest: int = 0  # training patients, in the smallest cluster of any seed
    events: int = 0  # of the rarest class in any cluster
    strength: float = NAN  # prediction strength between halves
    halves: float = NAN  # adjusted Rand index between halves
    seeds: float = NAN  # and between seeds
    twins: float = NAN  # mean separation score of twins
    apart: float = NAN
    p_twins: float = NAN
    n_twins: int = 0
    jaccards: tuple[float, ...] = ()  # of each cluster of the first seed
    recovered: tuple[int, ...] = ()  # resamples in which it came back
    resamples: int = 0
    sizes: tuple[int, ...] = ()  # all patients, first seed
    rates: tuple[tuple[float, ...], ...] = ()  # of each class, held-out patients, first seed


def cell_of(row: Row) -> SweepCell:
    """Which piece of work a row belongs to."""
    return SweepCell(*(row[name] for name in SweepCell._fields))


def rows_at(rows: Iterable[Row], kind: str, k: int | None = None) -> list[Row]:
    return [r for r in rows if r["kind"] == kind and k in (None, r["clusters"])]


def base_fits(plan: SweepPlan, rows: Sequence[Row], k: int) -> list[Row]:
    """The fits of a k at the weights where numbers of clusters are compared, by seed."""
    point = plan.point(k, *plan.base())
    found = [r for r in rows_at(rows, plans.FIT, k) if (k, r["alpha"], r["beta"]) == point]
    return sorted(found, key=lambda r: r["number"])


def evidence(plan: SweepPlan, rows: Sequence[Row]) -> list[AtK]:
    """Each k of the plan that has a fit, in order."""
    return [_at(plan, rows, k) for k in plan.clusters if base_fits(plan, rows, k)]


def _at(plan: SweepPlan, rows: Sequence[Row], k: int) -> AtK:
    fits = base_fits(plan, rows, k)
    auprc = np.array([r["auprc_macro"] for r in fits], dtype=float)
    silhouette = float(np.mean([r["in_features"] for r in fits]))
    halves = [r for r in rows_at(rows, plans.HALVES, k) if r["strength"] is not None]
    labels = [decode_clusters(r["assigned"]) for r in fits]
    held_out = np.array(fits[0]["held_out"], dtype=float)
    return AtK(
        k=k,
        fits=len(fits),
        auprc=float(auprc.mean()),
        auprc_sd=float(auprc.std(ddof=1)) if len(fits) > 1 else NAN,
        auc=float(np.mean([r["auc"] for r in fits])),
        silhouette=silhouette,
        smallest=min(r["smallest"] for r in fits),
        events=min(r["events"] for r in fits),
        strength=_mean(r["strength"] for r in halves),
        halves=_mean(r["agreement"] for r in halves),
        seeds=mean_agreement([v[v >= 0] for v in labels]),
        sizes=tuple(np.bincount(labels[0][labels[0] >= 0], minlength=k).tolist()),
        rates=_shares(held_out),
        **_beside_twins(plan, rows, k, silhouette),
        **_resampled(plan, rows, k),
    )


def _shares(counts: np.ndarray) -> tuple[tuple[float, ...], ...]:
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return tuple(tuple(line) for line in shares.tolist())


def _beside_twins(plan: SweepPlan, rows: Sequence[Row], k: int, value: float) -> dict[str, Any]:
    drawn = twin_scores(plan, rows, k)
    if k < 2 or not drawn:
        return {}
    spread = max(float(np.std(drawn, ddof=1)) if len(drawn) > 1 else 0.0, 1e-3)
    apart = (value - float(np.mean(drawn))) / spread
    found = {"twins": float(np.mean(drawn)), "apart": apart, "n_twins": len(drawn)}
    return found | {"p_twins": exceedance_p(value, drawn)}


def twin_scores(
    plan: SweepPlan, rows: Sequence[Row], k: int, kind: str = plans.TWIN
) -> list[float]:
    """Separation scores of the twins at k."""
    place = plan.clusters.index(k)
    name = "associations" if kind == plans.PERMUTED else "silhouettes"
    return [r[name][place] for r in rows_at(rows, kind) if r[name][place] is not None]


def _resampled(plan: SweepPlan, rows: Sequence[Row], k: int) -> dict[str, Any]:
    from cacviz.engine.scoring.stability import FOUND_AGAIN

    drawn = resampled_at(rows, plan.point(k, *plan.base()))
    if not len(drawn):
        return {}
    return {
        "jaccards": tuple(drawn.mean(axis=0).tolist()),
        "recovered": tuple((drawn >= FOUND_AGAIN).sum(axis=0).tolist()),
        "resamples": len(drawn),
    }


def resampled_at(rows: Sequence[Row], point: tuple[int, float | None, float | None]) -> np.ndarray:
    """Resamples × clusters: how far each cluster came back."""
    found = rows_at(rows, plans.RESAMPLE, point[0])
    return np.array([r["jaccards"] for r in found if (r["alpha"], r["beta"]) == point[1:]])


def consensus_at(plan: SweepPlan, rows: Sequence[Row], k: int) -> np.ndarray | None:
    """The consensus matrix of a k, its patients ordered by their cluster; None without draws."""
    point = plan.point(k, *plan.base())
    found = [r for r in rows_at(rows, plans.RESAMPLE, k) if (r["alpha"], r["beta"]) == point[1:]]
    labelings = [decode_clusters(r["drawn"]) for r in found if r["drawn"]]
    return consensus(labelings) if labelings else None


def flow_at(plan: SweepPlan, rows: Sequence[Row], k: int, other: int) -> np.ndarray | None:
    """Patients in each cluster of k and each of another k, first seed; None where one is missing.

    Clusters of the other are ordered by where most of theirs come from.
    """
    first, second = base_fits(plan, rows, k), base_fits(plan, rows, other)
    if not first or not second:
        return None
    a, b = (decode_clusters(fits[0]["assigned"]) for fits in (first, second))
    both = (a >= 0) & (b >= 0)
    counts = np.zeros((k, other), dtype=np.int64)
    found = crossing(a[both], b[both])
    counts[: found.shape[0], : found.shape[1]] = found
    return counts


def _mean(values: Iterable[float]) -> float:
    known = [v for v in values if v is not None and not math.isnan(v)]
    return float(np.mean(known)) if known else NAN


def table_rows(plan: SweepPlan, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """A row per clusters, α, β and seed with the contract's columns; what was fitted once for
    several is said for each.
    """
    fitted = {cell_of(r): r for r in rows_at(rows, plans.FIT)}
    found = []
    for seed in plan.fit_seeds():
        for k in plan.clusters:
            for alpha in plan.alphas:
                for beta in plan.betas:
                    point = plan.point(k, alpha, beta)
                    row = fitted.get(_fit_cell(point, seed))
                    if row is not None:
                        found.append(_table_row(plan, rows, row, k, alpha, beta, fitted))
    return found


def _fit_cell(point: tuple[int, float | None, float | None], seed: int) -> SweepCell:
    k, alpha, beta = point
    return SweepCell(plans.FIT, k, alpha, beta, seed)


def _table_row(plan, rows, row, k, alpha, beta, fitted) -> dict[str, Any]:
    used = row["alpha_used"] if alpha is None else alpha
    made = {"method": plan.method, "clusters": k, "alpha": own_weight(plan, "alpha", used)}
    made |= {"beta": own_weight(plan, "beta", beta)}
    made |= {"seed": row["number"], **{name: row[name] for name in SCORES}}
    made |= {"seconds": row["seconds"], "smallest": row["smallest"]}
    point = plan.point(k, alpha, beta)
    drawn = resampled_at(rows, point)
    first = fitted.get(_fit_cell(point, plan.first_seed))
    if len(drawn) and first is not None:
        known = drawn.mean(axis=0)[_counterparts(row, first, k)]
        made |= {f"jaccard_{j + 1}": float(v) for j, v in enumerate(known)}
    return made


def own_weight(plan: SweepPlan, name: str, value: float | None) -> float | None:
    """A weight as it was used: the method's own where none was asked for."""
    method = METHODS[plan.method]
    return method.default(name) if value is None and name in method.settings else value


def _counterparts(row: Row, first: Row, k: int) -> np.ndarray:
    """For each cluster of a fit, the one of the first seed that has most of its patients."""
    if row is first:
        return np.arange(k)
    a, b = decode_clusters(row["assigned"]), decode_clusters(first["assigned"])
    both = (a >= 0) & (b >= 0)
    counts = np.bincount(a[both] * k + b[both], minlength=k * k).reshape(k, k)
    return counts.argmax(axis=1)


def table_columns(plan: SweepPlan) -> list[str]:
    """The columns of the rows: those of the contract, and a Jaccard a cluster where drawn."""
    most = max(plan.clusters) if plan.resamples and max(plan.clusters) > 1 else 0
    return [*COLUMNS, *(f"jaccard_{j + 1}" for j in range(most))]
