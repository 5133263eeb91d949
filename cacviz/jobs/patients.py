"""The helper's answers about patients: a run is held ready from one question to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from cacviz.engine.types import FittedRun
from cacviz.store import applying, paths, runs
from cacviz.store.records import to_plain
from cacviz.store.risk_choices import remedy_of
from cacviz.store.series import unpack_series

HOURS = ".series"  # of the file with the hours of the patients in a table

_held: dict[str, Any] = {}  # the helper's own: the last run it was asked about


def desk_of(run_id: str) -> Any:
    """The run with its patients, loaded once."""
    from cacviz.engine.insights.single.desk import Desk

    key = (paths.data_dir(), run_id)
    if _held.get("key") != key:
        _held.clear()
        stored, instrument = runs.load_run(run_id), applying.load_instrument(run_id)
        arrays = (stored.part, stored.clusters, stored.proba, stored.map2d)
        fitted = FittedRun(stored.summary, *arrays, instrument.preparation, instrument.model)
        cohort = runs.cohort_of_run(stored.asked)
        _held.update(key=key, desk=Desk(instrument, cohort, fitted))
    return _held["desk"]


def warm(run_id: str) -> bool:
    desk_of(run_id).warm()
    return True


def patient(run_id: str, values: Mapping[str, Any], row: int | None = None) -> Any:
    return to_plain(desk_of(run_id).predict(values, remedy_of(run_id), row=row))


def why(run_id: str, values: Mapping[str, Any], cluster: int, code: int) -> Any:
    return to_plain(desk_of(run_id).why(values, cluster, code))


def what_if(run_id: str, values: Mapping[str, Any], column: str) -> Any:
    return to_plain(desk_of(run_id).what_if(values, column, remedy_of(run_id)))


def batch(run_id: str, source: str, target: str) -> Any:
    """Patients of a table in one file, their predictions in another; both are the page's own.

    Their hours, where they have some, are beside the table.
    """
    import pandas as pd

    from cacviz.engine.running.applying.predicting import apply_run

    hours = Path(f"{source}{HOURS}")
    series = unpack_series(hours.read_bytes()) if hours.exists() else None
    table, remedy = pd.read_feather(source), remedy_of(run_id)
    applied = apply_run(desk_of(run_id).run, table, series, remedy=remedy)
    proba = applied.proba
    frame = pd.DataFrame(
        {
            "cluster": applied.routed.clusters,
            "second": applied.routed.second,
            "margin": applied.routed.margin,
            "blank": applied.blank,
            "outside": applied.outside,
            "flagged": pd.Series(["\x1f".join(f) for f in applied.flagged()], dtype="str"),
            **{f"risk_{code}": proba[:, code] for code in range(proba.shape[1])},
        }
    )
    frame.to_feather(Path(target))
    name = None if applied.ids is None else str(applied.ids.name)
    return {"notes": to_plain(applied.notes), "id": name}


ANSWERS: dict[str, Callable[..., Any]] = {
    "warm": warm,
    "patient": patient,
    "why": why,
    "what_if": what_if,
    "batch": batch,
}
