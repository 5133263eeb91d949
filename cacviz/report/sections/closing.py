"""How it was done, what it cannot tell, and what it takes to get the same again."""

from __future__ import annotations

import pandas as pd

from cacviz.report.blocks import Block, Grid, Paragraph, Points
from cacviz.report.material import Material
from cacviz.report.sections.elsewhere import validated
from cacviz.store import studies
from cacviz.wording.choices import ROLE_TITLES
from cacviz.wording.references import Cited
from cacviz.wording.reports import (
    careful_note,
    limit_sentences,
    method_sentences,
    provenance_rows,
)


def methods(m: Material) -> list[Block]:
    """Methods in sentences, with what they rest on."""
    cited = Cited()
    roles = {role: len(m.cohort.names(role)) for role in ROLE_TITLES}
    said = method_sentences(m.summary, roles, cited)
    return [*(Paragraph(text) for text in said), Points(tuple(cited.listed()), numbered=True)]


def limits(m: Material) -> list[Block]:
    """What the run itself warns of, and what no run of this kind can tell."""
    own = [n for n in m.summary.notes if n.severity != "hint"]
    said = [careful_note(note, hide=m.hide) for note in own]
    said += limit_sentences(m.summary, validated=bool(validated(m)), compared=bool(comparisons(m)))
    return [Points(tuple(said))]


def comparisons(m: Material) -> list[str]:
    """Finished comparisons of just these patients and choices."""
    found = studies.list_studies(m.run.asked.cohort_id) if m.run.asked.cohort_id else []
    same = [s for s in found if s.asked.fingerprint == m.run.asked.fingerprint]
    return [s.id for s in same if s.progress.state == "done"]


def provenance(m: Material) -> list[Block]:
    """Settings, seed, versions, fingerprint, and what this may be used for."""
    rows = provenance_rows(m.run.asked, m.run.environment, m.summary, m.run.id)
    frame = pd.DataFrame(rows, columns=["What", "Value"])
    return [Grid("provenance", "What it takes to get the same again.", frame)]
