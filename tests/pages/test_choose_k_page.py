"""Choose k: with nothing open, before a look, with what a sweep found, and checks on Subtypes."""

import pytest

from cacviz.engine.running.sweeps.evidence import SCORES
from cacviz.engine.running.sweeps.plans import SweepPlan
from cacviz.engine.types import RunConfig
from cacviz.jobs import queue, worker
from cacviz.jobs import sweeps as jobs
from cacviz.store import atomic, history, runs, sweeps

FEW = {"resamples": 2, "halvings": 1, "twins": 2, "own_twins": 2, "permutations": 2}


@pytest.fixture
def nothing_starts(monkeypatch):
    monkeypatch.setattr("cacviz.jobs.queue.tend", lambda *_, **__: None)
    monkeypatch.setattr("cacviz.jobs.environment.limit_this_process", lambda: 0)


def done(sweep_id):
    folder = sweeps.sweep_folder(sweep_id)
    worker.work(folder)
    assert jobs.progress(sweep_id).state == "done"


def row_of(cell):
    """A fit as a worker writes it, at no cost: the score grows with α."""
    score = 0.5 + (cell.alpha or 0) / 50 + cell.number / 1000
    row = dict.fromkeys((*SCORES, "seconds"), score) | cell._asdict() | {"method": "deepcac"}
    row |= {"in_features": score, "smallest": 90, "events": 20}
    row |= {"held_out": [[9, 3]] * cell.clusters}
    row |= {"alpha_used": None, "critical": None, "assigned": "01"[: cell.clusters] * 60}
    return atomic.encode(row) + b"\n"


def said(page):
    parts = (page.info, page.markdown, page.caption, page.warning, page.subheader)
    return " ".join(str(e.value) for part in parts for e in part)


def test_without_a_cohort_it_says_what_to_do(show):
    page = show("choose_k")
    assert not page.exception
    assert "No cohort is open" in page.info[0].value


def test_a_look_is_offered_with_its_time_and_begins(show, with_run, nothing_starts):
    cohort_id, _ = with_run
    page = show("choose_k", cohort=cohort_id)
    assert not page.exception
    assert "pieces of work, about" in said(page)
    page.selectbox(key="sweep_method").set_value("kmeans").run()
    next(b for b in page.button if b.label == "Look").click().run()
    assert not page.exception
    (made,) = sweeps.list_sweeps(cohort_id, run="")
    assert made.asked.plan.method == "kmeans"
    jobs.delete(made.id)


def test_what_a_sweep_found_is_said_and_a_click_starts_the_run(show, with_run, nothing_starts):
    cohort_id, run_id = with_run
    plan = SweepPlan("kmeans", (1, 2, 3), seeds=1, resamples=2, halvings=1, twins=2)
    sweep_id = jobs.start_sweep(cohort_id, plan)
    done(sweep_id)
    page = show("choose_k", cohort=cohort_id)
    assert not page.exception
    assert "subtypes" in page.info[1].value  # the first says that the demo is synthetic
    assert "Sizes and outcome rates" in said(page)
    assert "Consensus of 2 resamples" in said(page)
    for _ in range(2):  # started, then opened
        page = show("choose_k", cohort=cohort_id)
        page.button(key="go_2").click().run()
        begun = [r for r in runs.list_runs(cohort_id) if r.id != run_id]
        assert [r.asked.config for r in begun] == [RunConfig("kmeans", 2)]
    queue.delete_run(begun[0].id)
    jobs.delete(sweep_id)


def test_weights_are_shown_with_a_recommendation(show, with_run, nothing_starts):
    cohort_id, _ = with_run
    plan = SweepPlan("deepcac", (1, 2), (0.0, 5.0, 20.0), (0.0, 20.0), seeds=2)
    sweep_id = jobs.start_sweep(cohort_id, plan)
    rows = [row_of(cell) for cell in plan.cells()]
    history.append_rows(sweeps.sweep_folder(sweep_id), b"".join(rows))
    page = show("choose_k", cohort=cohort_id)
    assert not page.exception
    assert any("highest AUPRC of 6 points" in info.value for info in page.info)
    assert "cannot be told yet" in said(page)
    assert "What each term does" in said(page)
    table = page.dataframe[-1].value
    assert len(table) == 4  # nothing, α, β and the margin left out
    jobs.delete(sweep_id)


def test_fits_of_an_earlier_day_are_not_taken_for_those_of_today(show, with_run, nothing_starts):
    cohort_id, _ = with_run
    plan = SweepPlan("deepcac", (1, 2), (0.0, 5.0), (20.0,), seeds=1)
    sweep_id = jobs.start_sweep(cohort_id, plan)
    rows = [row_of(cell).replace(b"in_features", b"once") for cell in plan.cells()]
    history.append_rows(sweeps.sweep_folder(sweep_id), b"".join(rows))
    assert sweeps.finished_rows(sweeps.sweep_folder(sweep_id)) == []
    assert not show("choose_k", cohort=cohort_id).exception
    jobs.delete(sweep_id)


def test_the_check_of_a_run_is_offered_watched_and_shown(
    show, with_run, nothing_starts, monkeypatch
):
    _, run_id = with_run
    page = show("subtypes", run=run_id)
    check = next(b for b in page.button if b.label == "Check whether they would be found again")
    assert "resamples" in said(page)
    small = SweepPlan("kmeans", (2,), seeds=1, **FEW)
    monkeypatch.setattr(jobs, "check_plan", lambda config: small)
    check.click().run()
    assert not page.exception
    (going,) = sweeps.list_sweeps(run=run_id)
    done(going.id)
    page = show("subtypes", run=run_id)
    assert not page.exception
    assert said(page).count("of 2 resamples") == 2
    assert "one population" in said(page)
    jobs.delete(going.id)
