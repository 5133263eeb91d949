"""The process that fits one run: `python -m cacviz.runs.worker RUN_DIR`."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from cacviz.engine.exceptions import CohortError, ConfigError, Stopped
from cacviz.engine.types import Cohort, FittedRun, RunConfig
from cacviz.runs import cohorts, control, environment, files, paths, states, store
from cacviz.runs.reports import Checkpoint, Reporter

Fit = Callable[..., FittedRun]
Describe = Callable[[Path, Cohort, FittedRun], None]


def fit_any(cohort: Cohort, config: RunConfig, **hooks: Any) -> FittedRun:
    """The engine's door, opened only here: it loads numba, and torch for deep methods."""
    from cacviz.engine.methods import fit_run
    from cacviz.engine.splits import split_cohort

    return fit_run(split_cohort(cohort, config.seed), config, **hooks)


def describe_any(folder: Path, cohort: Cohort, fitted: FittedRun) -> None:
    """What differs, risk factors, the patient map: after the result is safe, part by part."""
    from cacviz.runs.insights import make_parts

    make_parts(folder, cohort, fitted, log=log_error)


def main(arguments: list[str], fit: Fit = fit_any, describe: Describe | None = None) -> None:
    """Fit the run in the folder given, then let the next queued one start."""
    folder = Path(arguments[0]).absolute()
    paths.use_data_dir(folder.parent.parent)
    threads = store.read_asked(folder).threads
    if not environment.is_pinned(threads):
        # libraries count threads when they load, and some are loaded: begin again
        command = [sys.executable, "-P", "-m", control.WORKER, str(folder)]
        os.execve(sys.executable, command, environment.worker_env(threads))
    faulthandler.enable()
    warnings.showwarning = _log_warning  # type: ignore[assignment]
    work(folder, fit, describe)
    control.tend()


def work(folder: Path, fit: Fit, describe: Describe | None = None) -> None:
    """Fit and save, and whatever happens, say in one sentence how it ended; then describe."""
    room = 0
    try:
        room = environment.limit_this_process()
        if not control.claim(folder):
            return
        with Reporter(folder) as reporter:
            signal.signal(signal.SIGTERM, lambda *_: reporter.stop())
            cohort, fitted = _fit_and_save(folder, fit, reporter)
    except Stopped:
        if (folder / states.STOP).exists():  # else the machine shuts down: interrupted
            states.write_status(folder, "stopped")
    except BaseException as error:
        log_error(error)
        refused = isinstance(error, (CohortError, ConfigError))
        control.fail(folder, explain(error, room), refused=refused)
    else:
        states.write_status(folder, "done")
        control.drop_aids(folder)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # the result is safe: nothing to wind up
        if describe is not None:
            describe(folder, cohort, fitted)


def _fit_and_save(folder: Path, fit: Fit, reporter: Reporter) -> tuple[Cohort, FittedRun]:
    asked = store.read_asked(folder)
    around = environment.describe(asked.threads)
    reporter.phase("reading the cohort")
    cohort = cohorts.load_cohort(asked.cohort_id)
    reporter.phase("preparing")
    checkpoint = Checkpoint(folder, around, reporter.flush_rows)
    fitted = fit(cohort, asked.config, on_step=reporter.on_step, checkpoint=checkpoint)
    reporter.phase("saving")
    store.save_result(folder, fitted, around)
    return cohort, fitted


def explain(error: BaseException, room: int = 0) -> str:
    """What went wrong, for a clinician: what, why, and what to do."""
    if isinstance(error, (CohortError, ConfigError, files.StoreError)):
        return str(error)
    if isinstance(error, MemoryError) or "can't allocate memory" in str(error):
        limit = f" of {room / 2**30:.1f} GB" if room else ""
        return (
            f"The run needs more memory than its limit{limit}. "
            "Use fewer patients or columns, or a simpler method."
        )
    if isinstance(error, OSError):
        return files.explain(error)
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
    main(sys.argv[1:], describe=describe_any)
