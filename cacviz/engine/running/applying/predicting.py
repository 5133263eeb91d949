"""What a finished run says of other patients: subtype, margin and risks, and what to know of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from cacviz.engine.cohorts.subsets import mask_of
from cacviz.engine.exceptions import CohortError
from cacviz.engine.preparation.preparing import Preparation
from cacviz.engine.preparation.stays import Stays, stays_on
from cacviz.engine.reading.kinds import quoted
from cacviz.engine.running.applying.matching import match_table, names_in, read_as
from cacviz.engine.running.applying.routing import routed_by
from cacviz.engine.running.applying.types import Applied, Match, Matched, Routed
from cacviz.engine.running.methods import method_named
from cacviz.engine.scoring.calibration import recalibrated
from cacviz.engine.types import Choices, Column, Note, RunConfig, Series

Remedy = tuple[float, tuple[float, ...]] | None  # slope and shifts of a recalibration
FEWEST = 0.5  # of the columns that a run uses: with fewer it is another kind of table


class Instrument(NamedTuple):
    """All that a run needs to speak of a patient; it holds none itself."""

    config: RunConfig
    choices: Choices
    classes: tuple[str, ...]
    threads: int
    preparation: Preparation
    model: Any


class Said(NamedTuple):
    """What the model says of prepared patients."""

    routed: Routed
    proba: np.ndarray


def apply_run(
    run: Instrument,
    frame: pd.DataFrame,
    series: Series | None = None,
    *,
    gaps_allowed: bool = True,
    name: str = "The file",
    remedy: Remedy = None,
) -> Applied:
    """Subtype, margin and risks of the patients in a table, in its order; no outcome is needed.

    Columns are matched by name, others are passed over. A column that the table lacks is taken as
    not measured, or refused where `gaps_allowed` is False. `series` are the same patients' hours;
    `remedy` recalibrates the risks.
    """
    matched = match_table(frame, run.choices.columns, run.preparation)
    _check(matched, gaps_allowed, name)
    said = say(run, matched.frame, series)
    outside = ~_inside(run.choices, frame)
    return Applied(
        run.classes,
        said.routed,
        said.proba if remedy is None else recalibrated(said.proba, *remedy),
        matched,
        _blank(matched, run.preparation),
        outside,
        _ids(run.choices, frame),
        tuple(_notes(matched, outside)),
    )


def say(run: Instrument, frame: pd.DataFrame, series: Series | None = None) -> Said:
    """The model's words on patients whose columns are those of the run: the bits of the run."""
    X = inputs(run, frame, series)
    with pinned(run.threads, torch=method_named(run.config.method).deep):
        return Said(routed_by(run.model, X), np.asarray(run.model.predict_proba(X)))


def inputs(run: Instrument, frame: pd.DataFrame, series: Series | None) -> np.ndarray | Stays:
    """The patients as the run's method takes them."""
    method, grid = method_named(run.config.method), run.preparation.grid_
    prepared = run.preparation.transform(frame)
    if method.reads != "series":
        return prepared.gaps if method.gaps else prepared.X
    if series is None or grid is None:
        raise CohortError(
            "This run reads hourly records as they were measured, and these patients have a row "
            "each. Give their records: patient, time, variable and value."
        )
    return stays_on(grid, series, prepared.gaps)


@contextmanager
def pinned(threads: int, *, torch: bool) -> Iterator[None]:
    """As many threads as the run had: another number gives other last bits."""
    before = None
    if torch:
        import torch as library  # heavy, and loaded already by such a model

        before = library.get_num_threads()
        library.set_num_threads(threads)
    try:
        with threadpool_limits(threads):
            yield
    finally:
        if before is not None:
            library.set_num_threads(before)


def _check(matched: Matched, gaps_allowed: bool, name: str) -> None:
    absent, used = [c.name for c in matched.absent], len(matched.matches)
    if len(absent) > (1 - FEWEST) * used:
        raise CohortError(
            f"{name} has {used - len(absent)} of the {used} columns that the run uses: it lacks "
            f"{quoted(absent)}. Check that it is a table of the same kind, with the same names."
        )
    if absent and not gaps_allowed:
        raise CohortError(
            f"{name} lacks {len(absent)} of the {used} columns that the run uses: "
            f"{quoted(absent)}. Add them, empty where nothing was measured, or allow that they "
            "are missing."
        )


def _blank(matched: Matched, preparation: Preparation) -> np.ndarray:
    """How many of the columns are not known of each patient."""
    known = preparation.measured(matched.frame)
    gone = {}
    for i, entry in enumerate(preparation.plan_):
        if entry["kind"] != "gone":
            gone[entry["source"]] = np.isnan(known[:, i])
    return np.sum(list(gone.values()), axis=0).astype(np.int64)


def _inside(choices: Choices, frame: pd.DataFrame) -> np.ndarray:
    """Who is of the subgroup that the run was made for, as far as the table tells."""
    names = names_in(frame, [c.column for c in choices.subset])
    columns = {c.name: c for c in choices.columns}
    told = [c for c in choices.subset if names[c.column] is not None]
    read = {c.column: read_as(frame[names[c.column]], columns[c.column])[0] for c in told}
    return mask_of(pd.DataFrame(read, index=frame.index), told)


def _ids(choices: Choices, frame: pd.DataFrame) -> pd.Series | None:
    for name in choices.names("patient id"):
        found = names_in(frame, [name])[name]
        if found is not None:
            return frame[found]
    return None


def _notes(matched: Matched, outside: np.ndarray) -> Iterator[Note]:
    """What is worth knowing of the whole table, the gravest first."""
    if matched.absent:
        values = {"columns": [c.name for c in matched.absent], "used": len(matched.matches)}
        yield Note("absent columns", "grave", values)
    for match in matched.matches:
        yield from _match_notes(match)
    far = {m.column.name: m.far for m in matched.matches if m.far and m.conversion is None}
    if far:
        values = {"columns": sorted(far, key=lambda name: -far[name]), "n": sum(far.values())}
        yield Note("far values", "hint", values)
    if outside.any():
        yield Note("outside subgroup", "warning", {"n": int(outside.sum()), "of": len(outside)})


def _match_notes(match: Match) -> Iterator[Note]:
    column: Column = match.column
    about = {"column": column.name, "title": column.title, "unit": column.unit}
    if match.conversion is not None:
        words = {"units": match.conversion.units, "times": match.conversion.times}
        yield Note("another unit", "grave", about | words)
    if match.unreadable:
        yield Note("unreadable values", "warning", about | {"n": match.unreadable})
    if match.unknown:
        yield Note("unknown levels", "warning", about | {"n": match.unknown})
    if match.pooled:
        yield Note("pooled levels", "hint", about | {"n": match.pooled})
    if match.found not in (None, column.name):
        yield Note("alike names", "hint", about | {"found": match.found})
