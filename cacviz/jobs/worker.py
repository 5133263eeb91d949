"""The process that does one job of any kind: `python -m cacviz.jobs.worker FOLDER`."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import traceback
import warnings
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from cacviz.engine.aside import copies
from cacviz.engine.exceptions import CohortError, ConfigError, Stopped
from cacviz.jobs import early, environment, kinds, queue, validations
from cacviz.jobs.kinds import Fit, fit_any, kind_of
from cacviz.jobs.reporting import Reporter
from cacviz.store import atomic, paths, runs, states


def main(arguments: list[str], fit: Fit = fit_any, *, describe: bool = True) -> None:
    """Do the job in the folder given, then let the next queued one start."""
    name = early.awaited(queue.LOG) if arguments[0] == early.LATER else arguments[0]
    if name is None:
        return
    folder = Path(name).absolute()
    paths.use_data_dir(_data_dir(folder))
    threads = queue._threads(folder)
    if not environment.is_pinned(threads):
        # libraries count threads when they load, and some are loaded: begin again
        command = [sys.executable, "-P", "-m", queue.WORKER, str(folder)]
        os.execve(sys.executable, command, environment.worker_env(threads))
    faulthandler.enable()
    warnings.showwarning = _log_warning  # type: ignore[assignment]
    made = work(folder, fit)
    if made is not None and describe:
        _describe_at_once(folder, *made)
    queue.tend(leaving=folder)


def _data_dir(folder: Path) -> Path:
    return folder.parents[2] if folder.name in queue.INNER else folder.parents[1]


def work(folder: Path, fit: Fit = fit_any) -> tuple | None:
    """Do a job and, whatever happens, say in one sentence how it ended; what a fit made."""
    room, made = 0, None
    try:
        room = environment.limit_this_process()
        if not queue.claim(folder):
            return None
        with Reporter(folder) as reporter:
            signal.signal(signal.SIGTERM, lambda *_: reporter.stop())
            made = _do(folder, reporter, fit)
    except BaseException as error:
        _conclude(folder, error, room)
        return None
    with suppress(OSError):  # the seal says it too: a full disk takes nothing away now
        states.write_status(folder, "done", unsealed=kind_of(folder) == "describe")
    for aid in (states.CHECKPOINT, runs.RESERVE):
        (folder / aid).unlink(missing_ok=True)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # the result is safe: nothing to wind up
    return made


def _do(folder: Path, reporter: Reporter, fit: Fit) -> tuple | None:
    kind = kind_of(folder)
    if kind == "fit":
        with copies(allowed=queue._threads(folder) == 1):
            return kinds.fit(folder, reporter, fit)
    if kind == "compare":
        kinds.compare(folder, reporter)
    elif kind == "sweep":
        kinds.sweep(folder, reporter)
    elif kind == "report":
        kinds.report(folder, reporter)
    elif kind == "validate":
        validations.validate(folder, reporter)
    else:
        kinds.describe(folder, reporter, log_error)
    return None


def _conclude(folder: Path, error: BaseException, room: int) -> None:
    """How a job ended that did not come to its end."""
    # a stop reaches the processes of a comparison too: theirs may be the first word of it
    if (folder / states.STOP).exists():
        states.write_status(folder, "stopped")
    elif not isinstance(error, Stopped):  # else the machine shuts down: interrupted
        log_error(error)
        refused = isinstance(error, (CohortError, ConfigError))
        queue.fail(folder, explain(error, room), refused=refused)


def _describe_at_once(folder: Path, cohort: Any, fitted: Any) -> None:
    """What differs, risk factors, the patient map: after the result is safe, part by part."""
    kinds.make_parts(folder, cohort, fitted, log_error)


def explain(error: BaseException, room: int = 0) -> str:
    """What went wrong, for a clinician: what, why, and what to do."""
    if isinstance(error, (CohortError, ConfigError, atomic.StoreError)):
        return str(error)
    if isinstance(error, MemoryError) or "can't allocate memory" in str(error):
        limit = f" of {room / 2**30:.1f} GB" if room else ""
        return (
            f"The run needs more memory than its limit{limit}. "
            "Use fewer patients or columns, or a simpler method."
        )
    if isinstance(error, OSError):
        return atomic.explain(error)
    if isinstance(error, BrokenExecutor):
        return (
            "One of its processes was ended from outside, most often because memory ran out or the "
            "computer was shut down. Close other programs and try again."
        )
    return (
        f"The run ended through a fault in the program ({type(error).__name__}). "
        "The log in its folder says where; other runs are intact."
    )


def log_error(error: BaseException | None) -> None:
    """Where it happened and the kind of error; its text may quote a patient's values."""
    while error is not None:
        lines = traceback.format_tb(error.__traceback__)
        _log(f"{''.join(lines)}{type(error).__module__}.{type(error).__qualname__}\n")
        error = error.__cause__ or error.__context__


def _log_warning(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, *_: Any
) -> None:
    _log(f"{filename}:{lineno}: {category.__name__}\n")


def _log(text: str) -> None:
    with suppress(OSError):
        sys.stderr.write(text)
        sys.stderr.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
