"""What a column's values are: numbers, yes/no, categories, dates or text, told from the values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from cacviz.engine.reading.answers import NO_WORDS, YESNO, is_unknown
from cacviz.engine.reading.dates import parse_dates
from cacviz.engine.types import Kind

# "None" is no missing code: in the diabetes cohort it says that the test was not done.
MISSING = (
    *("", "na", "n/a", "n.a.", "k.a.", "k. a.", "nan", "null", "?", ".", "#n/a", "#value!"),
    *("#div/0!", "#ref!"),
)
EXACT_INTEGER = 2**53  # larger whole numbers lose digits as floats
LARGEST = float(np.finfo(np.float32).max)
_CENSORED = re.compile(r"[<>≤≥]=?\s*([-+]?\d+(?:\.\d+)?)$")
_DECIMAL_COMMA = re.compile(r"[-+]?(?:\d+|\d{1,3}(?:\.\d{3})+)?(?:,\d+)?(?:[eE][-+]?\d+)?$")
_THOUSANDS_COMMA = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$|[-+]?\d+(?:\.\d+)?$")
_THOUSANDS_DOT = re.compile(r"[-+]?\d{1,3}(?:\.\d{3})*$")
MEASURED = 10  # so many different numbers are measurements, and a word among them is none


class Typed(NamedTuple):
    """A column's values in their final form, its kind, and what a reader should know of it."""

    values: pd.Series
    kind: Kind
    note: str = ""
    decimal_comma: bool = False


class Parsed(NamedTuple):
    """Words as numbers, NaN for those that say "not known", and how they were read."""

    numbers: np.ndarray
    note: str = ""
    decimal_comma: bool = False


def as_numbers(values: pd.Series) -> np.ndarray:
    """The values as float64, NaN where there is no number that a measurement could have."""
    if values.dtype == np.float64:
        return bounded(values.to_numpy())
    if pd.api.types.is_datetime64_any_dtype(values):
        return np.full(len(values), np.nan)
    if isinstance(values.dtype, pd.CategoricalDtype):
        values = values.astype(object)
    numbers = pd.to_numeric(values, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    return bounded(numbers)


def bounded(numbers: np.ndarray) -> np.ndarray:
    """NaN where a number is infinite or larger than single precision, and so trees, hold."""
    return np.where(np.abs(numbers) <= LARGEST, numbers, np.nan)


def as_words(values: pd.Series) -> pd.Series:
    """The values as text, missing where they are missing; whole numbers without '.0'."""
    if not pd.api.types.is_numeric_dtype(values):
        return values.astype("str").where(values.notna()).astype("str")
    codes, distinct = pd.factorize(values)
    words = pd.array([word(v) for v in distinct], dtype="str")
    return pd.Series(words.take(codes, allow_fill=True), index=values.index, name=values.name)


def as_yesno(values: pd.Series) -> np.ndarray:
    """0 for the negative of two values, 1 for the other, NaN where missing or neither."""
    words = as_words(values).str.strip().str.lower()
    codes, distinct = pd.factorize(words)
    lookup = np.array([_yesno_code(w) for w in distinct] + [np.nan])
    return lookup[codes]


def _yesno_code(text: str) -> float:
    for pair in YESNO:
        if text in pair:
            return 0.0 if text in NO_WORDS else 1.0
    return np.nan


def word(value: object) -> str:
    """One value as it is shown: 3 and not 3.0."""
    if not isinstance(value, (float, np.floating)):
        return str(value)
    number = float(value)
    whole = number.is_integer() and abs(number) < EXACT_INTEGER
    return str(int(number)) if whole else repr(number)


def shorten(text: object, size: int = 40) -> str:
    """User text that is safe to put in a sentence: one line, of bounded length."""
    line = " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())
    return line if len(line) <= size else line[: size - 1] + "…"


def quoted(names: Sequence[str], most: int = 6) -> str:
    """Column names as a sentence has them: 'a', 'b' and 3 more."""
    shown = [f"'{shorten(n)}'" for n in names[:most]]
    shown += [f"{len(names) - most:,} more"] if len(names) > most else []
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def type_words(
    name: str,
    encoded: pa.DictionaryArray,
    missing: Iterable[str],
    *,
    comma: bool = False,
    dots: bool = False,
) -> Typed:
    """Tell what a column of text holds; `comma`: the file uses commas between values.

    `dots`: other columns have decimal commas, so 1.250 is a thousand and more.
    Everything is decided on distinct values, so that 100,000 rows cost little more than 1,000.
    """
    distinct = pc.utf8_trim_whitespace(encoded.dictionary)
    gone = pc.is_in(pc.utf8_lower(distinct), pa.array(MISSING)).to_numpy(zero_copy_only=False)
    gone |= _is_told_missing(distinct, missing)
    rows = encoded.indices.to_numpy(zero_copy_only=False)
    known = distinct.filter(pa.array(~gone))
    if len(known) == 0:
        return Typed(pd.Series(np.full(len(rows), np.nan), name=name), "number")
    counts = np.bincount(rows, minlength=len(gone))[~gone]
    parsed = _parse_dots(known) if dots else None
    parsed = parsed or _parse_numbers(known, counts, comma) or _parse_measured(known, counts, comma)
    if parsed is not None:
        numbers = np.full(len(gone), np.nan)
        numbers[~gone] = parsed.numbers
        typed = type_numbers(name, numbers[rows])
        note = " ".join(filter(None, (parsed.note, typed.note)))
        return typed._replace(note=note, decimal_comma=parsed.decimal_comma)
    return _type_categories(name, pc.if_else(pa.array(gone), None, distinct), rows, known)


def type_numbers(name: str, numbers: np.ndarray) -> Typed:
    """A column of numbers: whole ones as integers where none is missing, 0/1 as yes/no."""
    note = ""
    if n := int((np.abs(numbers) > LARGEST).sum()):
        numbers = bounded(numbers)
        said = "value was" if n == 1 else "values were"
        note = f"{n:,} infinite or impossibly large {said} taken as missing."
    known = numbers[~np.isnan(numbers)]
    kind: Kind = "number"
    if len(known) and known.min() == 0 and known.max() == 1 and np.isin(known, (0, 1)).all():
        kind = "yesno"
    whole = len(known) == len(numbers) and bool(np.all(np.abs(known) < EXACT_INTEGER))
    if whole and np.array_equal(known, np.floor(known)):
        numbers = numbers.astype(np.int64)
    return Typed(pd.Series(numbers, name=name), kind, note)


def _is_told_missing(distinct: pa.Array, missing: Iterable[str]) -> np.ndarray:
    """-1, -1.0 and ' -1' are the same code."""
    gone = np.zeros(len(distinct), dtype=bool)
    for code in missing:
        gone |= pc.equal(distinct, code).to_numpy(zero_copy_only=False)
        try:
            number = float(code)
        except ValueError:
            continue
        gone |= as_numbers(distinct.to_pandas()) == number
    return gone


def _parse_numbers(known: pa.Array, counts: np.ndarray, comma: bool) -> Parsed | None:
    """The distinct values as numbers with a note, or None where they are not numbers."""
    if _is_code(known):
        return None
    try:
        return Parsed(known.cast(pa.float64()).to_numpy(zero_copy_only=False))
    except pa.ArrowInvalid:
        pass
    words = known.to_pylist()
    numbers = _numbers(words).copy()
    odd = np.isnan(numbers)
    if not odd.any():
        return Parsed(numbers)
    odd_words = [w for w, o in zip(words, odd, strict=True) if o]
    if all("," in w for w in odd_words):
        return _parse_commas(words, comma)
    if counts[odd].sum() <= 0.5 * counts.sum() and all(_CENSORED.match(w) for w in odd_words):
        numbers[odd] = [float(_CENSORED.match(w)[1]) for w in odd_words]  # type: ignore[index]
        return Parsed(numbers, f"values such as {shorten(odd_words[0])} were read as their limit.")
    return None


def _numbers(words: list[str]) -> np.ndarray:
    return pd.to_numeric(pd.Series(words, dtype=object), errors="coerce").to_numpy(float)


def _parse_measured(known: pa.Array, counts: np.ndarray, comma: bool) -> Parsed | None:
    """Measurements with words such as "unknown" or "n.b." among them, which are then missing."""
    gone = np.array([is_unknown(w) for w in known.to_pylist()])
    rest = known.filter(pa.array(~gone))
    if not gone.any() or len(rest) < MEASURED:
        return None
    found = _parse_numbers(rest, counts[~gone], comma)
    if found is None:
        return None
    numbers = np.full(len(known), np.nan)
    numbers[~gone] = found.numbers
    said = shorten(known.filter(pa.array(gone))[0].as_py())
    note = " ".join(filter(None, (found.note, f"{said} was read as missing.")))
    return Parsed(numbers, note, found.decimal_comma)


def _parse_dots(known: pa.Array) -> Parsed | None:
    """Thousands as 1.250, where a dot parts no decimals."""
    words = known.to_pylist()
    dotted = any("." in w for w in words)
    if not dotted or not all(_THOUSANDS_DOT.match(w) for w in words):
        return None
    return Parsed(_numbers([w.replace(".", "") for w in words]), "dots were read as thousands.")


def _parse_commas(words: list[str], comma: bool) -> Parsed | None:
    """Decimal commas (12,5), or thousands (1,250) where commas also part the values."""
    if comma and all(_THOUSANDS_COMMA.match(w) for w in words):
        how, plain = "thousands", [w.replace(",", "") for w in words]
    elif all(_DECIMAL_COMMA.match(w) and any(map(str.isdigit, w)) for w in words):
        how, plain = "decimal", [w.replace(".", "").replace(",", ".") for w in words]
    else:
        return None
    numbers = _numbers(plain)
    if np.isnan(numbers).any():
        return None
    return Parsed(numbers, f"commas were read as {how} commas.", how == "decimal")


def _is_code(known: pa.Array) -> bool:
    """Digits that are names, not quantities: 00123, or more digits than a number can hold."""
    if not pc.all(pc.utf8_is_digit(known)).as_py():
        return False
    lengths = pc.utf8_length(known).to_numpy(zero_copy_only=False)
    zeros = pc.starts_with(known, "0").to_numpy(zero_copy_only=False) & (lengths > 1)
    return bool(lengths.max() > 15 or (zeros.any() and lengths.min() == lengths.max()))


def _type_categories(name: str, distinct: pa.Array, rows: np.ndarray, known: pa.Array) -> Typed:
    words = known.to_pylist()
    dates = parse_dates(words)
    if dates is not None:
        lookup = dict(zip(words, dates, strict=True))
        stamps = pd.to_datetime(pd.Series([lookup.get(w) for w in distinct.to_pylist()]))
        return Typed(stamps.iloc[rows].reset_index(drop=True).rename(name), "date")
    values = distinct.take(pa.array(rows)).to_pandas().astype("str").rename(name)
    kind = _kind_of_words(words, values)
    return Typed(values, kind, _mixed_note(words) if kind == "category" else "")


def _kind_of_words(words: list[str], values: pd.Series) -> Kind:
    if {w.lower() for w in words} in YESNO:
        return "yesno"
    if len(words) > 50 and len(words) > 0.2 * len(values):
        mean_length = sum(map(len, words)) / len(words)
        mean_words = sum(w.count(" ") + 1 for w in words) / len(words)
        if mean_length > 30 and mean_words >= 3:
            return "text"
    return "category"


def _mixed_note(words: list[str]) -> str:
    """A column of numbers with a few words among them deserves a second look."""
    odd = np.isnan(_numbers(words))
    if odd.all() or "," in "".join(words):  # 13,4 is a number too
        odd = np.array([_DECIMAL_COMMA.match(w) is None for w in words])
    if not 0 < odd.sum() <= 0.1 * len(words):
        return ""
    example = shorten(next(w for w, o in zip(words, odd, strict=True) if o))
    others = "1 other value" if odd.sum() == 1 else f"{odd.sum()} other values"
    return (
        f"mostly numbers, but {others} (such as {example}), so "
        "it was read as categories. If those mean missing, name them as missing codes."
    )
