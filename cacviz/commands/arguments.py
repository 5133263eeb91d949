"""Types of command-line arguments; a value outside its range is refused before any work."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from pathlib import Path

LARGEST_SEED = 2**32 - 1  # as NumPy's
LARGEST_PORT = 2**16 - 1


def whole(low: int, high: int | None = None) -> Callable[[str], int]:
    """A whole number in a range."""
    return lambda text: int(_within(text, int, low, high))


def number(low: float, high: float | None = None) -> Callable[[str], float]:
    """A finite number in a range."""
    return lambda text: _within(text, float, low, high)


def numbers(text: str) -> tuple[float, ...]:
    """Numbers with commas between them."""
    try:
        found = tuple(float(part) for part in text.split(",") if part.strip())
        if all(map(math.isfinite, found)):
            return found
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"'{text}' is not a list of numbers such as 7,13")


def words(text: str) -> list[str]:
    """Words with commas between them."""
    return [part.strip() for part in text.split(",") if part.strip()]


def file_to_write(text: str) -> Path:
    """A file in a folder that is there."""
    path = Path(text)
    if not path.absolute().parent.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder '{path.parent}' to write to")
    return path


def _within(
    text: str, kind: type[int] | type[float], low: float, high: float | None
) -> int | float:
    room = f"of {low} or more" if high is None else f"from {low} to {high}"
    try:
        found = kind(text)
        if math.isfinite(found) and low <= found and (high is None or found <= high):
            return found
    except ValueError:
        pass
    what = "a whole number" if kind is int else "a number"
    raise argparse.ArgumentTypeError(f"'{text}' is not {what} {room}")
