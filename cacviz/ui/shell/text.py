"""Words that more than one page says, and how user text gets on screen."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cacviz.store.wards import ward
from cacviz.wording import serving

TITLE = "cacviz"
RESEARCH_ONLY = "For research; not a medical device."
PAGE_FAILED = (
    "Something on this page went wrong, and it is our fault. Your cohorts and runs are safe on "
    "disk. Reload the page; if it happens again, the log of the app says where."
)
NO_COHORT = "No cohort is open. Open your own data or the demo first."
NO_RUN = (
    "No subtypes yet. They appear here after *Find subtypes*, usually within a minute. "
    "You can also look at the demo."
)
CHOOSE_RUN = "This cohort has runs, but none is open. Choose one."
SYNTHETIC = "This is a synthetic cohort made by cacviz: no real patients, planted subtypes."
STATE_WORDS = {
    "queued": "waiting",
    "running": "running",
    "done": "done",
    "failed": "failed",
    "stopped": "stopped",
    "interrupted": "interrupted",
}
PHASE_WORDS = {
    "starting": "Starting",
    "reading the cohort": "Reading the cohort",
    "preparing": "Loading what the method needs",
    "prepare": "Preparing the patients",
    "tune": "Tuning α",
    "cluster": "Finding subtypes",
    "pretrain": "Learning to describe patients",
    "experts": "Fitting the risk models",
    "hours": "Fitting the risk models that read the hours",
    "trees": "Fitting trees beside the networks",
    "controls": "Fitting the controls",
    "describe": "Describing the result",
    "saving": "Saving",
    "comparing": "Comparing",
    "reading the run": "Reading the run",
    "writing": "Writing",
    "sweeping": "Looking at other numbers, patients and weights",
}


def machine() -> str:
    """Where data are kept and runs are made, as the person at the page calls it."""
    return serving.machine(served=ward() is not None)


def no_such_run() -> str:
    return f"This run is not on {machine()}."


JOINER = "\u2060"  # has no width; Streamlit looks for these in text that is escaped, too
_AT_WORK = (
    r"(?<=[hH][tT][tT][pP]):(?=//)|(?<=[hH][tT][tT][pP][sS]):(?=//)",  # bare addresses
    r"(?<=[wW]{3})(?=\.)|(?<=@)(?=[\w-])",
    r"(?<=:streamlit)(?=:)|(?<=:material)(?=/)",
    r"(?<=[<~>-])(?=[=>-])",  # arrows and signs of inequality
)
_BREAKS = re.compile("|".join(_AT_WORK))


# Harmless where it stands is left alone: a label's name, as read aloud, is what was typed.
_ESCAPED = re.compile(r"(?<=[^\W_])[-_/](?=[^\W_])|[,%'(]|(?<=[^\W\d])\)|([!-/:-@\[-`{-~])")


def plain(text: object) -> str:
    """User text for Markdown, shown as it was typed: nothing is a link, fetched or run.

    ASCII punctuation is escaped, but for commas, brackets around words and what joins two words;
    what Streamlit replaces in escaped text too is broken by a character without width.
    """
    words = " ".join(str(text).split())
    words = _BREAKS.sub(lambda found: f"{found[0]}{JOINER}", words)
    return _ESCAPED.sub(lambda found: f"\\{found[1]}" if found[1] else found[0], words)


def in_lines(sentences: Sequence[str]) -> str:
    """Sentences on lines of their own; the last, which says what follows, comes first, in bold."""
    *reasons, last = (plain(sentence) for sentence in sentences)
    return "  \n".join([f"**{last}**", *reasons])
