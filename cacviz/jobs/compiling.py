"""Compiles the kernels of CAC and of the patient map ahead of the first run, aside and nice.

`python -m cacviz.jobs.compiling` does it at installation; `cacviz app` where that was not done.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from cacviz.jobs import environment
from cacviz.store import unix

ASIDE = "--aside"
DONE = "compiled"  # beside the kernels: all of them are there
PATIENTS = 400


def begin() -> bool:
    """Whether a process was started that compiles; it outlives this one and is nobody's child."""
    if _is_done():
        return False
    pid = unix.spawn(__name__, ASIDE, log=Path(os.devnull), env=environment.library_env(1))
    with suppress(ChildProcessError):  # it leaves the work to a child of its own
        os.waitpid(pid, 0)
    return True


def main(arguments: list[str]) -> None:
    """Fit a small made-up cohort as a worker would, unless somebody has or is at it."""
    if ASIDE in arguments and os.fork():
        return
    os.environ |= environment.library_env(1)  # nothing has been loaded yet that counts threads
    with unix.locked(_place() / "lock"):
        if not _is_done():
            environment.limit_this_process()
            compile_all()
            (_place() / DONE).touch()


def compile_all() -> None:
    """Every kernel that a run calls, of two classes and of three."""
    from cacviz.engine.cohorts.demo import make_demo, make_demo_stay
    from cacviz.engine.insights.maps import umap_positions
    from cacviz.engine.preparation.splits import split_cohort
    from cacviz.engine.running.fitting import fit_model, prepare
    from cacviz.engine.types import RunConfig

    for cohort in (make_demo(PATIENTS), make_demo_stay(PATIENTS)):
        config = RunConfig("cac", 2, 0)
        _, parts = prepare(split_cohort(cohort, 0), config)
        fit_model(parts, config)
    umap_positions(parts.prepared.X)


def _place() -> Path:
    folder = Path(environment.library_env(1)["NUMBA_CACHE_DIR"])
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _is_done() -> bool:
    return (_place() / DONE).exists()


if __name__ == "__main__":
    main(sys.argv[1:])
