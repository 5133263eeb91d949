"""Values far from what training patients had, and units that they may have been written in."""

from __future__ import annotations

import re

import numpy as np

from cacviz.engine.preparation.preparing import FAR_SPANS, Preparation
from cacviz.engine.running.applying.types import FAR, FINE, UNIT, Conversion, Range
from cacviz.engine.types import Column

BEYOND = 0.5  # spans of the middle 98% outside it: then a value is far outside
MOST = 0.5  # of the values outside the middle 98%: then the whole column is suspect
AGREE = 0.8  # of the values inside it once converted: then the unit is the likely reason
ENOUGH = 5  # values to tell a unit by
Z98 = 2.3263  # normal quantile of 99%

# what a column is called · how many of the second unit make one of the first · both units
PAIRS: tuple[tuple[str, float, str, str], ...] = (
    (r"creat", 88.42, "mg/dL", "µmol/L"),
    (r"gluc", 1 / 18.016, "mg/dL", "mmol/L"),
    (r"bili", 17.1, "mg/dL", "µmol/L"),
    (r"chol|\bldl|\bhdl", 1 / 38.67, "mg/dL", "mmol/L"),
    (r"trigly", 1 / 88.57, "mg/dL", "mmol/L"),
    (r"lact", 9.008, "mmol/L", "mg/dL"),
    (r"\bbun\b|urea", 0.357, "mg/dL", "mmol/L"),
    (r"uric", 59.48, "mg/dL", "µmol/L"),
    (r"calci|\bca\b", 0.2495, "mg/dL", "mmol/L"),
    (r"magnes|\bmg\b", 0.4114, "mg/dL", "mmol/L"),
    (r"phosph", 0.3229, "mg/dL", "mmol/L"),
    (r"h(a)?emoglobin|\bhb\b|\bhgb\b", 10.0, "g/dL", "g/L"),
    (r"album|protein", 10.0, "g/dL", "g/L"),
    (r"crp|c.reactive", 0.1, "mg/L", "mg/dL"),
    (r"weight|\bwt\b", 2.2046, "kg", "lb"),
    (r"height|waist|\bhip\b|circumference", 1 / 2.54, "cm", "inches"),
    (r"height", 0.01, "cm", "m"),
    (r"pa?c?o2|pressure|\bsbp|\bdbp|\bmap\b|sysabp|diasabp", 0.13332, "mmHg", "kPa"),
    (r"fio2|sat|\bspo2|percent|ratio|share|fraction|%", 0.01, "%", "a share of 1"),
    (r"\bage\b", 12.0, "years", "months"),
    (r"\bage\b", 365.25, "years", "days"),
)
TEMPERATURES = (
    Conversion(5 / 9, -160 / 9, "°F instead of °C"),
    Conversion(1.8, 32, "°C instead of °F"),
)
SLIPS = tuple(Conversion(t) for t in (0.1, 10, 0.01, 100, 0.001, 1000))


def ranges_of(preparation: Preparation) -> dict[str, Range]:
    """What the middle 98% of training patients had, by column of numbers.

    Told from what the preparation keeps: its limits lie a known number of spans outside.
    """
    arrays, found = preparation.arrays_, {}
    for i, entry in enumerate(preparation.plan_):
        if entry["kind"] != "number":
            continue
        part = slice(arrays["ends"][i], arrays["ends"][i + 1])
        knots, scores = arrays["knots"][part], arrays["scores"][part]
        if len(knots):
            low, median, high = np.interp([-Z98, 0.0, Z98], scores, knots)
        else:
            span = (arrays["high"][i] - arrays["low"][i]) / (1 + 2 * FAR_SPANS)
            low, high = arrays["low"][i] + FAR_SPANS * span, arrays["high"][i] - FAR_SPANS * span
            median = arrays["fill"][i] * arrays["scale"][i] + arrays["mean"][i]
        found[entry["source"]] = Range(float(low), float(high), float(median))
    return found


def conversions_of(column: Column) -> list[Conversion]:
    """Other units that such a column comes in, the likeliest first."""
    words = re.sub(r"[_\W]+", " ", f"{column.name} {column.label}").casefold()
    found = list(TEMPERATURES) if re.search(r"temp", words) else []
    for pattern, factor, first, second in PAIRS:
        if re.search(pattern, words):
            found.append(Conversion(1 / factor, 0.0, f"{second} instead of {first}"))
            found.append(Conversion(factor, 0.0, f"{first} instead of {second}"))
    return found + list(SLIPS)


def flagged(values: np.ndarray, column: Column, usual: Range) -> np.ndarray:
    """FINE, FAR or UNIT for each value; those that are not known are fine."""
    flags = np.full(len(values), FINE, dtype=np.int8)
    with np.errstate(invalid="ignore"):
        far = (values < usual.low - BEYOND * usual.span) | (
            values > usual.high + BEYOND * usual.span
        )
    flags[far] = FAR
    for conversion in conversions_of(column):
        flags[far & _inside(conversion(values), usual)] = UNIT
    return flags


def conversion_of(value: float, column: Column, usual: Range) -> Conversion | None:
    """The unit that one value far outside was likely written in, the nearest to the middle."""
    fitting = [c for c in conversions_of(column) if _inside(np.array([c(value)]), usual)[0]]
    named = [c for c in fitting if c.units] or fitting
    return min(named, key=lambda c: abs(c(value) - usual.median), default=None)


def column_conversion(values: np.ndarray, column: Column, usual: Range) -> Conversion | None:
    """The unit that a whole column was likely written in, where most of it lies outside."""
    known = values[~np.isnan(values)]
    if len(known) < ENOUGH or np.mean(~_inside(known, usual)) <= MOST:
        return None
    fitting = [c for c in conversions_of(column) if np.mean(_inside(c(known), usual)) >= AGREE]
    middle = float(np.median(known))
    return min(fitting, key=lambda c: (not c.units, abs(c(middle) - usual.median)), default=None)


def _inside(values: np.ndarray, usual: Range) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return (values >= usual.low) & (values <= usual.high)
