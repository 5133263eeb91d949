"""A name for a table's content that is the same on every machine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

import numpy as np
import pandas as pd

from cacviz.engine.types import Series


def table_digest(frame: pd.DataFrame) -> str:
    """sha256 of names and values; the same on every machine."""
    digest = hashlib.sha256(json.dumps([len(frame), *map(str, frame.columns)]).encode())
    for name in frame.columns:
        for part in _bytes_of(frame[name]):
            digest.update(part)
    return digest.hexdigest()


def _bytes_of(values: pd.Series) -> Iterator[bytes]:
    if pd.api.types.is_numeric_dtype(values):
        numbers = values.to_numpy(dtype="<f8", na_value=np.nan) + 0.0  # -0.0 is 0.0
        numbers[np.isnan(numbers)] = np.nan  # one bit pattern for missing
        yield numbers.tobytes()
        return
    codes, distinct = pd.factorize(values)
    yield codes.astype("<i4").tobytes()
    for value in distinct:
        text = str(value).encode("utf-8", "surrogatepass")
        yield len(text).to_bytes(4, "little") + text


def series_digest(table: str, series: Series) -> str:
    """sha256 of a table's digest and the hourly series beside it."""
    digest = hashlib.sha256(json.dumps([table, *series.variables, *series.values.shape]).encode())
    values = series.values + np.float32(0)
    values[np.isnan(values)] = np.nan
    digest.update(values.astype("<f4", copy=False).tobytes())
    digest.update(np.packbits(series.measured).tobytes())
    return digest.hexdigest()
