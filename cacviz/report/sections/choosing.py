"""How many subtypes, how stable, and other methods beside the run, where it was looked at."""

from __future__ import annotations

import pandas as pd

from cacviz.engine.running.study_statistics import HEADLINE, compared
from cacviz.engine.running.sweeps.evidence import AtK, evidence
from cacviz.engine.running.sweeps.suggesting import suggest
from cacviz.report.blocks import Block, Callout, Grid, Heading, Points
from cacviz.report.material import Material
from cacviz.store import studies, sweeps
from cacviz.wording.studies import entry_title, mean_text
from cacviz.wording.sweeps import check_sentences, stability_line, suggestion_sentence, why
from cacviz.wording.verdicts import comparison_parts


def stability(m: Material) -> list[Block]:
    """What the check of the run found, subtype by subtype; nothing where it was not checked."""
    found = sweeps.load_stability(m.folder)
    if found is None:
        return []
    rows = [
        {"Subtype": m.titles[c.cluster], "In resamples": stability_line(c)} for c in found.clusters
    ]
    grid = Grid("stability", "Subtypes in resamples of the patients.", pd.DataFrame(rows))
    return [Heading("Stability"), grid, Points(tuple(check_sentences(found)))]


def sweeps_of(m: Material) -> list[Block]:
    """The newest finished sweep of these patients: what is suggested, and what it rests on."""
    home = m.run.asked.cohort_id
    rows = sweeps.list_sweeps(home, run="") if home else []
    same = [s for s in rows if s.asked.fingerprint == m.run.asked.fingerprint]
    done = next((s for s in same if s.progress.state == "done"), None)
    if done is None:
        return []
    found = evidence(done.asked.plan, sweeps.sweep_rows(done.id))
    answer = suggest(found)
    frame = pd.DataFrame(_line(at) for at in found)
    return [
        Callout(suggestion_sentence(answer)),
        Points(tuple(why(answer))),
        Grid("choosing_k", "What was found for each number of subtypes (k).", frame),
    ]


def _line(at: AtK) -> dict[str, str]:
    return {
        "k": str(at.k),
        "AUPRC": _told(at.auprc),
        "AUC": _told(at.auc),
        "Separation score": _told(at.silhouette),
        "without subtypes": _told(at.twins),
        "Prediction strength": _told(at.strength),
        "Smallest subtype": "below 5" if 0 < at.smallest < 5 else f"{at.smallest:,}",
    }


def _told(value: float) -> str:
    return "" if value != value else f"{value:.3f}"


def comparisons(m: Material) -> list[Block]:
    """The newest finished comparison of methods on just these patients."""
    home = m.run.asked.cohort_id
    rows = studies.list_studies(home) if home else []
    same = [s for s in rows if s.asked.fingerprint == m.run.asked.fingerprint]
    done = next((s for s in same if s.progress.state == "done"), None)
    if done is None:
        return []
    found = compared(studies.study_rows(done.id), len(done.asked.classes))
    means = dict(found.means[HEADLINE])
    table = pd.DataFrame(
        [{"Method": entry_title(e), "AUPRC, mean ± sd": mean_text(means[e])} for e in means]
    )
    caption = f"Methods on the same {done.asked.plan.splits} divisions of the patients."
    blocks: list[Block] = [Heading("Beside other methods"), Grid("comparison", caption, table)]
    if found.verdicts:
        blocks.append(Callout(" ".join(comparison_parts(found.verdicts, m.outcome))))
    return blocks
