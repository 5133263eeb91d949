"""R3: small files that would fill the memory, opened as the app opens an upload.

python -m benchmarks.bombs      # each with its seconds and what the process grew by
"""

import gzip
import io
import resource
import sys
import tempfile
import time
import zipfile
import zlib

import psutil
import pyarrow as pa
import pyarrow.parquet as pq

from cacviz.engine.exceptions import CohortError
from cacviz.engine.series.recognising import Looked
from cacviz.jobs.reading import RecordsAsked, look_safely, read_records_safely
from cacviz.store import paths

MEGABYTE = 2**20
SHEET = "xl/worksheets/sheet1.xml"


def zipped(members, level=9):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def parquet(n_rows, n_columns, value, **how):
    """Rows that are all alike take no room in a file."""
    column = pa.DictionaryArray.from_arrays(pa.array([0] * n_rows, pa.int32()), pa.array([value]))
    columns = {f"c{i}": column for i in range(n_columns)}
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer, compression="zstd", **how)
    return buffer.getvalue()


def zeros(megabytes, pack):
    """Megabytes of nothing, packed without ever holding them."""
    packed = zlib.compressobj(9, wbits=31) if pack == "gzip" else zlib.compressobj(9)
    block = b"0," * (MEGABYTE // 2)
    return b"".join(packed.compress(block) for _ in range(megabytes)) + packed.flush()


def sheet(rows, columns):
    row = "<row>" + "<c><v>1</v></c>" * columns + "</row>"
    return f"<worksheet><sheetData>{row * rows}</sheetData></worksheet>"


def book(content):
    return zipped(
        {"[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>", SHEET: content}
    )


def lots_of_laughs():
    """Entities in entities: a spreadsheet's XML that would grow a billion times."""
    lines = ['<!ENTITY a0 "ha">', *(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10))]
    return f"<!DOCTYPE x [{''.join(lines)}]><worksheet><sheetData>&a9;</sheetData></worksheet>"


def bombs():
    """Names and bytes, one at a time."""
    header = b"id,x\n"
    yield "a gigabyte of zeros in gzip.csv.gz", zeros(1000, "gzip")
    yield "a small gzip in a gzip.csv.gz", gzip.compress(zeros(300, "gzip"))
    yield "one line of 180 megabytes.csv", header + b"1," + b"9" * (180 * MEGABYTE)
    yield "a quotation mark that never ends.csv", header + b'1,"' + b"x\n" * (40 * MEGABYTE)
    yield "a million columns.csv", b",".join(b"c%d" % i for i in range(1_000_000)) + b"\n"
    yield "ten million empty lines.csv", header + b"\n" * 10_000_000
    yield "sixty million commas.csv", header + b"," * 60_000_000
    yield "thirty million rows.csv", b"x\n" + b"1\n" * 30_000_000
    yield (
        "thousand columns of many rows.csv",
        b",".join([b"c"] * 1000) + (b"\n" + b"," * 999) * 99_000,
    )
    yield "parquet of one value.parquet", parquet(20_000_000, 2, "x")
    yield "parquet of one long word.parquet", parquet(1_000_000, 2, "x" * 30_000)
    yield "parquet of many columns.parquet", parquet(2_000, 12_000, "x")
    yield "parquet of many rows and columns.parquet", parquet(400_000, 200, "y")
    yield "book of many cells.xlsx", book(sheet(60_000, 1000))
    yield "book of one row.xlsx", book(sheet(1, 3_000_000))
    yield "book of zeros.xlsx", book("0" * (400 * MEGABYTE))
    yield "book that laughs.xlsx", book(lots_of_laughs())
    yield "book in a book.xlsx", zipped({"inner.xlsx": book(sheet(10_000, 1000))})
    yield (
        "zip of a thousand members.zip",
        zipped({f"{i}.csv": "a,b\n" * 50_000 for i in range(1000)}),
    )
    yield "zip of zeros.zip", zipped({"set-a/1.txt": "0" * (500 * MEGABYTE)})


def explode(name, data):
    """Seconds, seconds of the processor, megabytes that this process grew by, what was said."""
    process, worked = psutil.Process(), processor()
    before, began, said = process.memory_info().rss, time.perf_counter(), ""
    try:
        found = look_safely(data, name)
        if isinstance(found, Looked):
            found = read_records_safely(data, name, RecordsAsked())
        said = f"read: {type(found).__name__}"
    except CohortError as error:
        said = str(error)
    grown = (process.memory_info().rss - before) / MEGABYTE
    return time.perf_counter() - began, processor() - worked, grown, said


def processor():
    """Seconds that this process and its children had of the processor."""
    used = [resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def main():
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        paths.use_data_dir(folder)
        for name, data in bombs():
            seconds, worked, grown, said = explode(name, data)
            rows.append((seconds, worked, grown))
            size = len(data) / MEGABYTE
            print(
                f"{name} ({size:.1f} MB): {seconds:.1f} s, {grown:+.0f} MB: {said[:100]}",
                flush=True,
            )
    slowest, worked, most = map(max, zip(*rows, strict=True))
    print(
        f"{len(rows)} bombs: slowest {slowest:.1f} s ({worked:.1f} s of the processor at most), "
        f"process grew by {most:.0f} MB at most"
    )
    return 0 if most <= 300 else 1


if __name__ == "__main__":
    sys.exit(main())
