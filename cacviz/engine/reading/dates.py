"""Dates in columns of words."""

from __future__ import annotations

import re

import pandas as pd

_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[ T]\d{1,2}:\d{2}.*)?$")
_NO_DATE = r"(9999|0000)[-/.](99|12|00)[-/.](99|31|00)|(99|31|00)[-/.](99|12|00)[-/.](9999|0000)"
_DATE_FORMATS = (
    *("ISO8601", "%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y"),
    *("%m-%d-%Y", "%d.%m.%y", "%d/%m/%y", "%m/%d/%y"),
)


def parse_dates(words: list[str]) -> pd.Series | None:
    """Dates in one of the usual forms, the same for the whole column."""
    if not all(_DATE.match(w) for w in words):
        return None
    texts = pd.Series([None if re.match(_NO_DATE, w) else w for w in words], dtype="str")
    for form in _DATE_FORMATS:
        suffixes = ("",) if form == "ISO8601" else ("", " %H:%M", " %H:%M:%S")
        for suffix in suffixes:
            try:
                return pd.to_datetime(texts, format=form + suffix).dt.tz_localize(None)
            except (ValueError, OverflowError):
                continue
    return None
