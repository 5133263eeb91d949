"""The tour of the demo: five stops, each a page with what to look at there."""

from __future__ import annotations

from typing import NamedTuple


class Stop(NamedTuple):
    """A page of the tour, its question, and what to look at."""

    page: str
    question: str
    text: str


STOPS = (
    Stop(
        "subtypes",
        "Who was found, and does it help?",
        "Start with the box with the scales. Its first line says whether subtypes predict better than no subtypes; the figures below it "
        "come from patients whom nothing has learned from (AUPRC: the higher the better, 1 is perfect). Each card is one subtype: its size, "
        "and how often the outcome happened.",
    ),
    Stop(
        "what_differs",
        "What sets them apart?",
        "At the top stand real tests, on held-out patients. Subtypes may differ little in how many die and yet in why, "
        "which the next page shows. The table below ranks the features that set them apart: these always differ, for they made the "
        "subtypes. Tick the box before a row to see its distribution.",
    ),
    Stop(
        "risk_factors",
        "What drives the outcome inside each?",
        "The same column can raise the risk in one subtype and lower it in another. In this synthetic cohort that was "
        "planted, which is why one model for everybody falls behind.",
    ),
    Stop(
        "performance",
        "May the risks be believed?",
        "See whether a risk of 20% means 20 in 100, and move the threshold to see who would be found and who missed. "
        "Below ten events there is no figure, because it would mean nothing.",
    ),
    Stop(
        "cohort",
        "And your own patients?",
        "Open your file under “Open another cohort”: it stays on {machine}. Choose the outcome, read the checks from the top, "
        "leave out what was known only afterwards, then go on to Find subtypes. Report makes a file of what you found.",
    ),
)
