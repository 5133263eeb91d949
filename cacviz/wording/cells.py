"""Text of users in files that a spreadsheet opens: nothing in it can start a formula."""

from __future__ import annotations

import pandas as pd

# a spreadsheet may pass over blanks and takes the full-width signs for the others
STARTERS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\0")
BLANKS = ("\t", "\r", "\n")


def harmless(value: object) -> object:
    """The value; text that could start a formula is led by an apostrophe. Numbers stay."""
    if not isinstance(value, str):
        return value
    starts = value.lstrip().startswith(STARTERS) or value.startswith(BLANKS)
    return f"'{value}" if starts else value


def safe_csv(frame: pd.DataFrame, *, index: bool = False) -> bytes:
    """CSV whose text cells and headers cannot start a formula; numbers stay as they are."""
    frame = frame.reset_index() if index else frame
    safe = frame.apply(lambda column: column.map(harmless))
    safe.columns = [harmless(str(name)) for name in frame.columns]
    return safe.to_csv(index=False).encode("utf-8-sig")
