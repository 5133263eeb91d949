"""Many fits of one cohort: methods × k on paired splits, over processes, going on after a stop."""

from __future__ import annotations

import string
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cacviz.engine.exceptions import ConfigError
from cacviz.engine.running.many import run_cells, work_of
from cacviz.engine.running.methods import METHODS, method_named, methods_for
from cacviz.engine.types import Cohort, RunConfig

CONTROLS = ("lr", "gbm")
COLUMNS = (
    "method",
    "clusters",
    "split",
    "auprc_macro",
    "auprc_positive",
    "auc",
    "f1_macro",
    "f1_positive",
    "silhouette",
    "seconds",
)
LIMITS = ("auprc_macro_low", "auprc_macro_high")  # bootstrap over a split's held-out patients
MORE = (  # of a sweep
    *("in_features", "smallest", "events", "held_out", "alpha_used", "critical"),
    "assigned",
)
MOST_SPLITS, MOST_CLUSTERS = 100, 50
DIGITS = string.digits + string.ascii_letters
_PLACES = np.full(128, -1)
_PLACES[np.frombuffer(DIGITS.encode(), dtype=np.uint8)] = np.arange(len(DIGITS))


class Cell(NamedTuple):
    """One fit of a study; the split's number is its seed, so that methods are paired on it."""

    method: str
    clusters: int
    split: int


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """What a study compares; the rest of a configuration is each method's default."""

    methods: tuple[str, ...]
    clusters: tuple[int, ...] = (3,)
    splits: int = 5
    expert: str | None = None
    scaling: str | None = None

    def cells(self) -> list[Cell]:
        """Every fit, split by split, so that a study stopped early has whole splits to compare."""
        wanted = [(name, 1) for name in CONTROLS]
        wanted += [(m, k) for m in self.methods for k in dict.fromkeys((1, *self.clusters))]
        return [Cell(*pair, split) for split in range(self.splits) for pair in wanted]

    def config(self, cell: Cell) -> RunConfig:
        return RunConfig(
            method=cell.method,
            n_clusters=cell.clusters,
            expert=self.expert,
            scaling=self.scaling,
            seed=cell.split,
        )


def comparable_methods(series: bool = False) -> list[str]:
    """Methods that find clusters, in the registry's order; the controls are always in.

    Those that read hourly series are in where the cohort has them.
    """
    return [name for name in methods_for(series) if METHODS[name].clusters]


def study_plan(
    methods: Iterable[str],
    clusters: Iterable[int] = (3,),
    splits: int = 5,
    *,
    series: bool = False,
    **more: str | None,
) -> StudyPlan:
    """A checked plan; controls named with the methods are dropped.

    "all" stands for every method, those of hourly series too where the cohort has such `series`.
    """
    names = [n for m in methods for n in (comparable_methods(series) if m == "all" else [m])]
    for name in names:
        method_named(name)
    without = [n for n in names if not METHODS[n].clusters and n not in CONTROLS]
    if without:
        raise ConfigError(f"'{without[0]}' finds no subtypes. Choose one of: {_known()}.")
    chosen = tuple(dict.fromkeys(n for n in names if n not in CONTROLS))
    if not chosen:
        raise ConfigError(f"Choose a method that finds subtypes, one or more of: {_known()}.")
    ks = tuple(dict.fromkeys(clusters))
    if not ks or not all(1 <= k <= MOST_CLUSTERS for k in ks):
        raise ConfigError(f"Numbers of subtypes must be between 1 and {MOST_CLUSTERS}.")
    if not 1 <= splits <= MOST_SPLITS:
        raise ConfigError(f"The number of splits must be between 1 and {MOST_SPLITS}.")
    return StudyPlan(chosen, ks, splits, **more)


def _known() -> str:
    return ", ".join(comparable_methods(series=True))


def cell_of(row: dict[str, Any]) -> Cell:
    """Which fit a row of results belongs to."""
    return Cell(str(row["method"]), int(row["clusters"]), int(row["split"]))


def run_study(
    cohort: Cohort,
    plan: StudyPlan,
    *,
    done: Collection[Cell] = (),
    on_row: Callable[[dict[str, Any]], None],
    n_jobs: int = 1,
    scheduler: str | None = None,
) -> None:
    """Fit each cell that is not done; `on_row` gets each row as it comes and may raise Stopped."""
    known = set(done)
    todo = [cell for cell in plan.cells() if cell not in known]
    deep = any(METHODS[cell.method].deep for cell in todo)
    work = work_of(run_cell, cohort, plan)
    run_cells(work, todo, on_row=on_row, n_jobs=n_jobs, scheduler=scheduler, deep=deep)


def run_cell(cohort: Cohort, plan: StudyPlan, cell: Cell) -> dict[str, Any]:
    """One fit scored on its split's held-out patients: the contract's columns, then the rest."""
    return cell._asdict() | scored_fit(cohort, plan.config(cell))


def scored_fit(cohort: Cohort, config: RunConfig) -> dict[str, Any]:
    """A fit's scores on held-out patients, its time, `LIMITS` and `MORE`."""
    from cacviz.engine.metrics import resample_weights, score_with_intervals
    from cacviz.engine.running.fitting import fit_model

    began = time.perf_counter()
    parts = split_parts(cohort, config)
    model, X = fit_model(parts, config), parts.matrix(METHODS[config.method])
    weights = resample_weights(len(parts.test), groups=parts.test_patients)
    found = score_with_intervals(parts.y[parts.test], model.predict_proba(X[parts.test]), weights)
    row: dict[str, Any] = {name: scored.value for name, scored in found.items()}
    row |= {"silhouette": silhouette_of(model, parts, config)}
    row |= {"seconds": time.perf_counter() - began}
    headline = found["auprc_macro"]
    row |= dict(zip(LIMITS, (headline.low, headline.high), strict=True))
    return row | _more(model, X, parts, config)


def silhouette_of(model, parts, config: RunConfig) -> float:
    """The separation score of training patients where the method groups them; 0 of one cluster."""
    from cacviz.engine.scoring.silhouettes import mean_silhouettes

    if config.n_clusters < 2:
        return 0.0
    train = parts.matrix(METHODS[config.method])[parts.train]
    space = model.embed(train) if model.embeds else parts.prepared.X[parts.train]
    return float(mean_silhouettes(space, [model.labels_], config.n_clusters)[0])


def separation_of(model, parts, config: RunConfig) -> float:
    """The separation score in the patients' features, which no method has shaped.

    An embedding is learned to part patients, and parts those of one population too: beside cohorts
    without subtypes it tells nothing. Of hourly records there is the embedding alone.
    """
    from cacviz.engine.scoring.silhouettes import mean_silhouettes

    if config.n_clusters < 2 or METHODS[config.method].reads == "series" or not model.embeds:
        return silhouette_of(model, parts, config)
    space = parts.prepared.X[parts.train]
    return float(mean_silhouettes(space, [model.labels_], config.n_clusters)[0])


def _more(model, X, parts, config: RunConfig) -> dict[str, Any]:
    """What a sweep looks at beyond scores, kept with every fit so that both can share it."""
    k, clusters = config.n_clusters, model.predict_cluster(X)
    clusters[parts.train] = model.labels_
    counts = class_counts(clusters[parts.train], parts.y[parts.train], k, parts.n_classes)
    held_out = class_counts(clusters[parts.test], parts.y[parts.test], k, parts.n_classes)
    alpha = model.alpha_ if model.alpha_ is not None else config.get("alpha")
    critical = model.critical_alpha_
    return {
        "in_features": separation_of(model, parts, config),
        "smallest": int(counts.sum(axis=1).min()),
        "events": int(counts.min()),
        "held_out": held_out.tolist(),
        "alpha_used": None if alpha is None else float(alpha),
        "critical": None if critical is None else float(critical),
        "assigned": encode_clusters(np.where(parts.y < 0, -1, clusters)),
    }


def class_counts(clusters, y, k: int, n_classes: int):
    """Patients of each class in each cluster."""
    known = y >= 0
    cells = np.bincount(clusters[known] * n_classes + y[known], minlength=k * n_classes)
    return cells.reshape(k, n_classes)


def encode_clusters(clusters) -> str:
    """A character a patient: its cluster, or a dot where there is none."""
    return "".join(DIGITS[c] if c >= 0 else "." for c in clusters)


def decode_clusters(text: str):
    """What `encode_clusters` was given."""
    return _PLACES[np.frombuffer(text.encode(), dtype=np.uint8)]


_held: dict[tuple, Any] = {}  # the last split a process prepared: cells come split by split


def split_parts(cohort: Cohort, config: RunConfig):
    """The cohort split by the configuration's seed, and prepared."""
    from cacviz.engine.preparation.splits import split_cohort
    from cacviz.engine.running.fitting import check_run, prepare

    split = split_cohort(cohort, config.seed)
    check_run(split, config)
    key = (cohort.fingerprint, config.seed, config.get("scaling"))
    if key not in _held:
        _held.clear()
        _held[key] = prepare(split, config)[1]
    return _held[key]
