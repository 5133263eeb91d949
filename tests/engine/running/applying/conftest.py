"""A small ward with every kind of column, and a run of it that can speak of others."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running.applying.predicting import Instrument
from cacviz.engine.running.fitting import fit_model, prepare
from cacviz.engine.types import Column, Outcome, RunConfig


@pytest.fixture(scope="session")
def ward():
    rng = np.random.default_rng(0)
    n = 240
    frame = pd.DataFrame(
        {
            "stay": np.arange(1000, 1000 + n),
            "Age": rng.normal(60, 12, n).round(1),
            "Creatinine": rng.lognormal(0, 0.3, n).round(2),
            "Temp": rng.normal(37, 0.7, n).round(1),
            "oxygen": np.where(rng.random(n) < 0.4, "yes", "no"),
            "unit": np.array(["A", "B", "C"])[rng.integers(0, 3, n)],
        }
    )
    frame.loc[:20, "Creatinine"] = np.nan
    frame["died"] = (frame["Age"] + rng.normal(0, 8, n) > 66).astype(int)
    columns = [
        Column("stay", "number", role="patient id"),
        Column("Age", "number", unit="years"),
        Column("Creatinine", "number", unit="mg/dL"),
        Column("Temp", "number", unit="°C"),
        Column("oxygen", "yesno"),
        Column("unit", "category"),
        Column("died", "yesno"),
    ]
    return make_cohort("ward", frame, columns, Outcome("died"))


@pytest.fixture(scope="session")
def instrument_of(ward):
    def make(config):
        preparation, parts = prepare(split_cohort(ward, config.seed), config)
        model = fit_model(parts, config)
        return Instrument(config, ward.choices, ward.classes, 1, preparation, model)

    return make


@pytest.fixture(scope="session")
def instrument(instrument_of):
    return instrument_of(RunConfig("cac", 3))
