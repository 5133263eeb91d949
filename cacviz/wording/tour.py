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
        "Start with the box with the scales: it says whether subtypes predict better than no subtypes, on patients whom "
        "nothing has learned from. Each card below is one subtype: its size, and how often the outcome happened.",
    ),
    Stop(
        "what_differs",
        "What sets them apart?",
        "The table ranks the features that part the subtypes; pick a row to see its distribution. Such features always "
        "differ, for they made the subtypes. A real test stands at the top, on held-out patients.",
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
        "See whether a risk of 20 % means 20 in 100, and move the threshold to see who would be found and who missed. "
        "Below ten events there is no figure, because it would mean nothing.",
    ),
    Stop(
        "cohort",
        "And your own patients?",
        "Open your file under “Open another cohort”: it stays on this computer. Choose the outcome, read the checks from the top, "
        "leave out what was known only afterwards, then go on to Find subtypes.",
    ),
)
