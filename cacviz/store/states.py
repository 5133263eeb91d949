"""What state a run is in: read from its folder, and never a phantom."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from cacviz.store import atomic
from cacviz.store.unix import Mark, alive

State = Literal["queued", "running", "done", "failed", "stopped", "interrupted"]
STATUS, LOCK, STOP, CHECKPOINT = "status.json", "lock.json", "stop", "checkpoint.safetensors"
RESULT = "result"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is, in what the worker last said and whether it still lives."""

    state: State
    message: str = ""  # one sentence where the run ended without a result
    refused: bool = False  # it failed since the cohort or a setting cannot be used
    phase: str = ""
    step: int | None = None
    of: int | None = None
    began: float | None = None  # seconds since 1970, as all times here
    heartbeat: float | None = None
    seconds_left: float | None = None  # of this phase
    stopping: bool = False
    row: Mapping[str, Any] = field(default_factory=dict)  # the newest row of history

    @property
    def over(self) -> bool:
        return self.state not in ("queued", "running")

    @property
    def resumable(self) -> bool:
        return self.state in ("stopped", "interrupted", "failed")


def progress_of(folder: Path) -> Progress:
    """The run's state and progress now."""
    lock = worker_of(folder)
    # before anything else is read: what a dead worker wrote is then on disk for certain
    live = alive(lock)
    said = read_status(folder)
    state = _state(folder, said, lock, live)
    if state == "interrupted" and worker_of(folder) != lock:
        return progress_of(folder)  # resumed while we were looking
    return Progress(
        state=state,
        message=_interruption(said) if state == "interrupted" else said.get("message", ""),
        refused=state == "failed" and bool(said.get("refused")),
        phase=said.get("phase", ""),
        step=said.get("step"),
        of=said.get("of"),
        began=said.get("began"),
        heartbeat=said.get("heartbeat"),
        seconds_left=_seconds_left(said) if state == "running" else None,
        stopping=state == "running" and (folder / STOP).exists(),
        row=said.get("row", {}),
    )


def read_status(folder: Path) -> dict[str, Any]:
    said = atomic.read_json(folder / STATUS)
    return said if isinstance(said, dict) else {}


def write_status(folder: Path, state: State, message: str = "", **more: Any) -> None:
    """Set the state for good; what was said of the progress stays."""
    said = read_status(folder) | {"state": state, "message": message, "since": time.time()} | more
    atomic.write_json(folder / STATUS, said)


def worker_of(folder: Path) -> Mark | None:
    """The process that works, or last worked, on the run."""
    said = atomic.read_json(folder / LOCK)
    try:
        return Mark(int(said["pid"]), str(said["start"]))
    except (KeyError, TypeError, ValueError):  # not there, or damaged
        return None


def write_worker(folder: Path, mark: Mark, slots: int = 1) -> None:
    """Say who works on the job, and how many processes it may use."""
    atomic.write_json(folder / LOCK, {"pid": mark.pid, "start": mark.start, "slots": slots})


def slots_of(folder: Path) -> int:
    """How many processes the job may use."""
    said = atomic.read_json(folder / LOCK)
    slots = said.get("slots", 1) if isinstance(said, dict) else 1
    return slots if isinstance(slots, int) and slots > 0 else 1


def _state(folder: Path, said: Mapping[str, Any], lock: Mark | None, live: bool) -> State:
    if atomic.read_manifest(folder / RESULT) is not None:
        return "done"  # the seal is the truth, whatever the status had no time to say
    if said.get("state") in ("failed", "stopped"):
        return said["state"]
    if said.get("state") == "done" and said.get("unsealed"):
        return "done"  # a job whose result is elsewhere
    if live:
        return "running"
    if (folder / STOP).exists():
        return "stopped"
    return "queued" if said.get("state") == "queued" and lock is None else "interrupted"


def _interruption(said: Mapping[str, Any]) -> str:
    where = ""
    if said.get("step") is not None and said.get("of"):
        where = f" at {said.get('unit', 'step')} {said['step']} of {said['of']}"
    return (
        f"Interrupted{where}: the computer was switched off, or the process was ended. "
        "Resume goes on from the last checkpoint."
    )


def _seconds_left(said: Mapping[str, Any]) -> float | None:
    """By the pace of this phase since this worker entered it."""
    step, of, first = said.get("step"), said.get("of"), said.get("first_step")
    if step is None or not of or first is None or step <= first:
        return None
    pace = (said["step_at"] - said["first_at"]) / (step - first)
    return max(0.0, pace * (of - step) - (time.time() - said["step_at"]))
