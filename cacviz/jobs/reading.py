"""Reads files in a child process with limits, so that no file can bring the app down."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
import psutil
import pyarrow as pa

import cacviz
from cacviz.engine.exceptions import CohortError, ConfigError
from cacviz.engine.reading.kinds import shorten
from cacviz.engine.reading.raw import MAX_BYTES
from cacviz.engine.reading.tables import read_table
from cacviz.engine.series.recognising import Looked, look
from cacviz.engine.types import Column, Flow, Layout, Table, Window
from cacviz.store import atomic, paths, unix, wards
from cacviz.store.records import from_plain, to_plain
from cacviz.store.series import pack_series, unpack_series

MAX_SECONDS = 90
MAX_MEMORY = 4 * 2**30
TIMES_DATA = 6  # memory that work with a table takes, of the app and a worker together
MEMORY_VARIABLE = "CACVIZ_READING_MEMORY"  # bytes, where a ward's computer needs another limit
PATIENCE = 0.1  # seconds between two looks at how far the child is
PHASES = ("reading", "joining", "summarising", "saving")
OnPhase = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class RecordsAsked:
    """How records shall be read: where the file has what, the window, and a table to be joined."""

    layout: Layout = field(default_factory=Layout)
    window: Window = field(default_factory=Window)
    static: str | Path | bytes | None = None
    static_name: str = ""
    static_id: str = ""
    missing: tuple[str, ...] = ()  # codes of the joined table
    sheet: str = ""
    variables: tuple[str, ...] = ()  # those of a run that the patients are for


def read_safely(
    source: str | Path | bytes, name: str, *, missing: Sequence[str] = (), sheet: str = ""
) -> Table:
    """As `read_table`, in a child process with limits of memory and time."""
    if isinstance(source, bytes) and len(source) > MAX_BYTES:
        return read_table(source, name)  # refuses before parsing
    found = _read(source, name, {"what": "table", "missing": list(missing), "sheet": sheet})
    assert isinstance(found, Table)
    return found


def look_safely(
    source: str | Path | bytes,
    name: str,
    *,
    missing: Sequence[str] = (),
    sheet: str = "",
    on_phase: OnPhase = lambda phase: None,
) -> Table | Looked:
    """As `read_safely`; of a file that seems to hold records, what was seen of them instead."""
    if isinstance(source, bytes) and len(source) > MAX_BYTES:
        return read_table(source, name)
    request = {"what": "look", "missing": list(missing), "sheet": sheet}
    return _read(source, name, request, on_phase=on_phase)


def read_records_safely(
    source: str | Path | bytes,
    name: str,
    asked: RecordsAsked,
    on_phase: OnPhase = lambda phase: None,
) -> Table:
    """The table of records with its hourly series, read in a child process with limits."""
    request = {
        "what": "records",
        "layout": to_plain(asked.layout),
        "window": to_plain(asked.window),
        "missing": list(asked.missing),
        "sheet": asked.sheet,
        "static_name": asked.static_name,
        "static_id": asked.static_id,
        "variables": list(asked.variables),
    }
    found = _read(source, name, request, static=asked.static, on_phase=on_phase)
    assert isinstance(found, Table)
    return found


@atomic.explained()
def _read(
    source: str | Path | bytes,
    name: str,
    request: dict[str, Any],
    *,
    static: str | Path | bytes | None = None,
    on_phase: OnPhase = lambda phase: None,
) -> Table | Looked:
    with atomic.scratch(paths.data_dir()) as folder:
        request |= {"path": _placed(source, folder / "upload"), "name": name, "folder": str(folder)}
        if static is not None:
            request["static"] = _placed(static, folder / "static")
        reply = _ask_child(request, shorten(name, 80), on_phase)
        if "error" in reply:
            raise CohortError(reply["error"])
        if "looked" in reply:
            return from_plain(Looked, reply["looked"])
        _check_room(shorten(name, 80), folder / "table.arrow")
        return _load_table(reply, folder)


def _check_room(shown: str, file: Path) -> None:
    """Before the app itself holds a table: whether this machine has room to work with it."""
    needed, there = TIMES_DATA * file.stat().st_size, psutil.virtual_memory().available
    if needed > there:
        raise CohortError(
            f"{shown} would need about {needed / 2**30:.1f} GB of memory to work with, and this "
            f"computer has {there / 2**30:.1f} GB free. Leave out columns or rows, or end other "
            "programs."
        )


def _placed(source: str | Path | bytes, path: Path) -> str:
    """Where the child finds a file: uploads are written to the scratch folder."""
    if isinstance(source, (str, Path)):
        wards.only_at_home("opening files by their path")
        return str(Path(source).absolute())
    path.write_bytes(source)
    return str(path)


def _ask_child(request: dict, shown: str, on_phase: OnPhase = lambda phase: None) -> dict:
    """The child's answer; `on_phase` hears how far it is (nothing at first), and may end it by
    raising.
    """
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "cacviz.jobs.reading"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=_environment(),
    ) as child:
        try:
            answer = _follow(child, request, on_phase)
            return json.loads(answer)
        except subprocess.TimeoutExpired as error:
            raise CohortError(
                f"{shown} took longer than {MAX_SECONDS} seconds to read, so reading was stopped. "
                "Save it as CSV or Parquet, or leave out columns or rows."
            ) from error
        except json.JSONDecodeError as error:
            raise CohortError(
                f"{shown} could not be read: it needs more memory than is allowed, or its content "
                "is damaged. Export it again as CSV, or leave out columns or rows."
            ) from error
        finally:
            child.kill()


def _follow(child: subprocess.Popen[bytes], request: dict, on_phase: OnPhase) -> bytes:
    deadline, phase = time.monotonic() + MAX_SECONDS, Path(request["folder"]) / "phase"
    wanted: bytes | None = json.dumps(request).encode()
    while True:
        try:
            return child.communicate(wanted, timeout=PATIENCE)[0]
        except subprocess.TimeoutExpired:
            wanted = None  # it was handed over, or is being so
            if time.monotonic() > deadline:
                raise
        on_phase(phase.read_text() if phase.exists() else "")


def _environment() -> dict[str, str]:
    root = str(Path(cacviz.__file__).parents[1])
    known = os.environ.get("PYTHONPATH")
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    path = os.pathsep.join(filter(None, (root, known)))
    return {**os.environ, **threads, "PYTHONPATH": path}


def _load_table(reply: dict, folder: Path) -> Table:
    with pa.OSFile(str(folder / "table.arrow")) as file:
        frame = pa.ipc.open_file(file).read_all().to_pandas()
    columns = tuple(from_plain(Column, c) for c in reply["columns"])
    flow = from_plain(Flow | None, reply["flow"])
    series = unpack_series((folder / "series").read_bytes()) if flow else None
    notes, sheets = tuple(reply["notes"]), tuple(reply["sheets"])
    return Table(frame, columns, notes, sheets, reply["digest"], series, flow)


def _save_frame(frame: pd.DataFrame, folder: Path) -> None:
    table = pa.Table.from_pandas(frame, preserve_index=False)
    path = str(folder / "table.arrow")
    with pa.OSFile(path, "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


def _answer(request: dict) -> dict:
    folder = Path(request["folder"])
    try:
        found = ANSWERS[request["what"]](request, lambda phase: _say(folder, phase))
        if isinstance(found, Looked):
            return {"looked": to_plain(found)}
        _say(folder, "saving")
        _save_frame(found.frame, folder)
        if found.series is not None:
            (folder / "series").write_bytes(pack_series(found.series))
    except (CohortError, ConfigError) as error:
        return {"error": str(error)}
    said = {
        "columns": to_plain(found.columns),
        "digest": found.digest,
        "flow": to_plain(found.flow),
    }
    return said | {"notes": list(found.notes), "sheets": list(found.sheets)}


def _say(folder: Path, phase: str) -> None:
    atomic.write_file(folder / "phase", phase.encode(), durable=False)


def _table(request: dict, say: OnPhase) -> Table:
    how = {"missing": request["missing"], "sheet": request["sheet"]}
    return read_table(Path(request["path"]), request["name"], **how)


def _look(request: dict, say: OnPhase) -> Table | Looked:
    say("reading")
    how = {"missing": request["missing"], "sheet": request["sheet"]}
    return look(Path(request["path"]), request["name"], **how)


def _records(request: dict, say: OnPhase) -> Table:
    from cacviz.engine.series.aligning import with_variables
    from cacviz.engine.series.joining import with_static
    from cacviz.engine.series.records import read_records
    from cacviz.engine.series.tables import series_table

    say("reading")
    layout, window = from_plain(Layout, request["layout"]), from_plain(Window, request["window"])
    path, sheet = Path(request["path"]), request["sheet"]
    records = read_records(path, request["name"], layout=layout, sheet=sheet)
    if request["variables"]:
        records = with_variables(records, request["variables"])
    if "static" in request:
        say("joining")
        name = request["static_name"] or "the joined table"
        joined = read_table(Path(request["static"]), name, missing=request["missing"])
        records = with_static(records, joined, request["static_id"])
    say("summarising")
    return series_table(records, window)


ANSWERS: dict[str, Callable[[dict, OnPhase], Table | Looked]] = {
    "table": _table,
    "look": _look,
    "records": _records,
}

if __name__ == "__main__":
    unix.limit_reading(int(os.environ.get(MEMORY_VARIABLE, MAX_MEMORY)), MAX_SECONDS)
    json.dump(_answer(json.load(sys.stdin)), sys.stdout)
