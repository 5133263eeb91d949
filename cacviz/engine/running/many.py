"""Many fits: one after another, over processes of this computer, or over a Dask cluster."""

from __future__ import annotations

import pickle
import signal
import threading
import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from typing import Any

from cacviz.engine.exceptions import ConfigError

Row = dict[str, Any]
Work = Callable[[Any], Row]  # a cell in, its row out; may go to another process
RETRIES = 3  # of a fit whose worker of a cluster died


def run_cells(
    work: Work,
    cells: Sequence[Any],
    *,
    on_row: Callable[[Row], None],
    n_jobs: int = 1,
    scheduler: str | None = None,
    deep: bool = False,
) -> None:
    """Do each cell; `on_row` gets each row as it comes and may raise Stopped."""
    with closing(_rows(work, cells, n_jobs, scheduler, deep)) as rows:
        for row in rows:
            on_row(row)


def _rows(work, cells, n_jobs, scheduler, deep) -> Generator[Row]:
    if scheduler is not None:
        yield from _cluster_rows(work, cells, scheduler)
    elif n_jobs == 1:
        yield from map(work, cells)
    else:
        yield from _process_rows(work, cells, n_jobs, deep)


def _process_rows(work, cells, n_jobs, deep) -> Generator[Row]:
    from joblib import Parallel, delayed

    with _processes(n_jobs, deep):
        rows = Parallel(return_as="generator_unordered", pre_dispatch="2*n_jobs", batch_size=1)(
            delayed(work)(cell) for cell in cells
        )
        try:
            yield from rows
        except BaseException:
            rows.close()
            _end_processes()
            raise


def _end_processes() -> None:
    """joblib lets fits that have begun go on; whoever stops a study wants its cores back."""
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor().shutdown(wait=True, kill_workers=True)


@contextmanager
def _processes(n_jobs: int, deep: bool):
    """joblib's processes with a thread each."""
    from joblib import parallel_config

    ready = {"initializer": _make_ready, "initargs": (deep,)}
    with warnings.catch_warnings():
        # joblib renews a process that has grown; nothing is lost, and nobody can act on it
        warnings.filterwarnings("ignore", message="A worker stopped while some jobs")
        with parallel_config("loky", n_jobs=n_jobs, inner_max_num_threads=1, **ready):
            yield


def _make_ready(deep: bool) -> None:
    """Ctrl-C reaches the whole group: the process that asked ends this one. Load torch at once:
    a process that grows after its first fit would be taken for one that leaks.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if deep:
        import torch

        torch.set_num_threads(1)


def _cluster_rows(work, cells, scheduler) -> Generator[Row]:
    """The rows as the workers of a Dask cluster give them.

    The cohort travels once, as a task of its own: where the worker that holds it dies, the
    scheduler makes it again elsewhere, and does the fits again that had not come back.
    """
    client = connect(scheduler)
    try:
        from distributed import as_completed

        held = client.submit(pickle.loads, pickle.dumps(work), pure=False)
        todo = [client.submit(_alone, held, cell, pure=False, retries=RETRIES) for cell in cells]
        for future in as_completed(todo):
            yield future.result()
    finally:
        client.close()  # what is still to be done is given up with it


_one_at_a_time = threading.Lock()


def _alone(work, cell) -> Row:
    """One fit in a worker of a cluster, as a process of this computer does it: with one thread.

    Numbers may differ in the last digit with other threads, and seeds are of the whole process.
    """
    import sys

    from threadpoolctl import threadpool_limits

    with _one_at_a_time, threadpool_limits(1):
        if "torch" in sys.modules:
            sys.modules["torch"].set_num_threads(1)
        return work(cell)


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


def work_of(run_cell: Callable[..., Row], *held: Any) -> Work:
    """The work that every cell shares, with what it needs."""
    return partial(run_cell, *held)
