"""How fast records are read, and how well their summaries agree with the given static tables.

    python -m benchmarks.series_reading [--csv]

Seconds are wall time of one thread, the file already in the system's cache: the best of three.
Agreement is the share of equal cells (to six digits), over all patients and columns of the given
table; each cell that differs is put under the reason that explains it.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import resource
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from cacviz.engine.reading.tables import read_table
from cacviz.engine.series.challenges.plausible import put_right
from cacviz.engine.series.joining import with_static
from cacviz.engine.series.records import read_records
from cacviz.engine.series.tables import series_table
from cacviz.engine.types import Window

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
ICU, SEPSIS = SHARED / "physionet2012", SHARED / "sepsis2019"


def best(call, repeats=3):
    """The result of a call, and its shortest time."""
    seconds, found = [], None
    for _ in range(repeats):
        began = time.perf_counter()
        found = call()
        seconds.append(time.perf_counter() - began)
    return found, min(seconds)


def print_speed(name, source):
    records, seconds = best(lambda: read_records(source))
    n = len(records.values)
    print(
        f"{name:34s} {seconds:6.2f} s  {len(records.ids):6,} patients {n:9,} records "
        f"{n / seconds:12,.0f} records/s"
    )


def speed(with_csv):
    print_speed("200 raw files of 2012", ICU / "raw-sample")
    print_speed("200 raw files of 2019", SEPSIS / "raw-sample")
    print_speed("long Parquet of set a", ICU / "p12_set-a_long.parquet")
    print_speed("hourly Parquet of Sepsis A", SEPSIS / "p19_setA_hourly.parquet")
    if with_csv:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "long.csv"
            pd.read_parquet(ICU / "p12_set-a_long.parquet").to_csv(path, index=False)
            print_speed(f"the same as CSV ({path.stat().st_size / 2**20:.0f} MB)", path)


def compared(made, given, key):
    """Cells that differ, as (patient, column, here, there), and how many there are in all."""
    made, given = made.set_index(key), given.set_index(key)
    rows = given.index.intersection(made.index)
    one, other = made.loc[rows, given.columns].astype(float), given.loc[rows].astype(float)
    differs = ~np.isclose(one, other, rtol=1e-5, atol=1e-9, equal_nan=True)
    cells = [
        (rows[i], given.columns[j], one.iat[i, j], other.iat[i, j]) for i, j in np.argwhere(differs)
    ]
    return cells, differs.size, len(given) - len(rows)


def print_agreement(name, cells, size, absent, why):
    n = size - len(cells)
    print(f"\n{name}: {n:,} of {size:,} cells equal ({n / size:.4%}), {absent} patients absent")
    reasons = [why(*cell) for cell in cells]
    for reason in dict.fromkeys(reasons):
        some = [c for c, r in zip(cells, reasons, strict=True) if r == reason]
        patient, column, here, there = some[0]
        example = f"{patient} {column} {here:g} here, {there:g} there"
        print(f"  {len(some):3d} {reason}; such as {example}")


def explained(rows, column, here, there):
    """Why a summary differs, looked up in the records of that patient and variable."""
    variable, _, statistic = column.partition("_")
    rows = rows.assign(right=put_right(variable, rows["Value"].to_numpy())).dropna()
    if statistic == "median":
        once = rows.drop_duplicates(["minutes", "right"])["right"].median()
        if np.isclose(rows["right"].median(), there) and np.isclose(once, here):
            return "a temperature noted twice at one instant, °C and mistaken for °F: once here"
    instant = rows["minutes"].max() if statistic == "last" else rows["minutes"].min()
    values = rows.loc[rows["minutes"] == instant, "right"]
    end = values.min() if statistic == "first" else values.max()
    if np.isclose(values, there).any() and np.isclose(end, here):
        return "two values at one instant: the file's order there, the size here"
    return "NOT EXPLAINED"


def icu_agreement(letter):
    long = ICU / f"p12_set-{letter}_long.parquet"
    outcomes = read_table(ICU / f"p12_set-{letter}_outcomes.csv", "outcomes", missing=["-1"])
    records = with_static(read_records(long), outcomes)
    table, seconds = best(lambda: series_table(records, Window(48, keep_empty=True), "paper"))
    given = pd.read_csv(ICU / f"p12_set-{letter}_static.csv.gz")
    raw = pd.read_parquet(long).set_index(["RecordID", "Parameter"]).sort_index()

    def why(patient, column, here, there):
        if column == "Survival":
            return "a negative survival, which is missing there and stays unless it is -1 here"
        return explained(raw.loc[(patient, column.partition("_")[0])], column, here, there)

    print_agreement(f"set {letter}, 48 h", *compared(table.frame, given, "RecordID"), why)
    print_table(table, seconds)
    without = series_table(records, Window(48), "paper")
    print(f"  flow where empty stays are left out: {without.flow.exclusions}")


def sepsis_agreement():
    records = read_records(SEPSIS / "p19_setA_hourly.parquet")
    table, seconds = best(lambda: series_table(records, Window(24), "paper"))
    given = pd.read_csv(SEPSIS / "p19_setA_static24h.csv.gz")
    here = {"_min": "_lowest", "_max": "_highest"}
    names = {c: c[:-4] + here[c[-4:]] for c in given if c[-4:] in here} | {"sepsis": "SepsisLabel"}
    given = given.drop(columns="n_hours").rename(columns=names)  # n_hours leaks, and is no feature
    cells = compared(table.frame, given, "patient")
    print_agreement("Sepsis A, 24 h", *cells, lambda *_: "NOT EXPLAINED")
    print_table(table, seconds)
    for e in table.flow.exclusions:
        print(f"  left out: {e.reason} {e.n_patients:,}")


def print_table(table, seconds):
    series = table.series
    size = sum(a.nbytes for a in (series.values, series.measured, series.since)) / 2**20
    print(
        f"  summaries ({table.frame.shape[1]} columns) and series {series.values.shape} in "
        f"{seconds:.2f} s; the series take {size:.0f} MB"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--csv", action="store_true", help="read the long table as CSV, too")
    asked = parser.parse_args()
    if not SHARED.is_dir():
        raise SystemExit(f"{SHARED} is not at hand")
    speed(asked.csv)
    for letter in "ab":
        icu_agreement(letter)
    sepsis_agreement()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    print(f"\nmost memory at any time {peak:,.0f} MB")


if __name__ == "__main__":
    main()
