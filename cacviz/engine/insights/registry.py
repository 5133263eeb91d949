"""Every insight by name: what it is, and the function that makes it, imported when it is needed.

A new insight is a module with a maker, a type in `types.py`, and a line here; pages ask for it by
its name. The order is the order in which they are made: what is quick and read first comes first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from cacviz.engine.insights.bedside.types import Bedside
from cacviz.engine.insights.judged.types import Performance
from cacviz.engine.insights.treated.types import Treatment
from cacviz.engine.insights.types import (
    Described,
    PatientMap,
    Silhouettes,
    Students,
    Theorems,
)


@dataclass(frozen=True, slots=True)
class Insight:
    """One insight: its name, the type of what is stored, and where its maker is."""

    name: str
    kind: type
    where: str  # module:function, which takes a Material

    def maker(self) -> Callable[..., Any]:
        module, name = self.where.split(":")
        return getattr(import_module(module), name)


INSIGHTS: dict[str, Insight] = {
    i.name: i
    for i in (
        Insight("described", Described, "cacviz.engine.insights.described.describing:describe_run"),
        Insight("performance", Performance, "cacviz.engine.insights.judged.judging:judge_run"),
        Insight("silhouettes", Silhouettes, "cacviz.engine.insights.separation:separate_run"),
        Insight("students", Students, "cacviz.engine.insights.explainers.students:teach_run"),
        Insight("bedside", Bedside, "cacviz.engine.insights.bedside.making:rule_of_run"),
        Insight("theorems", Theorems, "cacviz.engine.insights.theorems:prove_run"),
        Insight("treatment", Treatment, "cacviz.engine.insights.treated.treating:treat_run"),
        Insight("map", PatientMap, "cacviz.engine.insights.maps:map_run"),
    )
}
