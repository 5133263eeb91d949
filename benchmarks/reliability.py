"""What happens to runs when the worst happens, as figures: `python benchmarks/reliability.py`.

Each check prints one line with what was tried and what was found, and the script ends with 1 where
a figure does not hold. `--short` is the form that the test suite runs: fewer attempts, and a small
fit in the engine's place.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
import pandas as pd
import psutil

from cacviz import runs
from cacviz.engine.cohorts import make_cohort
from cacviz.engine.types import Cohort, Column, Outcome, RunConfig
from cacviz.runs import control, files, models, paths, states, store
from cacviz.runs.reports import HISTORY

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


def make_wards(n: int = 600) -> Cohort:
    """Patients in two wards whose risk has different drivers."""
    rng = np.random.default_rng(0)
    ward = rng.integers(0, 2, n)
    X = rng.normal(size=(n, 6)) + 2.0 * ward[:, None]
    risk = np.where(ward == 0, X[:, 0], X[:, 1] - 2)
    frame = pd.DataFrame(X, columns=[f"lab {j}" for j in range(6)])
    columns = [Column(name, "number") for name in frame]
    frame["died"] = (risk + rng.normal(size=n) > 0.5).astype(np.float64)
    return make_cohort("wards", frame, [*columns, Column("died", "yesno")], Outcome("died"))


def bits(run_id: str) -> str:
    """A digest of all that a run found, its model included; only how long it took is left out."""
    runs.load_run(run_id)
    folder = store.run_folder(run_id) / states.RESULT
    read = {name: files.read_sealed(folder, name) for name in files.read_manifest(folder).files}
    found = {}
    for name, data in sorted(read.items()):
        if name.endswith(".json"):
            found[name] = _timeless(json.loads(data))
        elif not name.endswith(".skops"):  # a zip, with the time in it; arrays tell as much
            found[name] = files.sha256(data)
    return files.sha256(files.encode(found))


def _timeless(value: object) -> object:
    if isinstance(value, dict):
        return {k: _timeless(v) for k, v in value.items() if k != "seconds"}
    return [_timeless(v) for v in value] if isinstance(value, list) else value


def finish(run_id: str) -> states.Progress:
    return list(runs.follow(run_id, every=0.02))[-1]


def counted(times: int, found: object) -> Iterator[int]:
    """Count up to `times`, saying on standard error how it goes after each tenth."""
    for number in range(times):
        yield number
        if (number + 1) % max(1, times // 10) == 0:
            print(f"  {number + 1} of {times}: {found}", file=sys.stderr)


def undisturbed(cohort_id: str, config: RunConfig) -> tuple[str, float]:
    """A run left in peace and its seconds; a first one compiles the kernels and is not counted."""
    for _ in range(2):
        began, run_id = time.monotonic(), runs.start_run(cohort_id, config)
        last = finish(run_id)
        if last.state != "done":
            raise SystemExit(f"A run left in peace is {last.state}. {last.message}")
        wait_until_dead(run_id)  # or it would start what a check queues next
    return run_id, time.monotonic() - began


def wait_until_dead(run_id: str) -> None:
    mark = states.worker_of(store.run_folder(run_id))
    while control.alive(mark):
        time.sleep(0.005)


def kill_worker(run_id: str) -> None:
    mark = states.worker_of(store.run_folder(run_id))
    if control.alive(mark):
        os.killpg(mark.pid, signal.SIGKILL)


def temporary() -> list[Path]:
    return list(paths.data_dir().rglob(f"{files.HIDDEN}*"))


def orphans() -> list[int]:
    """Workers of this data folder that still run."""
    mine = str(paths.data_dir())
    found = psutil.process_iter(["cmdline", "status"])
    return [
        p.pid
        for p in found
        if any(mine in part for part in p.info["cmdline"] or ())
        and p.info["status"] != psutil.STATUS_ZOMBIE
        and p.pid != os.getpid()
    ]


def check_kills(plan: Plan, cohort_id: str, rng: random.Random) -> bool:
    """kill -9 at random moments, every second one aimed at the saving."""
    reference, length = undisturbed(cohort_id, plan.quick)
    whole = bits(reference)
    found = {"half": 0, "lost": 0, "stuck": 0, "temporary": 0}
    ended: dict[str, int] = {}
    done = {reference}
    for number in counted(plan.kills, found):
        run_id = runs.start_run(cohort_id, plan.quick)
        _wait_for_moment(run_id, number % 2 == 1, length, rng)
        kill_worker(run_id)
        wait_until_dead(run_id)
        state = runs.progress(run_id).state
        ended[state] = ended.get(state, 0) + 1
        found["stuck"] += state in ("running", "queued")
        found["half"] += _is_half(run_id, state, whole)
        if state == "done":
            done.add(run_id)
        else:
            runs.delete_run(run_id)
    found["lost"] = sum(_is_half(run_id, "done", whole) for run_id in done)
    runs.sweep()
    found["temporary"] = len(temporary())
    listed = {row.id for row in runs.list_runs() if row.state == "done"}
    found["lost"] += len(done - listed)
    print(f"kill -9 of a worker: {plan.kills} kills, ended {ended}, {_words(found)}")
    return not any(found.values())


def _wait_for_moment(run_id: str, saving: bool, length: float, rng: random.Random) -> None:
    if not saving:
        time.sleep(rng.uniform(0, length))
        return
    while (now := runs.progress(run_id)).phase != "saving" and not now.over:
        time.sleep(0.001)
    time.sleep(rng.uniform(0, 0.05))


def _is_half(run_id: str, state: str, whole: str) -> bool:
    """Visible but not whole: shown as done, and not what the same run gives in peace."""
    if state != "done":
        return False
    try:
        return bits(run_id) != whole
    except (runs.StoreError, OSError, ValueError):
        return True


def check_saves(plan: Plan, cohort_id: str, rng: random.Random) -> bool:
    """A kill before, amid and after each write, fsync and rename of each kind of save."""
    reference, _ = undisturbed(cohort_id, plan.quick)
    whole, card = bits(reference), runs.Card("old")
    runs.change_card(reference, name=card.name)
    found = {"kills": 0, "half": 0, "lost": 0, "temporary": 0}
    for name, save in _saves(reference, cohort_id).items():
        for moment in plan.moments:
            number, survived = 0, False
            while not survived:
                number += 1
                survived = _in_a_child(save, moment, number)
                found["kills"] += not survived
                found["half"] += _broken(name, reference, whole)
                runs.sweep()
                found["temporary"] += len(temporary())
    print(f"kill at each write, fsync and rename: {_words(found)}")
    return not any(v for k, v in found.items() if k != "kills") and found["kills"] > 0


def _saves(reference: str, cohort_id: str) -> dict[str, object]:
    stored = runs.load_run(reference)
    preparation, model = runs.load_model(reference)
    fitted = type("Fitted", (), {n: getattr(stored, n) for n in (*store.ARRAYS, "summary")})
    fitted.preparation, fitted.model = preparation, model
    cohort = runs.load_cohort(cohort_id)
    other = make_wards(50)

    def result() -> None:
        folder = store.run_folder(runs.create_run(cohort_id, stored.asked.config, "saved here"))
        store.save_result(folder, fitted, stored.environment)

    def renamed() -> None:
        runs.change_card(reference, name="new")
        runs.change_card(reference, name="old")

    def kept() -> None:
        runs.delete_cohort(runs.save_cohort(other))
        runs.save_cohort(cohort)

    return {"result": result, "card": renamed, "cohort": kept}


def _in_a_child(save, moment: str, number: int) -> bool:
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

    files.write = armed(files.write, lambda fd, data: os.write(fd, data[: len(data) // 2]))
    files.sync = armed(files.sync, lambda fd: None)
    files.rename = armed(files.rename, lambda source, target: None)


def _broken(name: str, reference: str, whole: str) -> int:
    """How many things are visible and not whole after a kill in a save of that kind."""
    rows = runs.list_runs()
    broken = sum(_is_half(row.id, row.state, whole) for row in rows)
    broken += runs.load_run(reference).card.name not in ("old", "new")
    broken += len([row for row in rows if row.state == "running"])
    broken += len(store.run_folders()) - len(rows)
    broken += sum(_half_made(store.run_folder(row.id)) for row in rows)
    for row in runs.list_cohorts():
        runs.load_cohort(row.id)
    for row in rows:
        if row.id != reference:
            files.remove(store.run_folder(row.id))
    return broken


def _half_made(folder: Path) -> bool:
    """A run without one of its first files, or with a result that has no valid seal."""
    whole = all((folder / name).exists() for name in (store.RUN, store.CARD, states.STATUS))
    result = folder / states.RESULT
    return not whole or (result.exists() and files.read_manifest(result) is None)


def check_stops(plan: Plan, cohort_id: str, rng: random.Random) -> bool:
    """Stops at random moments of a long run."""
    seconds, wrong = [], 0
    for _ in counted(plan.stops, seconds):
        run_id = runs.start_run(cohort_id, plan.endless)
        time.sleep(rng.uniform(0, plan.stop_within))
        began = time.monotonic()
        wrong += runs.stop_run(run_id) != "stopped"
        seconds.append(time.monotonic() - began)
    found = {"wrong": wrong, "orphans": len(orphans()), "temporary": len(temporary())}
    p95 = float(np.percentile(seconds, 95))
    print(
        f"stop: {plan.stops} stops, p95 {p95:.2f} s, slowest {max(seconds):.2f} s, {_words(found)}"
    )
    return p95 <= 2 and not any(found.values())


def check_resumes(plan: Plan, cohort_id: str, rng: random.Random) -> bool:
    """Runs killed up to three times and resumed, against the one that was left in peace."""
    reference, length = undisturbed(cohort_id, plan.long)
    whole = bits(reference)
    equal, kills, again = 0, 0, 0.0
    for _ in counted(plan.resumes, whole):
        run_id = runs.start_run(cohort_id, plan.long)
        for _ in range(rng.randint(1, 3)):
            time.sleep(rng.uniform(0.3, 0.8) * length)
            kill_worker(run_id)
            wait_until_dead(run_id)
            kills += runs.progress(run_id).state == "interrupted"
            runs.resume_run(run_id)
        equal += finish(run_id).state == "done" and bits(run_id) == whole
        again += _steps_done_again(run_id)
    print(
        f"resume: {equal} of {plan.resumes} runs equal bit for bit after {kills} kills; "
        f"{again / plan.resumes:.0%} of the steps of a run were done again"
    )
    return equal == plan.resumes and kills >= plan.resumes


def _steps_done_again(run_id: str) -> float:
    """Share of a run's rows of history that were written more than once."""
    lines = (store.run_folder(run_id) / HISTORY).read_bytes().splitlines()
    return len(lines) / len(runs.history(run_id)) - 1


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
        found["half"] += _is_half(old, "done", whole)
        found["temporary"] += len(temporary())
        attempts, room = attempts + 1, room + plan.room_step
    print(f"disk full: {attempts - 1} attempts without room, then one with; {_words(found)}")
    return not any(found.values()) and attempts > 1


def _leave_room(ballast: Path, room: int) -> None:
    free = os.statvfs(ballast.parent)
    ballast.write_bytes(b"\0" * max(0, free.f_bavail * free.f_frsize - room))


def _attempt_in_little_room(cohort_id: str, plan: Plan, found: dict[str, int]) -> str:
    try:
        run_id = runs.start_run(cohort_id, plan.quick)
    except runs.StoreError as error:
        found["unclear"] += FULL not in str(error)
        return "refused"
    last = finish(run_id)
    wait_until_dead(run_id)
    if last.state != "done":
        found["unclear"] += not (last.state == "failed" and FULL in last.message)
        found["half"] += (store.run_folder(run_id) / states.RESULT).exists()
    runs.delete_run(run_id)
    return last.state


def _words(found: dict[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in found.items())


CHECKS = {
    "kills": check_kills,
    "saves": check_saves,
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
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--in", dest="place", help="the data folder; else one that is thrown away")
    asked = parser.parse_args()
    plan = SHORT_PLAN if asked.short else FULL_PLAN
    if asked.short:
        _take_small_worker()
    held = True
    for name in asked.checks:
        if name == "disk" and asked.place is None:
            held &= on_small_disk(["--short"] if asked.short else []) == 0
            continue
        with tempfile.TemporaryDirectory() as own:
            runs.use_data_dir(asked.place or own)
            os.environ |= {"CACVIZ_WORKERS": "1", "CACVIZ_THREADS": "1"}
            cohort_id = runs.save_cohort(make_wards())
            held &= CHECKS[name](plan, cohort_id, random.Random(asked.seed))
            while orphans():  # the last worker is on its way out
                time.sleep(0.05)
    return 0 if held else 1


def _take_small_worker() -> None:
    from tests.runs import small_worker

    control.WORKER, models.HOME = small_worker.NAME, small_worker.HOME
    os.environ["SMALL_FIT_PAUSE"] = "0.01"


if __name__ == "__main__":
    sys.exit(main())
