"""Draws the demo cohort: synthetic ICU stays that obey physiology, with planted subtypes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from cacviz.engine.cohorts.demos.codebook import (
    ICU_TYPES,
    MEASURES,
    RISK_FACTORS,
    SUBTYPES,
    Measure,
    demo_columns,
)

DEATH, STAY = "In-hospital_death", "Length_of_stay"
FOLLOW_UP = 30  # days
_FACTORS = ("shock", "lung", "acid", "kidney", "liver")
_NO_YES = np.array(["no", "yes"])


class _Stays(NamedTuple):
    """Patients under way: planted subtype, physiology, sex, and what is measured of them."""

    rng: np.random.Generator
    subtype: np.ndarray
    factors: dict[str, np.ndarray]
    male: np.ndarray
    values: dict[str, np.ndarray]
    scores: dict[str, np.ndarray]  # how far from the subtype's middle, in its spreads


def draw_stays(n: int, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """The cohort's table and each patient's planted subtype."""
    rng = np.random.default_rng(seed)
    subtype = rng.choice(len(SUBTYPES), n, p=[s.share for s in SUBTYPES])
    factors = {name: rng.standard_normal(n) for name in _FACTORS}
    stays = _Stays(rng, subtype, factors, rng.random(n) < 0.56, {}, {})
    for measure in MEASURES:
        _measure(stays, measure)
    _add_pressure(stays)
    minutes = _add_ventilation(stays)
    _add_gases(stays, minutes)
    risk, illness = _risk(stays)
    died = rng.random(n) < _logistic(risk)
    _add_stay(stays, illness, minutes, died)
    _leave_out(stays, illness + rng.standard_normal(n), minutes)
    stays.values["RecordID"] = 200_001 + np.arange(n)
    stays.values["Sex"] = np.where(stays.male, "male", "female")
    stays.values[DEATH] = _NO_YES[died.astype(int)]
    return pd.DataFrame(stays.values)[[c.name for c in demo_columns()]], subtype


def _per_subtype(stays: _Stays, values) -> np.ndarray:
    return np.asarray(values, dtype=float)[stays.subtype]


def _logistic(log_odds: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-log_odds))


def _measure(stays: _Stays, measure: Measure) -> None:
    """Draw a measure from its subtype's distribution, tied to the others by shared physiology."""
    own = np.sqrt(1 - sum(load**2 for load in measure.loads.values()))
    score = own * stays.rng.standard_normal(len(stays.subtype))
    for factor, load in measure.loads.items():
        score += load * stays.factors[factor]
    if measure.name in ("Weight", "HCT_last"):  # men are heavier and have more red cells
        score = (score + np.where(stays.male, 0.35, -0.35)) / 1.06
    location, spread = _per_subtype(stays, measure.location), _per_subtype(stays, measure.spread)
    value = location * np.exp(spread * score) if measure.log else location + spread * score
    value = np.round(np.clip(value, measure.low, measure.high), measure.decimals)
    known = np.log(value / location) if measure.log else value - location
    stays.values[measure.name], stays.scores[measure.name] = value, known / spread


def _add_pressure(stays: _Stays) -> None:
    """Diastolic stays 15 below systolic; the mean lies between them, nearer to diastolic."""
    upper = stays.values["SysABP_median"]
    lower = np.minimum(stays.values["DiasABP_median"], upper - 15)
    noise = stays.rng.normal(0, 2, len(upper))
    middle = np.round((upper + 2 * lower) / 3 + noise)
    stays.values["DiasABP_median"] = lower
    stays.values["MAP_median"] = np.clip(middle, lower + 3, upper - 3)


def _add_ventilation(stays: _Stays) -> np.ndarray:
    """Minutes on the ventilator in 48 h; worse lungs and the unconscious more often."""
    rng, n, lung = stays.rng, len(stays.subtype), stays.factors["lung"]
    share = _per_subtype(stays, [s.ventilated for s in SUBTYPES])
    log_odds = np.log(share / (1 - share)) + 0.5 * lung - 0.7 * stays.scores["GCS_median"]
    on = rng.random(n) < _logistic(log_odds)
    usual = _per_subtype(stays, [s.ventilated_minutes for s in SUBTYPES])
    minutes = usual + 150 * lung + rng.normal(0, 550, n)
    minutes = np.where(on, np.clip(np.round(minutes, -1), 60, 2880), 0)
    still = on & (rng.random(n) < _logistic((minutes - 1300) / 350))
    stays.values["MechVentDuration"] = minutes.astype(np.int64)
    stays.values["MechVentLast8Hour"] = _NO_YES[still.astype(int)]
    return minutes


def _add_gases(stays: _Stays, minutes: np.ndarray) -> None:
    """Blood gases that obey chemistry: pH follows bicarbonate and CO2, O2 has its ceiling."""
    fraction = np.round(stays.values["FiO2_last"] * 20) / 20  # oxygen is set in steps of 5%
    fraction = np.where(fraction < 0.25, 0.21, fraction)
    fraction = np.where(minutes > 0, np.maximum(fraction, 0.3), fraction)
    dioxide, bicarbonate = stays.values["PaCO2_last"], stays.values["HCO3_last"]
    ph = 6.1 + np.log10(bicarbonate / (0.03 * dioxide))  # Henderson-Hasselbalch
    ceiling = 713 * fraction - dioxide / 0.8 - 3  # alveolar gas equation
    stays.values["FiO2_last"] = np.round(fraction, 2)
    stays.values["pH_last"] = np.round(ph, 2)
    stays.values["PaO2_last"] = np.floor(np.minimum(stays.values["PaO2_last"], ceiling))


def _risk(stays: _Stays) -> tuple[np.ndarray, np.ndarray]:
    """Log odds of death from the subtype's own risk factors, and illness beside its others."""
    risk, illness = np.zeros((2, len(stays.subtype)))
    for j, (subtype, factors) in enumerate(zip(SUBTYPES, RISK_FACTORS, strict=True)):
        own = stays.subtype == j
        slope = sum(weight * stays.scores[name][own] for name, weight in factors.items())
        risk[own] = slope + _intercept(slope, subtype.death_rate)
        illness[own] = slope / np.sqrt(sum(weight**2 for weight in factors.values()))
    return risk, illness


def _intercept(slope: np.ndarray, rate: float) -> float:
    """What must be added for the mean risk to be `rate`, by halving."""
    low, high = -30.0, 30.0
    for _ in range(60 if len(slope) else 0):
        middle = (low + high) / 2
        below = np.mean(_logistic(slope + middle)) < rate
        low, high = (middle, high) if below else (low, middle)
    return (low + high) / 2


def _add_stay(stays: _Stays, illness: np.ndarray, minutes: np.ndarray, died: np.ndarray) -> None:
    """Length of stay, follow-up to day 30, the unit, and a later creatinine."""
    rng, n = stays.rng, len(died)
    usual = np.log(_per_subtype(stays, [s.stay_days for s in SUBTYPES]))
    usual = usual + 0.4 * illness + 0.0002 * minutes + rng.normal(0, 0.4, n) - 0.3 * died
    days = np.clip(np.round(np.exp(usual)), 2, 60).astype(np.int64)
    after = days + np.ceil(rng.exponential(400, n)).astype(np.int64)  # few die soon after discharge
    death = np.where(died, days, after)
    lost = np.where(died | (rng.random(n) > 0.12), FOLLOW_UP, rng.integers(days, days + 30))
    end = np.minimum(lost, FOLLOW_UP)
    seen = death <= end
    stays.values[STAY] = days
    stays.values["FollowUpDays"] = np.where(seen, death, end)
    stays.values["Death30Days"] = seen.astype(np.int64)
    shares = np.cumsum([s.icu_types for s in SUBTYPES], axis=1)[stays.subtype]
    unit = (rng.random((n, 1)) > shares[:, :-1]).sum(axis=1)
    stays.values["ICUType"] = np.array(ICU_TYPES)[unit]
    change = np.exp(rng.normal(0, 0.15, n) + 0.08 * illness)
    later = np.clip(np.round(stays.values["Creatinine_last"] * change, 1), 0.2, 14)
    stays.values["Creatinine_day3"] = np.where(days < 3, np.nan, later)


def _leave_out(stays: _Stays, illness: np.ndarray, minutes: np.ndarray) -> None:
    """Make gaps: the less ill are measured less; tests of one panel are ordered together."""
    urge = 0.5 * illness + np.where(minutes > 0, 0.5, 0.0)
    drawn: dict[str, np.ndarray] = {}
    for measure in MEASURES:
        draw = drawn.setdefault(
            measure.panel or measure.name, stays.rng.logistic(size=len(stays.subtype))
        )
        share = np.clip(_per_subtype(stays, measure.missing), 1e-9, None)
        gone = draw < np.log(share / (1 - share)) - urge
        values = stays.values[measure.name]
        if gone.any():
            stays.values[measure.name] = np.where(gone, np.nan, values)
    for name, panel in (("MAP_median", "SysABP_median"), ("pH_last", "PaCO2_last")):
        gone = np.isnan(stays.values[panel])
        stays.values[name] = np.where(gone, np.nan, stays.values[name])
