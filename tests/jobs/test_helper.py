"""The process beside the app for quick questions: answers, refusals, and its own death."""

import subprocess
import sys

import pytest

from cacviz.engine import split_cohort
from cacviz.engine.cac.critical import expected_critical_alpha
from cacviz.engine.cohorts.checks import check_cohort
from cacviz.engine.cohorts.choosing import with_roles
from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.cohorts.making import changed
from cacviz.engine.exceptions import CohortError
from cacviz.engine.types import RunConfig
from cacviz.jobs import helper
from cacviz.jobs.helper import Helper
from cacviz.store.cohorts import save_cohort
from cacviz.store.records import to_plain


@pytest.fixture(autouse=True)
def nothing_held(monkeypatch):
    monkeypatch.setattr(helper, "_held", {})


@pytest.fixture
def demo():
    return make_demo(300)


def asked(what, **arguments):
    return helper.answer({"what": what, "arguments": to_plain(arguments)})


def test_the_checks_are_the_engines_own(demo):
    said = asked("check", cohort_id=save_cohort(demo), choices=demo.choices)
    assert said == {"value": to_plain(check_cohort(demo))}


def test_the_critical_alpha_is_the_engines_own(demo):
    config = RunConfig("cac", 3)
    said = asked("critical", cohort_id=save_cohort(demo), choices=demo.choices, config=config)
    assert said == {"value": expected_critical_alpha(split_cohort(demo, 0), config)}


def test_an_answer_is_for_the_choices_of_the_question(demo):
    cohort_id = save_cohort(demo)
    other = changed(demo, with_roles, {"Age": "left out"})
    first = asked("check", cohort_id=cohort_id, choices=demo.choices)
    second = asked("check", cohort_id=cohort_id, choices=other.choices)
    assert first == {"value": to_plain(check_cohort(demo))}
    assert second == {"value": to_plain(check_cohort(other))}


def test_the_table_is_read_once_for_questions_about_one_cohort(demo, monkeypatch):
    from cacviz.store import tables

    read, real = [], tables.load_frame
    monkeypatch.setattr(tables, "load_frame", lambda *a: (read.append(a), real(*a))[1])
    cohort_id = save_cohort(demo)
    for _ in range(3):
        asked("check", cohort_id=cohort_id, choices=demo.choices)
    assert len(read) == 1


def test_what_cannot_be_answered_is_a_sentence_that_quotes_nobody(demo, monkeypatch):
    assert "not stored here" in asked("check", cohort_id="0" * 26, choices=demo.choices)["error"]
    assert "KeyError" in asked("oracle")["error"]

    def fall(cohort_id):
        raise ValueError("JOHN DOE")

    monkeypatch.setitem(helper.ANSWERS, "check", fall)
    said = asked("check", cohort_id="x")["error"]
    assert "ValueError" in said
    assert "JOHN" not in said


@pytest.mark.worker
def test_a_helper_that_died_is_started_again_and_errors_are_raised(demo):
    ours, cohort_id = Helper(), save_cohort(demo)
    try:
        first = ours.ask("check", cohort_id=cohort_id, choices=demo.choices)
        assert first == to_plain(check_cohort(demo))
        ours._process.kill()
        ours._process.wait()
        again = ours.ask_later("check", cohort_id=cohort_id, choices=demo.choices)
        assert again.result(timeout=600) == first
        with pytest.raises(CohortError, match="not stored here"):
            ours.ask("check", cohort_id="0" * 26, choices=demo.choices)
    finally:
        ours._process.stdin.close()
        assert ours._process.wait(60) == 0  # it ends when the app closes the door
        ours._process.stdout.close()
        ours._pool.shutdown()


def test_asking_loads_no_heavy_library():
    heavy = ("torch", "umap", "numba", "sklearn", "scipy", "streamlit")
    code = f"import sys, cacviz.jobs.helper; print([m for m in {heavy} if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
