"""Patients asked about in blocks of one size, so that nobody's answer hangs on who stands beside.

A matrix product of another number of rows takes other paths through the processor and may round
otherwise in the last bit. Every block has the same number of rows; the last is filled up.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

ROWS = 256


def in_blocks(function: Callable[[np.ndarray], np.ndarray], X: np.ndarray) -> np.ndarray:
    """The function's answer for each row: the same bits for a patient in whichever company."""
    if not len(X):
        return function(X)
    made = []
    for first in range(0, len(X), ROWS):
        block = X[first : first + ROWS]
        n = len(block)
        if n < ROWS:
            block = np.concatenate([block, np.repeat(block[-1:], ROWS - n, axis=0)])
        made.append(np.asarray(function(block))[:n])
    return np.concatenate(made)
