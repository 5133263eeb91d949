"""Comparisons on disk: what was asked, and a row a finished fit."""

import json

import pytest

from cacviz.engine.cohorts.choosing import with_outcome
from cacviz.engine.cohorts.making import changed
from cacviz.engine.running.studies import COLUMNS, cell_of, study_plan
from cacviz.engine.types import Outcome
from cacviz.store import atomic, history, paths, states, studies
from cacviz.store.studies import create_study, list_studies, study_folder, study_rows

PLAN = study_plan(["kmeans"], [2], 2)


@pytest.fixture
def study(ward_id):
    return study_folder(create_study(ward_id, PLAN))


def row_of(cell, value=0.125):
    return dict.fromkeys(COLUMNS, value) | cell._asdict()


def write_rows(folder, *rows):
    history.append_rows(folder, b"".join(atomic.encode(row) + b"\n" for row in rows))


def test_a_study_says_what_it_compares_with_the_choices_of_the_day(ward, ward_id):
    other = changed(ward, with_outcome, Outcome("age", cuts=(60.0,)))
    for cohort in (ward, other):
        create_study(ward_id, PLAN, cohort, "tcp://scheduler:8786")
    second, first = list_studies(ward_id)
    assert first.asked.plan == second.asked.plan == PLAN
    assert (first.asked.choices, second.asked.choices) == (ward.choices, other.choices)
    assert second.asked.fingerprint == other.fingerprint
    assert second.asked.scheduler == "tcp://scheduler:8786"
    assert first.progress.state == "queued"


def test_rows_come_in_the_plans_order_and_the_later_of_two(study):
    first, second, *_ = PLAN.cells()
    write_rows(study, row_of(second), row_of(first, 0.5), {"phase": "x"}, row_of(second, 0.25))
    rows = study_rows(study.name)
    assert [cell_of(row) for row in rows] == [first, second]
    assert [row["auc"] for row in rows] == [0.5, 0.25]


def test_a_row_of_another_plan_is_passed_over(study):
    cell = PLAN.cells()[0]._replace(split=77)
    write_rows(study, row_of(cell))
    assert study_rows(study.name) == []


def test_a_study_that_lacks_rows_is_not_sealed_and_a_whole_one_is(study):
    cells = PLAN.cells()
    write_rows(study, *map(row_of, cells[1:]))
    with pytest.raises(atomic.StoreError, match=f"1 of {len(cells)} fits could not be kept"):
        studies.seal_rows(study)
    write_rows(study, row_of(cells[0]))
    studies.seal_rows(study)
    sealed = json.loads(atomic.read_sealed(study / states.RESULT, studies.ROWS))
    assert sealed == study_rows(study.name)
    assert states.progress_of(study).state == "done"


@pytest.mark.parametrize("name", ["nonsense", "../../etc/passwd", "0" * 26])
def test_a_name_that_is_no_study_is_refused(name):
    with pytest.raises(atomic.StoreError):
        study_folder(name)


@pytest.mark.parametrize("said", [None, b"[]", b"{}", b"{", b'{"plan": 3}', b'{"plan": {}}'])
def test_studies_of_strangers_are_passed_over(said):
    junk = paths.studies_dir() / ("0" * 26)
    junk.mkdir()
    if said is not None:
        (junk / studies.STUDY.file).write_bytes(said)
    assert list_studies() == []


def test_a_study_half_made_or_half_deleted_is_not_listed(study):
    study.rename(study.with_name(".tmp-1-2.gone-abcd"))
    assert list_studies() == []
