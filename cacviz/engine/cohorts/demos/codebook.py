"""The demo cohort as data: what each column is, how each subtype looks, and what drives its risk.

Everything here is invented. Scales follow the tables of the paper and of PhysioNet/CinC 2012.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cacviz.engine.types import Column, Kind, Role


class Subtype(NamedTuple):
    """A planted subtype: its share of patients, how many die, and how ventilation and stay go."""

    name: str
    share: float
    death_rate: float
    ventilated: float
    ventilated_minutes: float
    stay_days: float  # the median of those who were not ventilated
    icu_types: tuple[float, ...]  # shares, in the order of ICU_TYPES


class Measure(NamedTuple):
    """A measured feature; `location` and `spread` are per subtype, of the logarithm if `log`."""

    name: str
    label: str
    unit: str
    meaning: str
    low: float
    high: float
    decimals: int
    location: tuple[float, float, float]  # on the measured scale: the mean, or the median if `log`
    spread: tuple[float, float, float]
    log: bool = False
    loads: Mapping[str, float] = {}  # share of the physiological factors in the value
    missing: tuple[float, float, float] = (0.01, 0.01, 0.01)
    panel: str = ""  # measured together with the others of this name


class Plain(NamedTuple):
    """A column that is not one measured number: how it came about is in `demo.py`."""

    name: str
    label: str
    unit: str
    meaning: str
    kind: Kind
    role: Role


ICU_TYPES = ("Coronary care", "Cardiac surgery recovery", "Medical", "Surgical")

SUBTYPES = (
    Subtype("Older cardiac and renal", 0.40, 0.15, 0.15, 1100, 6.5, (0.42, 0.06, 0.46, 0.06)),
    Subtype("Post-operative, ventilated", 0.33, 0.13, 0.95, 1900, 8.5, (0.04, 0.46, 0.08, 0.42)),
    Subtype("Septic and metabolic", 0.27, 0.23, 0.40, 1600, 9.0, (0.05, 0.05, 0.70, 0.20)),
)

# Change of the log odds of death for one standard deviation within the subtype. WBC and
# temperature work in opposite directions in two subtypes, so that one model for all is blind.
RISK_FACTORS: tuple[Mapping[str, float], ...] = (
    {"BUN_last": 1.2, "K_last": 1.0, "WBC_last": 1.2, "Age": 0.8},
    {"GCS_median": -1.2, "Temp_median": 1.5, "HCT_last": -1.0, "Age": 0.8},
    {"Lactate_last": 1.2, "Temp_median": -1.5, "WBC_last": -1.2, "Age": 0.8},
)

GAS = (0.55, 0.05, 0.20)
LIVER = (0.60, 0.65, 0.25)

MEASURES = (
    Measure("Age", "Age", "years", "at admission; 90 stands for 90 and over", 18, 90, 0,
            (75, 65, 61), (8, 11, 13), missing=(0, 0, 0)),
    Measure("Weight", "Weight", "kg", "at admission", 35, 220, 1,
            (79, 83, 77), (0.19, 0.19, 0.21), log=True, missing=(0.07, 0.04, 0.07)),
    Measure("GCS_median", "Glasgow Coma Scale", "points",
            "median of 48 h; 15 is fully awake, 3 is unresponsive or deeply sedated", 3, 15, 0,
            (14.2, 9.8, 12.6), (1.1, 2.4, 1.9)),
    Measure("HR_median", "Heart rate", "beats/min", "median of 48 h", 35, 180, 0,
            (78, 84, 105), (13, 12, 14), loads={"shock": 0.4}),
    Measure("SysABP_median", "Systolic blood pressure", "mmHg", "median of 48 h", 60, 220, 0,
            (127, 117, 103), (17, 13, 14), loads={"shock": -0.75}, panel="pressure"),
    Measure("DiasABP_median", "Diastolic blood pressure", "mmHg", "median of 48 h", 25, 120, 0,
            (59, 59, 54), (9, 8, 9), loads={"shock": -0.7}, panel="pressure"),
    Measure("RespRate_median", "Respiratory rate", "breaths/min", "median of 48 h", 8, 50, 0,
            (19, 15.5, 24.5), (3.2, 2.3, 4.0), loads={"acid": 0.4}, missing=(0.03, 0.03, 0.03)),
    Measure("Temp_median", "Temperature", "°C", "median of 48 h", 30, 42, 1,
            (36.6, 37.1, 37.8), (0.45, 0.6, 0.9)),
    Measure("FiO2_last", "Inspired oxygen (FiO2)", "fraction",
            "last of 48 h; 0.21 is room air, 1 is pure oxygen", 0.21, 1, 2,
            (0.36, 0.48, 0.48), (0.22, 0.22, 0.27), log=True, loads={"lung": 0.6},
            missing=(0.45, 0.02, 0.15)),
    Measure("PaO2_last", "Arterial oxygen (PaO2)", "mmHg", "last of 48 h", 35, 450, 0,
            (82, 124, 88), (0.22, 0.24, 0.25), log=True, loads={"lung": -0.5},
            missing=GAS, panel="gas"),
    Measure("PaCO2_last", "Arterial carbon dioxide (PaCO2)", "mmHg", "last of 48 h", 18, 90, 0,
            (43, 39, 36), (0.13, 0.1, 0.15), log=True, loads={"acid": -0.65},
            missing=GAS, panel="gas"),
    Measure("HCO3_last", "Bicarbonate", "mmol/L", "last of 48 h", 8, 42, 0,
            (25.5, 24.6, 19.2), (3.4, 2.5, 3.4), loads={"acid": -0.7}, panel="routine"),
    Measure("Lactate_last", "Lactate", "mmol/L", "last of 48 h", 0.3, 20, 1,
            (1.5, 1.6, 3.3), (0.33, 0.33, 0.45), log=True, loads={"acid": 0.45},
            missing=(0.60, 0.40, 0.06)),
    Measure("BUN_last", "Urea nitrogen (BUN)", "mg/dL", "last of 48 h", 3, 180, 0,
            (43, 16, 29), (0.42, 0.34, 0.44), log=True, loads={"kidney": 0.55}, panel="routine"),
    Measure("Creatinine_last", "Creatinine", "mg/dL", "last of 48 h", 0.2, 14, 1,
            (2.0, 0.9, 1.5), (0.42, 0.26, 0.42), log=True, loads={"kidney": 0.75},
            panel="routine"),
    Measure("UrineOutputSum", "Urine output", "mL", "sum of 48 h", 20, 14000, 0,
            (2700, 4600, 2300), (0.42, 0.34, 0.48), log=True, loads={"kidney": -0.5},
            missing=(0.04, 0.01, 0.02)),
    Measure("Na_last", "Sodium", "mmol/L", "last of 48 h", 115, 165, 0,
            (138, 139, 138), (4.2, 3.2, 4.6), panel="routine"),
    Measure("K_last", "Potassium", "mmol/L", "last of 48 h", 2.4, 7.5, 1,
            (4.5, 4.1, 4.1), (0.55, 0.4, 0.5), loads={"kidney": 0.2}, panel="routine"),
    Measure("Glucose_median", "Glucose", "mg/dL", "median of 48 h", 45, 500, 0,
            (138, 132, 148), (0.28, 0.18, 0.3), log=True, panel="routine"),
    Measure("WBC_last", "White blood cells", "10⁹/L", "last of 48 h", 0.5, 80, 1,
            (8.8, 11.8, 16.0), (0.36, 0.3, 0.48), log=True, missing=(0.02, 0.02, 0.01),
            panel="blood count"),
    Measure("HCT_last", "Haematocrit", "%", "last of 48 h", 16, 58, 1,
            (32, 29.5, 31), (4.4, 3.7, 4.6), missing=(0.02, 0.02, 0.01), panel="blood count"),
    Measure("Platelets_last", "Platelets", "10⁹/L", "last of 48 h", 8, 900, 0,
            (210, 165, 150), (0.36, 0.34, 0.5), log=True, loads={"liver": -0.35},
            missing=(0.02, 0.02, 0.01), panel="blood count"),
    Measure("Albumin_last", "Albumin", "g/dL", "last of 48 h", 1, 5.5, 1,
            (3.3, 3.0, 2.4), (0.45, 0.45, 0.48), loads={"liver": -0.5},
            missing=LIVER, panel="liver"),
    Measure("Bilirubin_last", "Bilirubin", "mg/dL", "last of 48 h", 0.1, 40, 1,
            (0.7, 0.7, 1.3), (0.5, 0.5, 0.75), log=True, loads={"liver": 0.6},
            missing=LIVER, panel="liver"),
)  # fmt: skip

PLAIN_FIRST = (
    Plain("RecordID", "Record", "", "a number for each stay; one stay a patient", "number",
          "patient id"),
    Plain("Sex", "Sex", "", "female or male", "category", "sensitive"),
)  # fmt: skip

PLAIN_LAST = (
    Plain("MAP_median", "Mean arterial pressure", "mmHg", "median of 48 h", "number", "feature"),
    Plain("pH_last", "Arterial pH", "", "last of 48 h", "number", "feature"),
    Plain("MechVentDuration", "Time on the ventilator", "min",
          "in the first 48 h; 0 is never ventilated", "number", "feature"),
    Plain("MechVentLast8Hour", "Ventilated in the last 8 h", "",
          "yes or no, hours 40 to 48 after admission", "yesno", "feature"),
    Plain("ICUType", "ICU type", "", "the unit of admission; kept out of the subtypes", "category",
          "external check"),
    Plain("Creatinine_day3", "Creatinine on day 3", "mg/dL",
          "after the 48 h, empty if the stay was over; kept out of the subtypes", "number",
          "external check"),
    Plain("Length_of_stay", "Length of stay", "days",
          "in hospital, 2 to 60; stays under 48 h are not in the cohort", "number", "left out"),
    Plain("FollowUpDays", "Follow-up", "days", "from admission to death, loss or day 30", "number",
          "time"),
    Plain("Death30Days", "Death within 30 days", "", "1 is died within follow-up, 0 is censored",
          "yesno", "event"),
    Plain("In-hospital_death", "In-hospital death", "", "yes or no", "yesno", "outcome"),
)  # fmt: skip


def demo_columns() -> tuple[Column, ...]:
    """The demo cohort's columns in order, with label, unit and role; death is the outcome."""
    measured = [Column(m.name, "number", "feature", m.label, m.unit) for m in MEASURES]
    first, last = (
        [Column(p.name, p.kind, p.role, p.label, p.unit) for p in plain]
        for plain in (PLAIN_FIRST, PLAIN_LAST)
    )
    return (*first, *measured, *last)


def meanings() -> dict[str, str]:
    """What each column of the demo cohort means, in a few words."""
    return {c.name: c.meaning for c in (*PLAIN_FIRST, *MEASURES, *PLAIN_LAST)}
