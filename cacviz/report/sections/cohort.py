"""The question, who was asked, what was found in the data and what was done about it."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cacviz.engine.insights.described.small_cells import shown_counts
from cacviz.engine.types import TEST, TRAIN, UNUSED, VALIDATION
from cacviz.figures import flow
from cacviz.report.blocks import Block, Callout, Grid, Paragraph, Picture, Points, paragraphs
from cacviz.report.material import Material
from cacviz.wording.checks import check_sentence
from cacviz.wording.choices import ROLE_TITLES, step_words, subset_words, used_words
from cacviz.wording.flow import LEGEND, flow_sentence
from cacviz.wording.methods import method_title
from cacviz.wording.reports import FEW, SMALL_COUNTS, careful_note, careful_verdict
from cacviz.wording.tables import HIDDEN
from cacviz.wording.words import counted, patients_words, some_of

SYNTHETIC = "This is a synthetic cohort made by cacviz: no real patients, planted subtypes."
MOST_STEPS = 25
MOST_MISSING = 25


def in_short(m: Material) -> list[Block]:
    """The answer on one page: what was asked, of whom, and what came of it."""
    summary = m.summary
    k = counted(len(summary.clusters), "subtype")
    patients = patients_words(m.run.asked.n_patients, m.run.asked.n_people)
    blocks: list[Block] = [
        Paragraph(
            f"{method_title(summary.config.method)} divided {patients} of "
            f"{m.run.asked.cohort_name} into {k} that matter for {m.outcome}."
        )
    ]
    if m.run.asked.origin == "synthetic":
        blocks.append(Callout(SYNTHETIC))
    for note in summary.notes:
        if note.severity == "grave":
            blocks.append(Callout(careful_note(note, hide=m.hide), "grave"))
    if summary.verdict:
        *before, last = careful_verdict(summary.verdict, m.outcome, hide=m.hide)
        blocks += [*paragraphs(" ".join(before)), Callout(last)]
    return blocks


def flow_of(m: Material) -> list[Block]:
    """Question, patients and their outcomes, and where they went."""
    asked = m.run.asked
    words = used_words(asked.choices, asked.classes, most=12)
    blocks: list[Block] = [
        Paragraph(
            f"Question: which subtypes of the patients of {asked.cohort_name} matter for "
            f"{m.outcome}, and do they help to predict it? {words}."
        )
    ]
    if asked.choices.subset:
        blocks.append(Paragraph(f"Only patients with {subset_words(asked.choices.subset)}."))
    if len(m.run.part):
        counts = [int(np.sum(m.run.part == p)) for p in (TRAIN, VALIDATION, TEST, UNUSED)]
        said = flow_sentence(counts, asked.n_people)
        blocks.append(Paragraph(said))
        caption = f"Where the patients went. {said}"
        blocks.append(Picture("patients", caption, flow.patients(counts, LEGEND)))
        blocks.append(Grid("outcomes", "Outcome of the patients.", _classes(m)))
    blocks.append(Grid("roles", "Columns by role.", _roles(m)))
    missing = _missing(m)
    if len(missing):
        more = len(missing) - MOST_MISSING
        rest = (
            f" {counted(more, 'more column has', 'more columns have')} fewer." if more > 0 else ""
        )
        caption = f"Missing values of training patients, the most first.{rest}"
        blocks.append(Grid("missing_values", caption, missing.head(MOST_MISSING)))
    return blocks


def _missing(m: Material) -> pd.DataFrame:
    """Columns with missing values; a count below 5 is hidden, and so is that of the others."""
    described = m.part("described")
    found = (
        [] if described is None else [f for f in described.profiles.features if f.overall.missing]
    )
    rows = []
    for f in sorted(found, key=lambda f: -f.overall.missing):
        gone, n = f.overall.missing, f.overall.n + f.overall.missing
        few = m.hide and min(gone, n - gone) < FEW and min(gone, n - gone) > 0
        said = f"fewer than {FEW}" if gone < FEW else HIDDEN
        rows.append({"Column": f.title, "Missing": said if few else f"{gone:,} ({gone / n:.1%})"})
    return pd.DataFrame(rows)


def _classes(m: Material) -> pd.DataFrame:
    known = m.cohort.y[m.cohort.y >= 0]
    counts = np.bincount(known, minlength=len(m.cohort.classes))
    shown = shown_counts(counts) if m.hide else tuple(int(n) for n in counts)
    rows = [
        {
            m.outcome: word,
            "Patients": HIDDEN if n is None else f"{n:,}",
            "Share": HIDDEN if n is None else f"{n / max(1, counts.sum()):.1%}",
        }
        for word, n in zip(m.cohort.classes, shown, strict=True)
    ]
    return pd.DataFrame(rows)


def _roles(m: Material) -> pd.DataFrame:
    found = [(role, m.cohort.names(role)) for role in ROLE_TITLES]
    return pd.DataFrame(
        {"Role": ROLE_TITLES[role], "Columns": len(names), "Names": some_of(names, 40)}
        for role, names in found
        if names
    )


def checks(m: Material) -> list[Block]:
    """What the checks found, and what was decided, in the words of the page Cohort."""
    blocks: list[Block] = []
    if m.checks is None:
        blocks.append(Paragraph("The checks of the page Cohort were not kept with these choices."))
    elif not m.checks:
        blocks.append(Paragraph("The checks found nothing to report."))
    else:
        blocks.append(Points(tuple(check_sentence(check) for check in m.checks)))
    leaks = [n for n in m.summary.notes if n.code in ("leak", "doubt")]
    if leaks and m.checks is None:
        blocks.append(Points(tuple(careful_note(n, hide=m.hide) for n in leaks)))
    done = [step_words(step) for step in m.steps]
    if done:
        more = len(done) - MOST_STEPS
        blocks.append(Paragraph("What was done, in this order:"))
        blocks.append(Points(tuple(done[:MOST_STEPS])))
        blocks += paragraphs(f"And {counted(more, 'more step')}." if more > 0 else "")
    else:
        blocks.append(Paragraph("Nothing was changed by hand after the file was opened."))
    if m.hide:
        blocks.append(Paragraph(SMALL_COUNTS))
    return blocks
