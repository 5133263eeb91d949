"""Cohorts and runs that survive anything: the store, the worker, progress, stop and resume."""

from cacviz.runs.cohorts import CohortRow, describe_cohort, list_cohorts, load_cohort, save_cohort
from cacviz.runs.control import (
    delete_cohort,
    delete_run,
    follow,
    history,
    progress,
    resume_run,
    start_run,
    stop_run,
    sweep,
    tend,
)
from cacviz.runs.files import StoreError
from cacviz.runs.paths import data_dir, use_data_dir
from cacviz.runs.states import Progress
from cacviz.runs.store import (
    Card,
    RunRow,
    StoredRun,
    change_card,
    check_out,
    create_run,
    export_run,
    list_runs,
    load_model,
    load_run,
)

__all__ = [
    "Card",
    "CohortRow",
    "Progress",
    "RunRow",
    "StoreError",
    "StoredRun",
    "change_card",
    "check_out",
    "create_run",
    "data_dir",
    "delete_cohort",
    "delete_run",
    "describe_cohort",
    "export_run",
    "follow",
    "history",
    "list_cohorts",
    "list_runs",
    "load_cohort",
    "load_model",
    "load_run",
    "progress",
    "resume_run",
    "save_cohort",
    "start_run",
    "stop_run",
    "sweep",
    "tend",
    "use_data_dir",
]
