"""A finished run of the demo cohort, made once, and small hand-made cohorts."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.insights.described.describing import describe_run
from cacviz.engine.insights.material import Material
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running.fitting import fit_run
from cacviz.engine.types import Column, Outcome, RunConfig


@pytest.fixture(scope="session")
def demo():
    return make_demo(1200, seed=0)


@pytest.fixture(scope="session")
def demo_run(demo):
    return fit_run(split_cohort(demo, 0), RunConfig(method="kmeans", n_clusters=3, scaling="rank"))


@pytest.fixture
def wards():
    """Two wards of 60: age 10 years apart, sex and ward name known, one value missing."""
    rng = np.random.default_rng(1)
    ward = np.repeat([0, 1], 60)
    frame = pd.DataFrame(
        {
            "age": 60 + 10.0 * ward + rng.normal(0, 5, 120),
            "noise": rng.normal(0, 1, 120),
            "oxygen": np.where(rng.random(120) < 0.2 + 0.5 * ward, "yes", "no"),
            "unit": np.array(["A", "B", "C"])[rng.integers(0, 3, 120)],
            "height": rng.normal(170, 8, 120),
            "died": rng.integers(0, 2, 120),
        }
    )
    frame.loc[3, "age"] = np.nan
    columns = [
        Column("age", "number", label="Age", unit="years"),
        Column("noise", "number"),
        Column("oxygen", "yesno"),
        Column("unit", "category"),
        Column("height", "number", role="external check"),
        Column("died", "yesno"),
    ]
    return make_cohort("wards", frame, columns, Outcome("died")), ward


@pytest.fixture(scope="session")
def demo_described(demo, demo_run):
    return describe_run(Material(demo, demo_run))
