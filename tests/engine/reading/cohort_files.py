"""Where the shared cohorts are, and how each is read; tests skip where they are absent."""

import functools

import pytest

from cacviz.engine.cohorts.making import read_cohort
from tests.conftest import SHARED

ICU = "physionet2012/p12_set-a_static.csv.gz"

COHORTS = {
    "death": (ICU, {"outcome": "In-hospital_death", "id": "RecordID"}),
    "stay": (ICU, {"outcome": "Length_of_stay", "cuts": (7, 13), "id": "RecordID"}),
    "readmitted": (
        "diabetes130/diabetic_data.csv.gz",
        {"outcome": "readmitted", "id": "patient_nbr"},
    ),
    "sepsis": ("sepsis2019/p19_setA_static24h.csv.gz", {"outcome": "sepsis", "id": "patient"}),
    "actg175": ("cohorts/actg175.csv.gz", {"outcome": "y_730"}),
    "gbsg2": ("cohorts/gbsg2.csv.gz", {"outcome": "y_730"}),
    "nwtco": ("cohorts/nwtco.csv.gz", {"outcome": "y_730"}),
    "uci_heart": ("cohorts/uci_heart.csv.gz", {"outcome": "y"}),
    "uci_pima": ("cohorts/uci_pima.csv.gz", {"outcome": "y"}),
    "uci_saheart": ("cohorts/uci_saheart.csv.gz", {"outcome": "y"}),
}


def shared_file(path):
    """The path of a shared file; skips the test where it is absent."""
    found = SHARED / path
    if not found.is_file():
        pytest.skip(f"{path} is not at hand")
    return found


@functools.cache
def shared_cohort(key):
    """A shared cohort, read once as its outcome asks."""
    path, how = COHORTS[key]
    return read_cohort(shared_file(path), **how)
