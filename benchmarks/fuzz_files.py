"""Feeds damaged files to the reader and counts what comes back: TRUST.md, R1.

    python benchmarks/fuzz_files.py [--files 20000] [--seed 0]

Every file must give a table or a CohortError. The files are read in worker processes, each with
the limits of the app's own reading process, so that a crash is counted and not suffered.
"""

from __future__ import annotations

import argparse
import collections
import gzip
import io
import json
import subprocess
import sys
import time
import traceback
import zipfile
import zlib

import numpy as np
import pandas as pd
import pyarrow as pa

from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.tables import read_table
from cacviz.jobs.reading import MAX_MEMORY, MAX_SECONDS
from cacviz.store.unix import limit_reading

EXTENSIONS = ("csv", "tsv", "xlsx", "parquet", "csv.gz", "txt", "")
LETTERS = [
    b"\x00",
    b"\xff",
    b'"',
    b",",
    b";",
    b"\n",
    b"\r",
    b"\t",
    b"'",
    b"\xef\xbb\xbf",
    b"=",
    b"\\",
]


def sound_files() -> list[bytes]:
    """Whole files of every form and encoding, small enough to damage by the thousand."""
    rng = np.random.default_rng(0)
    n = 60
    frame = pd.DataFrame(
        {
            "id": np.arange(n),
            "age": rng.integers(18, 95, n),
            "lab": np.where(rng.random(n) < 0.2, np.nan, rng.lognormal(size=n)),
            "größe": rng.normal(170, 10, n).round(1),
            "sex": rng.choice(["M", "F"], n),
            "admitted": pd.date_range("2020-01-01", periods=n),
            "note": [f"patient {i}, came by foot\nand left" for i in range(n)],
            "death": rng.random(n) < 0.3,
        }
    )
    csv = frame.to_csv(index=False)
    semicolons = frame.to_csv(index=False, sep=";", decimal=",")
    texts = [csv.encode(), frame.to_csv(index=False, sep="\t").encode(), semicolons.encode()]
    texts += [csv.encode("utf-16"), semicolons.encode("latin-1"), b"\xef\xbb\xbf" + csv.encode()]
    sheet, parquet, zipped = io.BytesIO(), io.BytesIO(), io.BytesIO()
    frame.to_excel(sheet, index=False)
    frame.to_parquet(parquet)
    frame.astype("str").astype("category").to_parquet(zipped, compression="gzip")
    binary = [sheet.getvalue(), parquet.getvalue(), zipped.getvalue()]
    return [*texts, *binary, gzip.compress(csv.encode()), gzip.compress(parquet.getvalue())]


def damaged(bases: list[bytes], seed: int, number: int) -> tuple[bytes, str]:
    """The file of that number: a sound one after one to four kinds of harm."""
    rng = np.random.default_rng([seed, number])
    data = bytearray(bases[number % len(bases)])
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        data = HARMS[rng.integers(len(HARMS))](data, rng, bases)
    return bytes(data), f"cohort.{EXTENSIONS[rng.integers(len(EXTENSIONS))]}"


def _flip(data, rng, bases):
    for place in rng.integers(0, max(len(data), 1), min(len(data), int(rng.integers(1, 30)))):
        data[place] = rng.integers(256)
    return data


def _cut(data, rng, bases):
    return data[: len(data) * int(rng.integers(65)) // 64]


def _put(data, rng, bases):
    place, letter = int(rng.integers(len(data) + 1)), LETTERS[rng.integers(len(LETTERS))]
    return data[:place] + letter * int(rng.choice([1, 2, 50, 5_000])) + data[place:]


def _repeat(data, rng, bases):
    a, b = sorted(rng.integers(0, len(data) + 1, 2))
    return data[:b] + data[a:b] * int(rng.choice([1, 3, 20])) + data[b:]


def _drop(data, rng, bases):
    a, b = sorted(rng.integers(0, len(data) + 1, 2))
    return data[:a] + data[b:]


def _splice(data, rng, bases):
    other = bases[rng.integers(len(bases))]
    return data[: int(rng.integers(len(data) + 1))] + other[int(rng.integers(len(other))) :]


def _header(data, rng, bases):
    names = [b"", b"age", b"a" * 70_000, b"x," * 300, b"x;" * 12_000, b'"', b"![a](http://x/y.png)"]
    return bytearray(names[rng.integers(len(names))]) + b"," + data


def _line(data, rng, bases):
    lines = data.split(b"\n")
    rng.shuffle(lines)
    return bytearray(b"\n".join(lines[: int(rng.integers(len(lines) + 1))]))


def _big(data, rng, bases):
    words = [
        b"1e308",
        b"-1e400",
        b"inf",
        b"99999999999999999999",
        b"0x1F",
        b"1_000",
        b"12,5",
        b"None",
    ]
    return data.replace(b"1", words[rng.integers(len(words))], int(rng.integers(1, 50)))


HARMS = (_flip, _flip, _cut, _cut, _put, _repeat, _drop, _splice, _header, _line, _big)


def work(seed: int, start: int, stop: int) -> None:
    """Read the files of these numbers, a line of JSON for each."""
    limit_reading(MAX_MEMORY, MAX_SECONDS)
    bases = sound_files()
    for number in range(start, stop):
        data, name = damaged(bases, seed, number)
        print(json.dumps({"number": number}), flush=True)
        began = time.perf_counter()
        result, text = read_one(data, name)
        took = time.perf_counter() - began
        row = {"number": number, "result": result, "text": text, "seconds": took}
        print(json.dumps(row), flush=True)


def read_one(data: bytes, name: str) -> tuple[str, str]:
    try:
        table = read_table(data, name)
        if not len(table.frame) or table.frame.shape[1] != len(table.columns):
            return "other", "a table without patients or with columns that do not match"
    except CohortError as error:
        return ("slip" if is_slip(error) else "CohortError"), str(error)
    except BaseException as error:
        return "other", f"{type(error).__name__}: {error}"
    return "table", ""


def is_slip(error: CohortError) -> bool:
    """Our own code, not a parser, ran into it: 'a damaged file' would be a lie."""
    frames = traceback.extract_tb(error.__cause__.__traceback__) if error.__cause__ else []
    parsed = (zipfile.BadZipFile, zlib.error, UnicodeDecodeError, MemoryError, pa.ArrowException)
    ours = any(f.name == "_typed" for f in frames)  # after parsing, all is ours
    ours |= bool(frames) and "cacviz" in frames[-1].filename
    return ours and not isinstance(error.__cause__, parsed)


def run(n_files: int, seed: int) -> list[dict]:
    """All results; after a worker's death the next one goes on behind the deadly file."""
    rows, start = [], 0
    while start < n_files:
        stop = min(start + 1_000, n_files)
        command = [sys.executable, __file__, "--work", str(start), str(stop), "--seed", str(seed)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        rows += [line for line in lines if "result" in line]
        if done.returncode == 0:
            start = stop
            continue
        if not lines:
            raise SystemExit(f"a worker did not start:\n{done.stderr}")
        start = lines[-1]["number"] + 1
        why = f"exit {done.returncode} {done.stderr[-200:]}"
        rows.append({"number": start - 1, "result": "death", "text": why, "seconds": 0.0})
    return rows


def report(rows: list[dict]) -> bool:
    counts = collections.Counter(r["result"] for r in rows)
    seconds = np.array([r["seconds"] for r in rows])
    print(f"files {len(rows):,}")
    for result in ("table", "CohortError", "slip", "other", "death"):
        print(f"{result:12} {counts[result]:,}")
    print(f"p50 {np.median(seconds):.4f} s  p99 {np.quantile(seconds, 0.99):.3f} s")
    print(f"longest {seconds.max():.3f} s")
    for row in [r for r in rows if r["result"] in ("slip", "other", "death")][:20]:
        print(f"  file {row['number']}: {row['result']}: {row['text'][:300]}")
    return not (counts["slip"] or counts["other"] or counts["death"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--work", type=int, nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.seed, *options.work)
        return 0
    return 0 if report(run(options.files, options.seed)) else 1


if __name__ == "__main__":
    sys.exit(main())
