"""Units that stand in a column's name become the column's unit, and nothing else does."""

import pytest

from cacviz.engine.reading.tables import read_table
from cacviz.engine.reading.units import parted, with_units
from cacviz.engine.types import Column


@pytest.mark.parametrize(
    ("name", "label", "unit"),
    [
        ("Lactate (mmol/L)", "Lactate", "mmol/L"),
        ("Age (years)", "Age", "years"),
        ("Platelets [10^9/L]", "Platelets", "10^9/L"),
        ("WBC (×10⁹/L)", "WBC", "×10⁹/L"),
        ("BMI (kg/m2)", "BMI", "kg/m2"),
        ("eGFR_(mL/min/1.73m2)", "eGFR", "mL/min/1.73m2"),
        ("FiO2 (%)", "FiO2", "%"),
        ("Height (m)", "Height", "m"),
        ("ALT (U/L)", "ALT", "U/L"),
        ("Arterial oxygen (PaO2) (mmHg)", "Arterial oxygen (PaO2)", "mmHg"),
    ],
)
def test_a_unit_in_brackets_is_parted_from_the_name(name, label, unit):
    assert parted(name) == (label, unit)


@pytest.mark.parametrize(
    "name",
    ["Arterial oxygen (PaO2)", "Sex (M)", "Score (SOFA)", "Age", "(mmol/L)", "Arm (A/B)", "T (C)"],
)
def test_other_brackets_stay_in_the_name(name):
    assert parted(name) is None


def test_two_columns_are_never_called_alike():
    columns = [Column("Lactate (mg/dL)", "number"), Column("Lactate (mmol/L)", "number")]
    assert [c.title for c in with_units(columns)] == ["Lactate (mg/dL)", "Lactate (mmol/L)"]
    columns = [Column("Weight", "number"), Column("Weight (kg)", "number")]
    assert [c.title for c in with_units(columns)] == ["Weight", "Weight (kg)"]


def test_a_file_that_is_read_has_its_units(tmp_path):
    path = tmp_path / "ward.csv"
    rows = "\n".join(f"{i % 90},{i * 0.7:.1f},{'yes' if i % 3 else 'no'}" for i in range(60))
    path.write_text(f"Age (years),Lactate (mmol/L),Died (yes)\n{rows}\n")
    found = [(c.title, c.unit) for c in read_table(path, path.name).columns]
    assert found == [("Age", "years"), ("Lactate", "mmol/L"), ("Died (yes)", "")]
