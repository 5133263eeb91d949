"""Ranges told from what a preparation keeps, and units told from values."""

import numpy as np
import pytest

from cacviz.engine.preparation.preparing import Preparation
from cacviz.engine.running.applying.types import FAR, FINE, UNIT, Range
from cacviz.engine.running.applying.units import (
    column_conversion,
    conversion_of,
    flagged,
    ranges_of,
)
from cacviz.engine.types import Column

GLUCOSE = Column("Glucose_first", "number", unit="mg/dL")
USUAL = Range(60.0, 300.0, 120.0)


@pytest.mark.parametrize("scaling", ["standard", "rank"])
def test_the_middle_98_per_cent_is_read_back_from_a_preparation(ward, scaling):
    preparation = Preparation(scaling).fit(ward.frame, ward.columns, ward.y)
    ranges = ranges_of(preparation)
    assert set(ranges) == {"Age", "Creatinine", "Temp"}
    wanted = np.quantile(ward.frame["Age"], [0.01, 0.99, 0.5])
    assert ranges["Age"] == pytest.approx(wanted, abs=1.5)


def test_values_are_fine_far_or_of_another_unit():
    flags = flagged(np.array([120, 310, 6.7, 900, np.nan, -70, 5000]), GLUCOSE, USUAL)
    # 6.7 is not far by itself: the column's own range reaches down to it
    assert flags.tolist() == [FINE, FINE, FINE, UNIT, FINE, FAR, UNIT]


def test_the_named_unit_goes_before_a_slip_of_the_decimal_point():
    assert "mmol/L" in conversion_of(6.7, GLUCOSE, USUAL).units
    assert conversion_of(1200.0, Column("x", "number"), USUAL).times == 0.1
    assert conversion_of(-4.0, GLUCOSE, USUAL) is None


def test_a_whole_column_is_suspect_only_when_most_of_it_is_outside():
    rng = np.random.default_rng(0)
    values = rng.normal(130, 25, 200)
    assert column_conversion(values, GLUCOSE, USUAL) is None
    assert "mmol/L" in column_conversion(values / 18, GLUCOSE, USUAL).units
    assert column_conversion(values[:4] / 18, GLUCOSE, USUAL) is None
    mixed = np.r_[values[:150], values[:50] / 18]
    assert column_conversion(mixed, GLUCOSE, USUAL) is None
