"""The job that makes a run's documents: asked for, followed and stopped as every job."""

from __future__ import annotations

from cacviz.jobs import queue
from cacviz.store import reports
from cacviz.store.reports import Handover
from cacviz.store.states import Progress, progress_of


def start_report(run: str, wanted: Handover) -> None:
    """Queue documents of a run; they take the place of those made before."""
    reports.ask(run, wanted)
    queue.tend()


def report_progress(run: str) -> Progress:
    return progress_of(reports.home_of(run))


def stop_report(run: str) -> None:
    queue.stop(reports.home_of(run))
