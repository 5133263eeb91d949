"""The model card and the TRIPOD+AI sheet, as reports of their own."""

from __future__ import annotations

import re
from collections.abc import Callable

import pandas as pd

from cacviz.engine.types import TEST, TRAIN, VALIDATION
from cacviz.report.blocks import Block, Callout, Grid, Paragraph, Points, Report, Section
from cacviz.report.material import Material
from cacviz.report.sections import closing, cohort, performance, subtypes
from cacviz.report.sections.elsewhere import validated
from cacviz.wording.choices import outcome_words, subset_words
from cacviz.wording.flow import flow_sentence
from cacviz.wording.methods import method_title
from cacviz.wording.references import REFERENCES, Cited
from cacviz.wording.reports import (
    RESEARCH,
    limit_sentences,
    method_sentences,
    missing_words,
)
from cacviz.wording.tripod import ITEMS, WHO
from cacviz.wording.words import interval_text, listed, patients_words, some_of

USES = (
    "To describe subtypes of patients and to study whether they matter for the outcome, by people "
    "who know the data.",
    "Not to decide about the care of a patient, nor about patients unlike those of the cohort.",
)


def model_card(m: Material) -> Report:
    """What the model is, for whom, how well it does, and what it cannot do."""
    sections = (
        Section("model", "Model", tuple(closing.methods(m)[2:3])),
        Section("use", "Intended use", (Points(USES), Callout(RESEARCH))),
        Section("data", "Data", tuple(cohort.flow_of(m))),
        Section("scores", "Performance", (*performance.performance(m), *performance.helps(m))),
        Section("groups", "Subtypes", (Grid("subtypes", "The subtypes.", subtypes.cards(m)),)),
        Section("limits", "Limits and fairness", (*closing.limits(m), *_fairness(m))),
        Section("source", "Where it comes from", tuple(closing.provenance(m))),
    )
    title = f"Model card: {_name(m)}"
    return Report(title, (f"Outcome {m.outcome}.", RESEARCH), sections)


def _name(m: Material) -> str:
    asked = m.run.asked
    how = f"{method_title(asked.config.method)}, k = {asked.config.n_clusters}"
    return f"{asked.cohort_name} for {m.outcome} ({how})"


def _fairness(m: Material) -> list[Block]:
    return [Paragraph(_answer_fairness(m))]


def tripod_sheet(m: Material) -> Report:
    """Each item of TRIPOD+AI: filled from the run, for the authors, or not applicable and why."""
    rows = []
    for item in ITEMS:
        said = ANSWERS[item.number](m) if item.how == "software" else ""
        answer = " ".join(filter(None, [said, item.hint]))
        rows.append((item.number, item.topic, item.asks, WHO[item.how], answer))
    columns = ["Item", "Topic", "What is asked", "By whom", "Answer"]
    frame = pd.DataFrame(rows, columns=columns)
    n = {how: sum(item.how == how for item in ITEMS) for how in WHO}
    lead = (
        f"{n['software']} of {len(ITEMS)} points are filled from the run, {n['authors']} are left "
        f"to the authors and {n['none']} do not apply. Items in our own words; the checklist: "
        f"{REFERENCES['tripod']}"
    )
    grid = Grid("tripod_ai", "TRIPOD+AI, 27 items with their parts.", frame)
    section = Section("tripod", "Checklist", (Paragraph(lead), grid))
    return Report(
        f"TRIPOD+AI: {_name(m)}", ("Filled as far as software can.", RESEARCH), (section,)
    )


def _methods(m: Material) -> list[str]:
    roles = {role: len(m.cohort.names(role)) for role in ("patient id",)}
    return [uncited(text) for text in method_sentences(m.summary, roles, Cited())]


def uncited(text: str) -> str:
    """A sentence without the numbers of references."""
    return re.sub(r" \[[\d, ]+\]", "", text)


def _counts(m: Material) -> str:
    if not len(m.run.part):
        who = patients_words(m.run.asked.n_patients, m.run.asked.n_people)
        return f"{who}; their flow is not in this file."
    found = [int((m.run.part == p).sum()) for p in (TRAIN, VALIDATION, TEST, -1)]
    return flow_sentence(found, m.run.asked.n_people)


def _size(m: Material) -> str:
    features = len(m.cohort.names("feature")) or 1
    n = sum(c.n for c in m.summary.clusters)
    return (
        f"{n:,} training patients and {features} features: {n / features:.0f} patients a feature."
    )


def _answer_fairness(m: Material) -> str:
    names = m.run.asked.choices.names("sensitive")
    if not names:
        return (
            "No column was marked as sensitive, so nothing was looked at by sex, age or ethnicity."
        )
    return (
        f"Sensitive columns, kept out of the subtypes and compared between them: {listed(names)}."
    )


def _scores(m: Material) -> str:
    test = m.summary.test
    return f"AUPRC {interval_text(test['auprc_macro'])}, AUC {interval_text(test['auc'])} (95%)."


def _treatment(m: Material) -> str:
    names = m.run.asked.choices.names("treatment")
    return (
        f"Treatment column: {listed(names)}; it did not shape the subtypes."
        if names
        else "None was named."
    )


def _eligible(m: Material) -> str:
    subset = m.run.asked.choices.subset
    kept = f"Only patients with {subset_words(subset)}." if subset else "All rows of the file."
    return f"{kept} Rows without an outcome were left out."


def _predictors(m: Material) -> str:
    used, gone = m.run.asked.choices.names("feature"), m.run.asked.choices.names("left out")
    said = f"All {len(used)} columns but those left out: {some_of(used, 30)}."
    return f"{said} Left out: {some_of(gone, 20)}." if gone else said


def _limits(m: Material) -> str:
    return " ".join(limit_sentences(m.summary, validated=bool(validated(m)), compared=False))


def _outcome(m: Material) -> str:
    return f"{outcome_words(m.run.asked.choices.outcome, m.summary.classes)}."


ANSWERS: dict[str, Callable[[Material], str]] = {
    "1": lambda m: f"Subtypes of {m.run.asked.cohort_name} for {m.outcome}: a prediction model.",
    "4": lambda m: "Development, with evaluation on held-out patients of the same cohort.",
    "6b": _eligible,
    "6c": _treatment,
    "7": lambda m: f"{_methods(m)[1]} Checks: section “Checks and what was done about them”.",
    "8a": _outcome,
    "9a": _predictors,
    "9b": lambda m: "Names, labels, units and summaries: Table 1 of the report.",
    "10": _size,
    "11": lambda m: missing_words(m.summary),
    "12a": lambda m: _methods(m)[0],
    "12b": lambda m: _methods(m)[1],
    "12c": lambda m: _methods(m)[2],
    "12e": lambda m: _methods(m)[4],
    "12g": lambda m: (
        "By the stored model: `cacviz predict RUN_DIR NEW.csv`; the run is a zip file."
    ),
    "13": lambda m: "None was used: nothing was reweighted or resampled.",
    "14": _answer_fairness,
    "15": lambda m: "The subtype and a probability of each class; no threshold was set.",
    "16": lambda m: "None by design: held-out patients were drawn at random from the same cohort.",
    "18f": lambda m: (
        "The script that reproduces the run comes with the report; cacviz is open (MIT)."
    ),
    "20a": _counts,
    "20b": lambda m: "Table 1 of the report, overall and by subtype, with missing values.",
    "20c": lambda m: "Differences as found and on held-out patients: section “What differs”.",
    "21": _counts,
    "22": lambda m: "The run as a zip file holds the whole model; it opens with `cacviz import`.",
    "23a": _scores,
    "26": _limits,
    "27a": lambda m: f"{missing_words(m.summary)} A file that lacks columns is refused by name.",
}
