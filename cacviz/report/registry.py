"""The sections of a report, in the order in which they stand unless another is chosen.

A section whose makers give nothing is left out: what other parts of the run come to know appears
by itself once it is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cacviz.report.blocks import Block, Report, Section
from cacviz.report.material import Material
from cacviz.report.sections import (
    choosing,
    closing,
    cohort,
    differences,
    elsewhere,
    factors,
    judged,
    performance,
    subtypes,
    treated,
)
from cacviz.wording.methods import method_title
from cacviz.wording.reports import RESEARCH
from cacviz.wording.sections import SECTION_TITLES

Maker = Callable[[Material], list[Block]]


SECTIONS: dict[str, tuple[Maker, ...]] = {
    "short": (cohort.in_short,),
    "cohort": (cohort.flow_of,),
    "checks": (cohort.checks,),
    "methods": (closing.methods,),
    "subtypes": (subtypes.subtypes, choosing.stability),
    "differences": (differences.differences,),
    "factors": (factors.factors,),
    "performance": (performance.performance, judged.judged),
    "helps": (performance.helps,),
    "choosing": (choosing.sweeps_of, choosing.comparisons),
    "elsewhere": (elsewhere.elsewhere,),
    "bedside": (judged.bedside,),
    "treatment": (treated.treated,),
    "limits": (closing.limits,),
    "provenance": (closing.provenance,),
}


def build(m: Material, wanted: Sequence[str] = ()) -> Report:
    """The report of a run with these sections in this order; all of them where none is named."""
    keys = [key for key in wanted or SECTIONS if key in SECTIONS]
    made = (
        Section(key, SECTION_TITLES[key], tuple(b for make in SECTIONS[key] for b in make(m)))
        for key in keys
    )
    asked = m.run.asked
    title = f"Subtypes of {asked.cohort_name} for {m.outcome}"
    name = f", run “{m.run.card.name}”" if m.run.card.name else ""
    how = f"{method_title(asked.config.method)}, k = {asked.config.n_clusters}{name}"
    version = m.run.environment.get("cacviz", "")
    lines = (f"{how}. Made with cacviz {version}.", RESEARCH)
    return Report(title, lines, tuple(s for s in made if s.blocks))
