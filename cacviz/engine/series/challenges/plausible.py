"""What values of the 2012 challenge can be: slips of unit put right, the impossible left out.

The limits follow A. Johnson's public preparation of that challenge (alistairewj/challenge2012),
whose columns the paper's table has; temperatures of 25 to 45 °C and heights of 100 to 250 cm are
kept, and an inch is 2.54 cm. A value strictly between `low` and `high` becomes factor × value +
shift; without a factor it was no measurement. Each rule sees what the ones before it left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

GONE = np.nan
_END = np.inf


class Rule(NamedTuple):
    """Values of a variable between two limits (neither belongs to it), and what they mean."""

    variable: str
    low: float
    high: float
    factor: float = GONE
    shift: float = 0.0


_PRESSURES = ("DiasABP", "SysABP", "MAP", "NIDiasABP", "NISysABP", "NIMAP")
RULES = (
    *(Rule(v, -_END, 1) for v in (*_PRESSURES, "HR", "RespRate", "WBC", "PaCO2", "PaO2")),
    Rule("DiasABP", 200, _END),
    Rule("HR", 299, _END),
    Rule("PaCO2", -_END, 10, 10),  # a decimal point too early
    Rule("PaO2", -_END, 20, 10),
    Rule("pH", 0.65, 0.8, 10),
    Rule("pH", 65, 80, 0.1),
    Rule("pH", 650, 800, 0.01),
    Rule("pH", -_END, 6.5),
    Rule("pH", 8, _END),
    Rule("Temp", 1, 10, 9 / 5, 32),  # °C taken for °F and converted: turned back
    Rule("Temp", 95, 113, 5 / 9, -160 / 9),  # °F
    Rule("Temp", -_END, 25),
    Rule("Temp", 45, _END),
    Rule("Weight", -_END, 35),  # kg, of adults
    Rule("Weight", 299, _END),
)
ADMISSION_RULES = (
    *(Rule(v, -_END, 0) for v in ("Age", "Gender", "Height", "ICUType")),  # -1 is missing
    Rule("Height", 1000, _END, 0.1),  # mm
    Rule("Height", 250, 1000.5, 0.3937),  # cm taken for inches and converted: turned back
    Rule("Height", 24.99, 100, 2.54),  # inches
    Rule("Height", 9.99, 25, 10),  # a decimal point too early
    Rule("Height", 0, 2.5, 100),  # m
    Rule("Height", -_END, 100),
    Rule("Height", 250, _END),
    Rule("Weight", -_END, 35),
    Rule("Weight", 299, _END),
)


def put_right(variable: str, values: np.ndarray, rules: Sequence[Rule] = RULES) -> np.ndarray:
    """The values after the rules of this variable, NaN where they were no measurement."""
    for rule in rules:
        if rule.variable != variable:
            continue
        inside = (values > rule.low) & (values < rule.high)
        if inside.any():
            values = np.where(inside, rule.factor * values + rule.shift, values)
    return values
