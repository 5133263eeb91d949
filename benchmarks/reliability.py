"""What happens to runs when the worst happens, as figures: `python benchmarks/reliability.py`.

Each check prints one line with what was tried and what was found, and the script ends with 1 where
a figure does not hold. `--short` is the form that the test suite runs: fewer attempts, and a small
fit in the engine's place.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from reliability_saves import check_saves
from reliability_tools import (
    bits,
    counted,
    finish,
    is_half,
    kill_worker,
    make_wards,
    orphans,
    temporary,
    undisturbed,
    wait_until_dead,
    words,
)

from cacviz.engine.types import RunConfig
from cacviz.jobs import queue
from cacviz.jobs.sweeping import sweep
from cacviz.store import models, paths, runs, states
from cacviz.store.atomic import StoreError
from cacviz.store.cohorts import save_cohort
from cacviz.store.history import HISTORY

FULL = "The disk is full."


@dataclass(frozen=True)
class Plan:
    """What is fitted, and how often each thing is tried."""

    quick: RunConfig
    long: RunConfig  # with checkpoints; resumed runs are compared bit for bit
    endless: RunConfig  # to be stopped
    kills: int
    moments: tuple[str, ...]  # around each call of a save
    stops: int
    resumes: int
    stop_within: float  # seconds after the start
    room_step: int  # bytes of free disk from one attempt to the next


FULL_PLAN = Plan(
    quick=RunConfig(method="cac", n_clusters=2, n_init=2),
    long=RunConfig(method="deepcac", n_clusters=2, pretrain_epochs=30, epochs=60),
    endless=RunConfig(method="deepcac", n_clusters=2, pretrain_epochs=20_000, epochs=20_000),
    kills=300,
    moments=("before", "half", "after"),
    stops=50,
    resumes=20,
    stop_within=10.0,
    room_step=4096,
)
SHORT_PLAN = Plan(
    quick=RunConfig(epochs=6),
    long=RunConfig(epochs=40),
    endless=RunConfig(epochs=20_000),
    kills=4,
    moments=("half",),
    stops=3,
    resumes=1,
    stop_within=1.5,
    room_step=16_384,
)
SMALL_PLAN = replace(
    FULL_PLAN,
    quick=SHORT_PLAN.quick,
    long=SHORT_PLAN.long,
    endless=SHORT_PLAN.endless,
    kills=1000,
    stop_within=SHORT_PLAN.stop_within,
)


def check_kills(plan: Plan, cohort_id: str, rng: random.Random) -> bool:
    """kill -9 at random moments, every second one aimed at the saving."""
    reference, length = undisturbed(cohort_id, plan.quick)
    whole = bits(reference)
    found = {"half": 0, "lost": 0, "stuck": 0, "temporary": 0}
    ended: dict[str, int] = {}
    done = {reference}
    for number in counted(plan.kills, found):
        run_id = queue.start_run(cohort_id, plan.quick)
        _wait_for_moment(run_id, number % 2 == 1, length, rng)
        kill_worker(run_id)
        wait_until_dead(run_id)
        state = queue.progress(run_id).state
        ended[state] = ended.get(state, 0) + 1
        found["stuck"] += state in ("running", "queued")
        found["half"] += is_half(run_id, state, whole)
        if state == "done":
            done.add(run_id)
        else:
            queue.delete_run(run_id)
    found["lost"] = sum(is_half(run_id, "done", whole) for run_id in done)
    sweep()
    found["temporary"] = len(temporary())
    listed = {row.id for row in runs.list_runs() if row.state == "done"}
    found["lost"] += len(done - listed)
    print(f"kill -9 of a worker: {plan.kills} kills, ended {ended}, {words(found)}")
    return not any(found.values())


def _wait_for_moment(run_id: str, saving: bool, length: float, rng: random.Random) -> None:
    if not saving:
        time.sleep(rng.uniform(0, length))
        return
    while (now := queue.progress(run_id)).phase != "saving" and not now.over:
        queue.tend()  # as whoever looks does: a worker on its way out held the room
        time.sleep(0.001)
    time.sleep(rng.uniform(0, 0.05))


def check_stops(plan: Plan, cohort_id: str, rng: random.Random) -> bool:
    """Stops at random moments of a long run."""
    seconds, wrong = [], 0
    for _ in counted(plan.stops, seconds):
        run_id = queue.start_run(cohort_id, plan.endless)
        time.sleep(rng.uniform(0, plan.stop_within))
        began = time.monotonic()
        wrong += queue.stop_run(run_id) != "stopped"
        seconds.append(time.monotonic() - began)
    found = {"wrong": wrong, "orphans": len(orphans()), "temporary": len(temporary())}
    p95 = float(np.percentile(seconds, 95))
    print(
        f"stop: {plan.stops} stops, p95 {p95:.2f} s, slowest {max(seconds):.2f} s, {words(found)}"
    )
    return p95 <= 2 and not any(found.values())


def check_resumes(plan: Plan, cohort_id: str, rng: random.Random) -> bool:
    """Runs killed up to three times and resumed, against the one that was left in peace."""
    reference, _ = undisturbed(cohort_id, plan.long)
    whole, rows = bits(reference), len(queue.history(reference))
    found, again = {"equal": 0, "kills": 0}, 0.0
    for _ in counted(plan.resumes, found):
        run_id = queue.start_run(cohort_id, plan.long)
        for row in sorted(rng.sample(range(1, rows), rng.randint(1, 3))):
            _wait_for_row(run_id, row)
            kill_worker(run_id)
            wait_until_dead(run_id)
            found["kills"] += queue.progress(run_id).state == "interrupted"
            queue.resume_run(run_id)
        found["equal"] += finish(run_id).state == "done" and bits(run_id) == whole
        again += _steps_done_again(run_id)
    print(
        f"resume: {found['equal']} of {plan.resumes} runs equal bit for bit after "
        f"{found['kills']} kills; {again / plan.resumes:.0%} of a run's steps were done again"
    )
    return found["equal"] == plan.resumes and found["kills"] >= plan.resumes


def _wait_for_row(run_id: str, row: int) -> None:
    """Until the history has so many rows: by progress, since a busy machine makes clocks lie."""
    while len(queue.history(run_id)) < row and not queue.progress(run_id).over:
        queue.tend()
        time.sleep(0.01)


def _steps_done_again(run_id: str) -> float:
    """Share of a run's rows of history that were written more than once."""
    lines = (runs.run_folder(run_id) / HISTORY).read_bytes().splitlines()
    return len(lines) / len(queue.history(run_id)) - 1


def check_disk(plan: Plan, cohort_id: str, rng: random.Random) -> bool:
    """Less and less room on a small tmpfs: the old run intact, one clear sentence."""
    old, _ = undisturbed(cohort_id, plan.quick)
    whole, ballast = bits(old), paths.data_dir() / "ballast"
    found = {"unclear": 0, "half": 0, "temporary": 0}
    attempts, room, state = 0, 0, ""
    while state != "done":
        _leave_room(ballast, room)
        state = _attempt_in_little_room(cohort_id, plan, found)
        ballast.unlink()
        found["half"] += is_half(old, "done", whole)
        found["temporary"] += len(temporary())
        attempts, room = attempts + 1, room + plan.room_step
    print(f"disk full: {attempts - 1} attempts without room, then one with; {words(found)}")
    return not any(found.values()) and attempts > 1


def _leave_room(ballast: Path, room: int) -> None:
    free = os.statvfs(ballast.parent)
    ballast.write_bytes(b"\0" * max(0, free.f_bavail * free.f_frsize - room))


def _attempt_in_little_room(cohort_id: str, plan: Plan, found: dict[str, int]) -> str:
    try:
        run_id = queue.start_run(cohort_id, plan.quick)
    except StoreError as error:
        found["unclear"] += FULL not in str(error)
        return "refused"
    last = finish(run_id)
    wait_until_dead(run_id)
    if last.state != "done":
        found["unclear"] += not (last.state == "failed" and FULL in last.message)
        found["half"] += (runs.run_folder(run_id) / states.RESULT).exists()
    queue.delete_run(run_id)
    return last.state


CHECKS = {
    "kills": check_kills,
    "saves": lambda plan, cohort_id, _: check_saves(plan.quick, cohort_id, plan.moments),
    "stops": check_stops,
    "resumes": check_resumes,
    "disk": check_disk,
}


def on_small_disk(arguments: list[str]) -> int:
    """Run the disk check again inside a tmpfs of 8 MB, as root or in a namespace of our own."""
    with tempfile.TemporaryDirectory() as place:
        script = 'mount -t tmpfs -o size=8m,mode=700 none "$0" && exec "$@"'
        command = ["sh", "-c", script, place, sys.executable, __file__, "disk", "--in", place]
        return subprocess.run(["unshare", "-rm", *command, *arguments], check=False).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checks", nargs="*", default=list(CHECKS), help=", ".join(CHECKS))
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--small", action="store_true", help="as often as ever, with a small fit")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--in", dest="place", help="the data folder; else one that is thrown away")
    asked = parser.parse_args()
    plan = SHORT_PLAN if asked.short else SMALL_PLAN if asked.small else FULL_PLAN
    if plan is not FULL_PLAN:
        _take_small_worker()
    held = True
    for name in asked.checks:
        if name == "disk" and asked.place is None:
            forms = {"--short": asked.short, "--small": asked.small}
            held &= on_small_disk([form for form, wanted in forms.items() if wanted]) == 0
            continue
        with tempfile.TemporaryDirectory() as own:
            paths.use_data_dir(asked.place or own)
            os.environ |= {"CACVIZ_WORKERS": "1", "CACVIZ_THREADS": "1"}
            cohort_id = save_cohort(make_wards())
            held &= CHECKS[name](plan, cohort_id, random.Random(asked.seed))
            while orphans():  # the last worker is on its way out
                time.sleep(0.05)
    return 0 if held else 1


def _take_small_worker() -> None:
    from tests.jobs import small_worker

    queue.WORKER, models.KINDS = small_worker.NAME, small_worker.KINDS
    os.environ["SMALL_FIT_PAUSE"] = "0.01"


if __name__ == "__main__":
    sys.exit(main())
