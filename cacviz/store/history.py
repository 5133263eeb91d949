"""Rows that a job writes as it goes: a line each, whole or not there."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from cacviz.store import atomic

HISTORY = "history.jsonl"
UNITS = ("epoch", "round", "step")


def read_history(folder: Path) -> list[dict[str, Any]]:
    """Rows of history so far; of a step done twice (resumed in between), the later one."""
    rows: dict[Any, dict[str, Any]] = {}
    for number, row in enumerate(read_rows(folder)):
        step = next((row[unit] for unit in UNITS if unit in row), None)
        rows[(row.get("phase"), step) if step is not None else number] = row
    return list(rows.values())


def read_rows(folder: Path) -> list[dict[str, Any]]:
    """Every row as it was written, without lines cut off by a crash."""
    rows = []
    with suppress(OSError):
        for line in (folder / HISTORY).read_bytes().splitlines():
            with suppress(ValueError):
                rows.append(atomic.decode(line))
    return [row for row in rows if isinstance(row, dict)]


def append_rows(folder: Path, data: bytes) -> None:
    """Add all of `data` or nothing."""
    descriptor = os.open(folder / HISTORY, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    before = os.fstat(descriptor).st_size
    try:
        atomic.write(descriptor, data)
    except OSError:
        os.ftruncate(descriptor, before)
        raise
    finally:
        os.close(descriptor)


def end_torn_line(folder: Path) -> None:
    """After a crash in the middle of a line, begin the next one on its own."""
    with suppress(OSError):
        if not (folder / HISTORY).read_bytes().endswith(b"\n"):
            append_rows(folder, b"\n")
