"""A kill around each write, fsync and rename of a save: nothing half, nothing lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from pathlib import Path

from reliability_tools import bits, is_half, make_wards, temporary, undisturbed, words

from cacviz.engine.cohorts.choosing import with_roles
from cacviz.engine.types import RunConfig
from cacviz.jobs import queue
from cacviz.jobs.sweeping import sweep
from cacviz.store import atomic, cohorts, runs, states


def check_saves(config: RunConfig, cohort_id: str, moments: Sequence[str]) -> bool:
    """A kill before, amid and after each write, fsync and rename of each kind of save."""
    reference, _ = undisturbed(cohort_id, config)
    whole = bits(reference)
    runs.change_card(reference, name="old")
    found = {"kills": 0, "half": 0, "lost": 0, "temporary": 0}
    for save in _saves(reference, cohort_id):
        for moment in moments:
            number, survived = 0, False
            while not survived:
                number += 1
                survived = _in_a_child(save, moment, number)
                found["kills"] += not survived
                found["lost"] += is_half(reference, "done", whole)
                found["half"] += _broken(reference, whole)
                sweep()
                found["temporary"] += len(temporary())
    print(f"kill at each write, fsync and rename: {words(found)}")
    return not any(v for k, v in found.items() if k != "kills") and found["kills"] > 0


def _saves(reference: str, cohort_id: str) -> list[Callable[[], None]]:
    """A run with its result, a name and a choice there and back, a cohort kept and deleted."""
    stored = runs.load_run(reference)
    preparation, model = runs.load_model(reference)
    fitted = type("Fitted", (), {n: getattr(stored, n) for n in (*runs.ARRAYS, "summary")})
    fitted.preparation, fitted.model = preparation, model
    cohort = cohorts.load_cohort(cohort_id)
    other = make_wards(50)

    def result() -> None:
        folder = runs.run_folder(runs.create_run(cohort_id, stored.asked.config, "saved here"))
        runs.save_result(folder, fitted, stored.environment)

    def renamed() -> None:
        runs.change_card(reference, name="new")
        runs.change_card(reference, name="old")

    def kept() -> None:
        queue.delete_cohort(cohorts.save_cohort(other))
        cohorts.save_cohort(cohort)

    def decided() -> None:
        for role in ("left out", "feature"):
            cohorts.change_cohort(cohort_id, lambda c, r=role: with_roles(c, {"lab 5": r}), cohort)

    return [result, renamed, kept, decided]


def _in_a_child(save: Callable[[], None], moment: str, number: int) -> bool:
    """Run `save` in a fork that kills itself around that call; whether it came to its end."""
    pid = os.fork()
    if pid == 0:
        _arm(moment, number)
        try:
            save()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def _arm(moment: str, number: int) -> None:
    made = [0]

    def armed(call, cut):
        def calling(*arguments):
            made[0] += 1
            if made[0] == number and moment != "after":
                if moment == "half":
                    cut(*arguments)
                os.kill(os.getpid(), signal.SIGKILL)
            call(*arguments)
            if made[0] == number:
                os.kill(os.getpid(), signal.SIGKILL)

        return calling

    atomic.write = armed(atomic.write, lambda fd, data: os.write(fd, data[: len(data) // 2]))
    atomic.sync = armed(atomic.sync, lambda fd: None)
    atomic.rename = armed(atomic.rename, lambda source, target: None)


def _broken(reference: str, whole: str) -> int:
    """How many things are visible and not whole after a kill."""
    rows = runs.list_runs()
    broken = sum(is_half(row.id, row.state, whole) for row in rows)
    broken += runs.load_run(reference).card.name not in ("old", "new")
    broken += len([row for row in rows if row.state == "running"])
    broken += len(runs.run_folders()) - len(rows)
    broken += sum(_half_made(runs.run_folder(row.id)) for row in rows)
    for row in cohorts.list_cohorts():
        cohorts.load_cohort(row.id)
    for row in rows:
        if row.id != reference:
            atomic.remove(runs.run_folder(row.id))
    return broken


def _half_made(folder: Path) -> bool:
    """A run without one of its first files, or with a result that has no valid seal."""
    whole = all((folder / name).exists() for name in (runs.RUN, runs.CARD, states.STATUS))
    result = folder / states.RESULT
    return not whole or (result.exists() and atomic.read_manifest(result) is None)
