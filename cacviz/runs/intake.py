"""Reads files in a child process with limits, so that no file can bring the app down."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import pandas as pd
import pyarrow as pa

import cacviz
from cacviz.engine.exceptions import CohortError
from cacviz.engine.files import MAX_BYTES
from cacviz.engine.kinds import shorten
from cacviz.engine.reading import Table, read_table
from cacviz.engine.types import Column
from cacviz.runs import files, paths

MAX_SECONDS = 90
MAX_MEMORY = 4 * 2**30
MEMORY_VARIABLE = "CACVIZ_READING_MEMORY"  # bytes, where a ward's computer needs another limit


@files.plainly()
def read_safely(
    source: str | Path | bytes, name: str, *, missing: Sequence[str] = (), sheet: str = ""
) -> Table:
    """As `read_table`, in a child process with limits of memory and time."""
    shown = shorten(name, 80)
    with files.scratch(paths.data_dir()) as folder:
        path = folder / "upload"
        if isinstance(source, (str, Path)):
            path = Path(source).absolute()
        elif len(source) > MAX_BYTES:
            return read_table(source, name)  # refuses before parsing
        else:
            path.write_bytes(source)
        how = {"missing": list(missing), "sheet": sheet}
        request = {"path": str(path), "name": name, "how": how, "folder": str(folder)}
        reply = _ask_child(request, shown)
        if "error" in reply:
            raise CohortError(reply["error"])
        columns = tuple(Column(**c) for c in reply["columns"])
        return Table(_load_frame(folder), columns, tuple(reply["notes"]), tuple(reply["sheets"]))


def _ask_child(request: dict, shown: str) -> dict:
    root = str(Path(cacviz.__file__).parents[1])
    known = os.environ.get("PYTHONPATH")
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    environment = {
        **os.environ,
        **threads,
        "PYTHONPATH": os.pathsep.join(filter(None, (root, known))),
    }
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "cacviz.runs.intake"],
            input=json.dumps(request).encode(),
            capture_output=True,
            timeout=MAX_SECONDS,
            env=environment,
            check=False,
        )
        return json.loads(done.stdout)
    except subprocess.TimeoutExpired as error:
        raise CohortError(
            f"{shown} took longer than {MAX_SECONDS} seconds to read, so reading was stopped. "
            "Save it as CSV or Parquet, or leave out columns or rows."
        ) from error
    except json.JSONDecodeError as error:
        raise CohortError(
            f"{shown} could not be read: it needs more memory than is allowed, or its content is "
            "damaged. Export it again as CSV, or leave out columns or rows."
        ) from error


def _load_frame(folder: Path) -> pd.DataFrame:
    with pa.OSFile(str(folder / "table.arrow")) as file:
        return pa.ipc.open_file(file).read_all().to_pandas()


def _save_frame(frame: pd.DataFrame, folder: Path) -> None:
    table = pa.Table.from_pandas(frame, preserve_index=False)
    path = str(folder / "table.arrow")
    with pa.OSFile(path, "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


def limit_self() -> None:
    """Bound this process, for good: memory, time, and no core dump."""
    limits = {
        resource.RLIMIT_AS: int(os.environ.get(MEMORY_VARIABLE, MAX_MEMORY)),
        resource.RLIMIT_CPU: MAX_SECONDS,
        resource.RLIMIT_CORE: 0,  # a core dump would hold patients
    }
    for kind, most in limits.items():
        with suppress(ValueError, OSError):  # macOS refuses to limit memory; the others hold
            resource.setrlimit(kind, (most, most))


def _answer(request: dict) -> dict:
    try:
        table = read_table(Path(request["path"]), request["name"], **request["how"])
        _save_frame(table.frame, Path(request["folder"]))
    except CohortError as error:
        return {"error": str(error)}
    columns = [asdict(c) for c in table.columns]
    return {"columns": columns, "notes": list(table.notes), "sheets": list(table.sheets)}


if __name__ == "__main__":
    limit_self()
    json.dump(_answer(json.load(sys.stdin)), sys.stdout)
