"""One small table in every form in which a file can come."""

import gzip
import io

import numpy as np
import pandas as pd

FRAME = pd.DataFrame(
    {"age": [71, 64, 80], "lab": [1.5, np.nan, 0.25], "sex": ["F", "M", "F"], "dead": [0, 1, 0]}
)


def as_parquet(frame, **options):
    out = io.BytesIO()
    frame.to_parquet(out, **options)
    return out.getvalue()


def as_xlsx(frame):
    out = io.BytesIO()
    frame.to_excel(out, index=False)
    return out.getvalue()


CSV = FRAME.to_csv(index=False)
FORMS = {
    "csv": CSV.encode(),
    "crlf": CSV.replace("\n", "\r\n").encode(),
    "old mac": CSV.replace("\n", "\r").encode(),
    "tsv": FRAME.to_csv(index=False, sep="\t").encode(),
    "strokes": FRAME.to_csv(index=False, sep="|").encode(),
    "semicolons": FRAME.to_csv(index=False, sep=";", decimal=",").encode(),
    "excel's hint": b"sep=;\r\n" + FRAME.to_csv(index=False, sep=";").encode(),
    "bom": b"\xef\xbb\xbf" + CSV.encode(),
    "utf-16": CSV.encode("utf-16"),
    "utf-16 without mark": CSV.encode("utf-16-le"),
    "parquet": as_parquet(FRAME),
    "xlsx": as_xlsx(FRAME),
    "csv.gz": gzip.compress(CSV.encode()),
    "csv.gz in two members": gzip.compress(CSV[:20].encode()) + gzip.compress(CSV[20:].encode()),
    "parquet.gz": gzip.compress(as_parquet(FRAME)),
    "xlsx.gz": gzip.compress(as_xlsx(FRAME)),
}
