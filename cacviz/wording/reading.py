"""How to read each page: a few lines, and which words of the glossary stand on it.

A new page adds its line here; until it has one, it offers the words that every page needs.
"""

from __future__ import annotations

from typing import NamedTuple

from cacviz.wording.glossary import GLOSSARY, Entry


class Reading(NamedTuple):
    """How to read a page, and the words that stand on it."""

    lines: tuple[str, ...]
    words: tuple[str, ...]


OF_EVERY_PAGE = Reading(
    ("Figures of held-out patients are evidence; figures of training patients describe.",),
    ("subtype", "k", "held_out", "control", "interval"),
)
READINGS: dict[str, Reading] = {
    "start": Reading(
        (
            "Look at the demo first: it is synthetic, its truth is known, and every page is filled.",
            "Your own data stay on {machine}. *Cohort* opens them, *Find subtypes* looks, *Subtypes* shows who was found.",
            "*Method* explains in six pictures how it works.",
        ),
        ("subtype", "control", "held_out"),
    ),
    "cohort": Reading(
        (
            "Choose the outcome first; then read the checks from the top, where the gravest stand.",
            "A column that was known only after the outcome must be left out, or every later figure is too good.",
            "What you decide here stands on every page; runs made before keep the decisions of their day.",
        ),
        ("leak", "missing", "held_out"),
    ),
    "find_subtypes": Reading(
        (
            "CAC is a quick look, DeepCAC the full analysis. Start with k = 3 and the defaults.",
            "CAC starts at half the critical value of α, which is shown beside it: whoever types a value stays below it.",
            "The controls are fitted with every run, so that you see what subtypes add.",
        ),
        ("k", "alpha", "critical", "beta", "expert", "routing", "control", "silhouette"),
    ),
    "subtypes": Reading(
        (
            "Read the verdict first: it says whether the subtypes predict better than no subtypes.",
            "Then the cards: size, and the outcome's rate among held-out patients with its interval. Overlapping intervals: no difference shown.",
            "The map is for orientation. Select patients on it to describe and export them.",
        ),
        (
            "verdict", "subtype", "held_out", "interval", "control", "auprc", "auc", "silhouette",
            "map", "membership",
        ),
    ),
    "what_differs": Reading(
        (
            "Features are ordered by how far they set two subtypes apart, in standard deviations.",
            "Large differences are expected: the subtypes were made from these features. Tests stand only where they mean something.",
            "Look at the held-out column: a difference that vanishes there was luck.",
        ),
        ("effect", "circular", "holm", "stability", "held_out"),
    ),
    "risk_factors": Reading(
        (
            "First look at how well each explainer imitates the run; below 0.7 its factors are hints.",
            "Shared factors matter in every subtype, unique ones in one only; a factor must have beaten shuffled copies of itself.",
            "A factor moves the model's risk. Whether it moves the patient's is another question.",
        ),
        ("student", "shap", "expert", "stability"),
    ),
    "compare": Reading(
        (
            "Every method learns from and is judged by the same patients, over several splits.",
            "Read differences with their intervals, not ranks: first places change by chance.",
            "k = 1 is the same method without subtypes; if it is as good, subtypes did not help.",
        ),
        ("control", "k", "auprc", "auc", "difference", "holm", "verdict", "ari"),
    ),
    "runs": Reading(
        (
            "Every run keeps its settings, patients and results until you delete it.",
            "Two runs with the same settings and seed are the same to the last digit.",
        ),
        ("subtype", "k", "alpha", "auprc"),
    ),
    "performance": Reading(
        (
            "All curves are of held-out patients; bands are 95% intervals.",
            "Discrimination (AUC, AUPRC) says who is at higher risk; calibration says whether the risk is right in size.",
            "Where a subtype has fewer than ten events there is no number, because it would mean nothing.",
        ),
        ("auc", "auprc", "calibration", "threshold", "net_benefit", "interval", "held_out"),
    ),
    "patient": Reading(
        (
            "The subtype comes with a margin: small means that the patient lies between two subtypes.",
            "The risk is that of patients like this one in this cohort, not a prognosis.",
            "What changes if a value changes is what the model says, not what treatment would do.",
        ),
        ("membership", "routing", "expert", "shap", "interval"),
    ),
    "choose_k": Reading(
        (
            "No single number chooses k: weigh stability, held-out scores and the smallest subtype together.",
            "One subtype is an answer too: it says that splitting this cohort gained nothing.",
        ),
        ("k", "stability", "silhouette", "auprc", "held_out", "alpha", "beta"),
    ),
    "report": Reading(
        (
            "What is in the report is what the pages show; counts below five are hidden unless you decide otherwise.",
            "What software cannot know (who was eligible, how the outcome was measured) is left for you to fill in.",
        ),
        ("held_out", "control", "interval", "calibration"),
    ),
    "validate": Reading(
        (
            "Nothing is fitted to the new patients: the run is applied to them as it is.",
            "Replicated means: the same cut is found anew, outcomes differ as before (or the check of the run found more than one cloud), and the risks still rank.",
        ),
        ("validation", "calibration", "auc", "ari", "interval"),
    ),
    "treatment": Reading(
        (
            "Everything is of held-out patients; the treatment had no part in making the subtypes.",
            "First say whether the treatment was randomised: if it was not, these are associations.",
            "Read the test of interaction and its power, not which of the intervals excludes no difference.",
        ),
        ("subtype", "held_out", "interval", "difference"),
    ),
    "rule": Reading(
        (
            "The rule imitates the run's subtypes with a few variables; its kappa on held-out patients says how well.",
            "Read sensitivity and predictive value of each subtype before it is used anywhere.",
        ),
        ("rule", "kappa", "subtype", "held_out"),
    ),
    "method": Reading(
        (
            "Move the sliders: each picture has one sentence, and what you see is computed while you look (but for picture 5).",
            "To see what α does, press Play in picture 1, then move α beyond 1 and play again.",
        ),
        ("alpha", "critical", "k", "margin", "routing", "embedding", "held_out", "bound", "log_loss"),
    ),
}  # fmt: skip
SAME = {"sensitivity": "choose_k", "bedside_rule": "rule"}


def reading_of(page: str) -> Reading:
    """How to read a page."""
    return READINGS.get(SAME.get(page, page), OF_EVERY_PAGE)


def words_of(page: str) -> list[Entry]:
    """The words that stand on a page."""
    return [GLOSSARY[name] for name in reading_of(page).words]


def entry_text(entry: Entry) -> str:
    """A word of the glossary in Markdown."""
    limit = f" *{entry.limit}*" if entry.limit else ""
    return f"**{entry.word}.** {entry.meaning}{limit}"
