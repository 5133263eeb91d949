"""A ward in a file, a store of the test's own, and nobody left at work after a test."""

import pytest

from cacviz.engine.cohorts.demo import make_demo
from tests.jobs.conftest import nobody_left  # noqa: F401
from tests.store.conftest import data_folder  # noqa: F401

LEFT_OUT = "Length_of_stay,FollowUpDays,Death30Days"
OUTCOME = ["--outcome", "In-hospital_death", "--id", "RecordID"]


@pytest.fixture
def ward(tmp_path):
    path = tmp_path / "ward.csv"
    make_demo(400).frame.to_csv(path, index=False)
    return path
