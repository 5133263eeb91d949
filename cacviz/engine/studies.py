"""Many fits of one cohort: methods × k on paired splits, over processes, going on after a stop."""

from __future__ import annotations

import signal
import time
import warnings
from collections.abc import Callable, Collection, Generator, Iterable
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from cacviz.engine.exceptions import ConfigError
from cacviz.engine.methods import METHODS, method_named
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
MOST_SPLITS, MOST_CLUSTERS = 100, 50


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
    expert: str = "lr"
    scaling: str = "standard"

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


def comparable_methods() -> list[str]:
    """Methods that find clusters, in the registry's order; the controls are always in."""
    return [name for name, method in METHODS.items() if method.clusters]


def study_plan(
    methods: Iterable[str], clusters: Iterable[int] = (3,), splits: int = 5, **more: str
) -> StudyPlan:
    """A checked plan; "all" stands for every method, and controls named with them are dropped."""
    names = [n for m in methods for n in (comparable_methods() if m == "all" else [m])]
    for name in names:
        method_named(name)
    without = [n for n in names if not METHODS[n].clusters and n not in CONTROLS]
    if without:
        raise ConfigError(f"'{without[0]}' finds no subtypes. Choose of: {_known()}.")
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
    return ", ".join(comparable_methods())


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
    todo = [cell for cell in plan.cells() if cell not in set(done)]
    with closing(_rows(cohort, plan, todo, n_jobs, scheduler)) as rows:
        for row in rows:
            on_row(row)


def _rows(cohort, plan, todo, n_jobs, scheduler) -> Generator[dict[str, Any]]:
    if n_jobs == 1 and scheduler is None:
        yield from (run_cell(cohort, plan, cell) for cell in todo)
        return
    from joblib import Parallel, delayed

    deep = any(METHODS[cell.method].deep for cell in todo)
    with _backend(n_jobs, scheduler, deep):
        rows = Parallel(return_as="generator_unordered", pre_dispatch="2*n_jobs", batch_size=1)(
            delayed(run_cell)(cohort, plan, cell) for cell in todo
        )
        try:
            yield from rows
        except BaseException:
            rows.close()
            if scheduler is None:
                _end_processes()
            raise


def _end_processes() -> None:
    """joblib lets fits that have begun go on; whoever stops a study wants its cores back."""
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor().shutdown(wait=True, kill_workers=True)


@contextmanager
def _backend(n_jobs: int, scheduler: str | None, deep: bool):
    """joblib's processes with a thread each, or the workers of a Dask cluster."""
    from joblib import parallel_config

    if scheduler is None:
        ready = {"initializer": _make_ready, "initargs": (deep,)}
        with warnings.catch_warnings():
            # joblib renews a process that has grown; nothing is lost, and nobody can act on it
            warnings.filterwarnings("ignore", message="A worker stopped while some jobs")
            with parallel_config("loky", n_jobs=n_jobs, inner_max_num_threads=1, **ready):
                yield
        return
    client = connect(scheduler)
    try:
        with parallel_config("dask", n_jobs=-1, wait_for_workers_timeout=30):
            yield
    finally:
        client.close()


def connect(address: str):
    """A client of the Dask scheduler at this address, or a sentence on what is missing."""
    try:
        from distributed import Client
    except ImportError:
        raise ConfigError(
            "--scheduler needs dask.distributed: install it with `pip install -e '.[cluster]'`, "
            "or leave --scheduler out to use the cores of this computer."
        ) from None
    try:
        return Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        reason = f"No Dask scheduler answers at '{address}' ({type(error).__name__})."
        raise ConfigError(reason) from error


def _make_ready(deep: bool) -> None:
    """Ctrl-C reaches the whole group: the process that asked ends this one. Load torch at once:
    a process that grows after its first fit would be taken for one that leaks.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if deep:
        import torch

        torch.set_num_threads(1)


def run_cell(cohort: Cohort, plan: StudyPlan, cell: Cell) -> dict[str, Any]:
    """One fit scored on its split's held-out patients: the contract's columns, then `LIMITS`."""
    from cacviz.engine.fitting import fit_model
    from cacviz.engine.metrics import resample_weights, score_with_intervals
    from cacviz.engine.silhouettes import mean_silhouettes

    began, config = time.perf_counter(), plan.config(cell)
    parts = _parts(cohort, config)
    model, X = fit_model(parts, config), parts.matrix(METHODS[cell.method])
    weights = resample_weights(len(parts.test), groups=parts.test_patients)
    found = score_with_intervals(parts.y[parts.test], model.predict_proba(X[parts.test]), weights)
    silhouette = 0.0
    if cell.clusters > 1:
        train = X[parts.train]
        space = model.embed(train) if hasattr(model, "embed") else parts.prepared.X[parts.train]
        silhouette = float(mean_silhouettes(space, [model.labels_], cell.clusters)[0])
    row = cell._asdict() | {name: scored.value for name, scored in found.items()}
    row |= {"silhouette": silhouette, "seconds": time.perf_counter() - began}
    headline = found["auprc_macro"]
    return row | dict(zip(LIMITS, (headline.low, headline.high), strict=True))


_held: dict[tuple, Any] = {}  # the last split a process prepared: cells come split by split


def _parts(cohort: Cohort, config: RunConfig):
    from cacviz.engine.fitting import prepare
    from cacviz.engine.splits import check, split_cohort

    split = split_cohort(cohort, config.seed)
    check(split, config)
    key = (cohort.fingerprint, config.seed, config.scaling)
    if key not in _held:
        _held.clear()
        _held[key] = prepare(split, config)[1]
    return _held[key]
