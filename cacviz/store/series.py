"""Hourly series on disk: what was measured and when; what is carried forward is made on reading.

tables/<digest>.series      safetensors: a bit a cell, and the values of the measured cells
"""

from __future__ import annotations

import json

import numpy as np

from cacviz.engine.series.hourly import carried
from cacviz.engine.types import Series
from cacviz.store import atomic, models

_WRONG = "The hourly records of this cohort cannot be read. Open the file again."


def pack_series(series: Series) -> bytes:
    """The measured values alone: most hours of most variables have none."""
    return models.pack_arrays(
        {
            "shape": np.array(series.values.shape, dtype=np.int64),
            "variables": np.frombuffer(json.dumps(series.variables).encode(), dtype=np.uint8),
            "measured": np.packbits(series.measured),
            "values": series.values[series.measured],
        }
    )


def unpack_series(data: bytes) -> Series:
    """The series as it was kept, carried forward again."""
    try:
        arrays = models.unpack_arrays(data)
        shape = tuple(int(n) for n in arrays["shape"])
        variables = tuple(map(str, json.loads(arrays["variables"].tobytes())))
        n_cells = int(np.prod(shape, dtype=np.int64))
        measured = np.unpackbits(arrays["measured"], count=n_cells).astype(bool).reshape(shape)
        values = np.full(shape, np.nan, dtype=np.float32)
        values[measured] = arrays["values"]
        if len(variables) != shape[2]:
            raise ValueError("a name for each variable")
    except Exception as error:  # whatever a damaged file makes a parser raise
        raise atomic.StoreError(_WRONG) from error
    return Series(variables, *carried(values, measured))
