"""The sentences of a report that no page has: methods, limits, provenance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from cacviz.engine.running.methods import METHODS
from cacviz.engine.types import Note, RunSummary, Verdict
from cacviz.wording.methods import method_title
from cacviz.wording.notes import sentence
from cacviz.wording.references import Cited
from cacviz.wording.runs import settings_words
from cacviz.wording.verdicts import verdict_parts
from cacviz.wording.words import patients_words, subtype_name

RESEARCH = "Research use only. Not a medical device: nothing here may guide the care of a patient."
FEW = 5
SMALL_COUNTS = "Counts below 5, and counts that would give them away, are hidden in this document; what is hidden is marked so."
MISSING = "Not in this report: {}. It was not computed for this run."


def careful_note(note: Note, *, hide: bool) -> str:
    """A note as a sentence; with `hide` it tells no count below 5."""
    few = note.values.get("n")
    if not hide or note.code != "few events" or not isinstance(few, int) or not 0 < few < FEW:
        return sentence(note)
    name, word = subtype_name(note.values["cluster"]), note.values["class"]
    return f"{name} has fewer than {FEW} training patients with the outcome “{word}”: too few for its own risk model."


def careful_verdict(verdict: Verdict, outcome: str, *, hide: bool) -> list[str]:
    """The verdict's sentences; with `hide` they tell no count below 5."""
    if hide and verdict.conclusion == "too few" and 0 < verdict.events < FEW:
        said = verdict_parts(replace(verdict, events=FEW), outcome)
        return [part.replace(f"Only {FEW} held-out", f"Fewer than {FEW} held-out") for part in said]
    return verdict_parts(verdict, outcome)


def method_sentences(summary: RunSummary, roles: Mapping[Any, int], cited: Cited) -> list[str]:
    """How the run was made, in paragraphs with citations."""
    method = METHODS.get(summary.config.method)
    title = method_title(summary.config.method)
    settings = settings_words(summary.config, summary.alpha)
    own = f" {method.help}" if method else ""
    return [
        _parts(roles),
        _preparation(summary),
        f"Subtypes were found by {title}{cited(summary.config.method)}: {settings}.{own} A new patient is sent to a "
        "subtype without knowing the outcome.",
        "Beside it stand controls on the same patients: the same method with one subtype (k = 1), k-means with the same "
        f"risk models{cited('kmeans')}, logistic regression and gradient boosting without subtypes.",
        "Discrimination is the area under the precision-recall curve (mean over classes), that of the outcome, and the "
        "area under the ROC curve, all on held-out patients. Intervals are 95% percentile intervals of 400 bootstrap "
        f"samples of patients; those of shares are Wilson's{cited('wilson')}. Differences from controls are paired over the "
        f"same samples and adjusted by Holm's method{cited('holm')}.",
        "Features that made the subtypes differ by construction, so they are ranked by standardised mean difference"
        f"{cited('smd')} and not tested. Only the outcome and columns kept out of clustering were tested, on held-out "
        "patients.",
        f"Separation is the silhouette{cited('silhouette')}; the patient map is a UMAP{cited('umap')}. Risk factors come from "
        "gradient boosting fitted to the risks of each subtype, with SHAP values for their direction"
        f"{cited('shap')}; a column counts only if it tells more of the outcome than copies of itself shuffled among "
        "patients.",
    ]


def _parts(roles: Mapping[Any, int]) -> str:
    together = " All rows of a patient fall in the same part." if roles.get("patient id") else ""
    return (
        "Patients were divided at random, stratified by outcome: 56% to learn from, 19% to tune by, 25% held out."
        f"{together} Nothing was fitted on held-out patients."
    )


def _preparation(summary: RunSummary) -> str:
    ranked = summary.config.get("scaling", "standard") != "standard"
    how = (
        "turned to normal scores by rank"
        if ranked
        else "standardised and clipped at 5 standard deviations"
    )
    return (
        f"Numbers were filled with the median of training patients and {how}. Categories became a column a level; levels of "
        "fewer than 1% of patients were pooled. That a value was not measured is a feature of its own where it goes with "
        "the outcome in training patients (chi-square, p < 0.001)."
    )


def limit_sentences(summary: RunSummary, *, validated: bool, compared: bool) -> list[str]:
    """What this run cannot tell, beside its own warnings."""
    said = [
        "The subtypes describe the patients of this cohort. They are a way of dividing patients, not proof of kinds of "
        "disease, and no cause can be read from risk factors."
    ]
    if not compared:
        said.append(
            "Scores come from one division of the patients; another division gives other figures."
        )
    if not validated:
        said.append("The run was not tried on patients of another place or time.")
    least = min((c.n_test for c in summary.clusters), default=0)
    if least < 100:
        said.append(
            f"The smallest subtype has {'fewer than ' + str(FEW) if least < FEW else f'{least:,}'} held-out patients: its rates "
            "and scores are uncertain."
        )
    if summary.routing_agreement is not None and summary.routing_agreement < 0.9:
        said.append(
            f"{1 - summary.routing_agreement:.0%} of training patients are nearer to another subtype's centre than to their "
            "own: new patients may be sent elsewhere."
        )
    return said


def provenance_rows(
    asked: Any, environment: Mapping[str, Any], summary: RunSummary, run_id: str
) -> list[tuple[str, str]]:
    """Settings, seed, versions and fingerprint: what it takes to get the same again."""
    libraries = environment.get("libraries", {})
    known = ", ".join(f"{name} {value}" for name, value in libraries.items() if value)
    when = datetime.fromtimestamp(asked.created, UTC).strftime("%Y-%m-%d %H:%M UTC")
    return [
        ("Run", run_id),
        ("Made", when),
        ("Cohort", f"{asked.cohort_name}, {patients_words(asked.n_patients, asked.n_people)}"),
        ("Data fingerprint (SHA-256)", asked.fingerprint),
        ("Settings", settings_words(summary.config, summary.alpha)),
        ("Seed", str(summary.config.seed)),
        ("cacviz", str(environment.get("cacviz", "not known"))),
        ("Python", f"{environment.get('python', '')} on {environment.get('platform', '')}"),
        ("Threads", str(environment.get("threads", ""))),
        ("Libraries", known),
        ("Use", RESEARCH),
    ]


def missing_words(summary: RunSummary) -> str:
    """How missing values were handled, in two sentences."""
    return (
        "Missing numbers were filled with the median of training patients; a missing category speaks neither for nor against. "
        "That a value is missing is a feature of its own where it goes with the outcome in training patients."
    )


def missing_line(names: Sequence[str]) -> str:
    """What a section lacks, in one line."""
    return MISSING.format(", ".join(names)) if names else ""
