"""All insights of a run, step by step: what is ready shows before the map, which comes last."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from cacviz.engine.insights.bedside.types import Wish
from cacviz.engine.insights.material import Material
from cacviz.engine.insights.registry import INSIGHTS
from cacviz.engine.types import Cohort, FittedRun


def make_insights(cohort: Cohort, fitted: FittedRun) -> dict[str, Any]:
    """Everything at once, by name; None where an insight does not apply to the run."""
    return {name: make() for name, make in insight_steps(cohort, fitted)}


def insight_steps(
    cohort: Cohort,
    fitted: FittedRun,
    *,
    only: Sequence[str] | None = None,
    wish: Wish | None = None,
) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Each insight's name with a call that makes it; all share one set of matrices."""
    material = Material(cohort, fitted, wish or Wish())
    for name in INSIGHTS if only is None else only:
        yield name, partial(_make, name, material)


def _make(name: str, material: Material) -> Any:
    return INSIGHTS[name].maker()(material)
