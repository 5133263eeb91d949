"""What a worker says while it works: status, rows of history, checkpoints."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from cacviz.engine.exceptions import Stopped
from cacviz.store import atomic, history, models, states
from cacviz.store.records import to_plain

EVERY = 0.25  # seconds between two reports
LONGEST = 200  # characters of a text in the status


class Reporter:
    """Takes rows at no cost to the fit and writes them from a thread, four times a second.

    Use as a context; `on_step` is what a fit is given, `stop` ends it at its next row.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.began = folder, time.time()
        self._said: dict[str, Any] = {"state": "running", "began": self.began, "phase": "starting"}
        self._rows: list[bytes] = []
        self._lock = threading.Lock()
        self._writing = threading.Lock()  # rows reach the file in their order
        self._stop = threading.Event()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)

    def __enter__(self) -> Reporter:
        history.end_torn_line(self.folder)
        self.flush(durable=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self._report()

    def stop(self) -> None:
        self._stop.set()

    def phase(self, name: str) -> None:
        """Say at once what comes now."""
        with self._lock:
            self._enter(name)
        self._report()

    def on_step(self, row: Mapping[str, Any]) -> None:
        """Note a row of history; raises Stopped where the user wants no more."""
        plain, now = to_plain(row), time.time()
        unit = next((u for u in history.UNITS if u in plain), None)
        with self._lock:
            if plain.get("phase", self._said["phase"]) != self._said["phase"]:
                self._enter(plain["phase"])
            self._rows.append(atomic.encode(plain) + b"\n")
            step = plain[unit] if unit else None
            self._said |= {"row": _short(plain), "unit": unit, "step": step, "of": plain.get("of")}
            self._said["step_at"] = now
            if "first_step" not in self._said:
                self._said |= {"first_step": step, "first_at": now}
        if self._stop.is_set():
            raise Stopped

    def flush(self, *, durable: bool = False) -> None:
        """Write new rows and the status now."""
        self.flush_rows()
        with self._lock:
            said = self._said | {"heartbeat": time.time()}
        atomic.write_json(self.folder / states.STATUS, said, durable=durable)

    def flush_rows(self) -> None:
        """Write new rows now, as before a checkpoint: what it skips must be in the history.

        Rows that the disk refuses are kept for the next time.
        """
        with self._writing:
            with self._lock:
                rows = list(self._rows)
            if rows:
                history.append_rows(self.folder, b"".join(rows))
            with self._lock:
                del self._rows[: len(rows)]

    def _enter(self, phase: str) -> None:
        kept = ("state", "began", "row")
        self._said = {k: v for k, v in self._said.items() if k in kept} | {"phase": phase}

    def _beat(self) -> None:
        while not self._over.wait(EVERY):
            self._report()

    def _report(self) -> None:
        # a full disk must not end a fit that may yet be saved; saving it will say so
        with suppress(OSError):
            self.flush()


def _short(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row without what has an entry for every patient: the status is written often."""
    return {k: v for k, v in row.items() if not isinstance(v, str) or len(v) <= LONGEST}


class Checkpoint:
    """The state of a fit on disk, whole or not at all; `load` gives what `save` was last given.

    `origin` says what the state belongs to (versions, threads): another origin starts afresh,
    since only the same one goes on bit for bit. `before` is called ahead of each save.
    """

    def __init__(
        self,
        folder: Path,
        origin: Mapping[str, Any],
        before: Callable[[], None] = lambda: None,
    ) -> None:
        self.before = before
        self.path = folder / states.CHECKPOINT
        self.origin = json.loads(atomic.encode(to_plain(origin)))

    def load(self) -> tuple[dict[str, np.ndarray], dict[str, Any]] | None:
        try:
            data = self.path.read_bytes()
            meta = json.loads(_header(data)["__metadata__"]["meta"])
            arrays = models.unpack_arrays(data)
        except Exception:  # absent or damaged alike: the fit starts from its beginning
            return None
        return (arrays, meta["meta"]) if meta["origin"] == self.origin else None

    def save(self, arrays: Mapping[str, Any], meta: Mapping[str, Any]) -> None:
        """Keep this state in place of the last; how often is the fit's own choice."""
        said = atomic.encode({"origin": self.origin, "meta": to_plain(meta)}).decode()
        with suppress(OSError):  # as with reports: the fit itself is not in danger
            self.before()
            atomic.write_file(self.path, models.pack_arrays(arrays, {"meta": said}))


def _header(data: bytes) -> dict[str, Any]:
    size = int.from_bytes(data[:8], "little")
    return json.loads(data[8 : 8 + size])
