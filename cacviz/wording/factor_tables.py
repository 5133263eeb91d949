"""Risk factors as tables: what the explainers of the subtypes found."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from cacviz.engine.insights.types import Mark, Student, View
from cacviz.wording.tables import heads
from cacviz.wording.words import p_text

MARK_WORDS: dict[Mark, str] = {
    "all": "shared by all",
    "some": "shared by some",
    "unique": "unique",
    "": "",
}
CLEAR_WAY = 0.3  # rank correlation of value and effect from which a factor has a direction


def risk_factor_table(view: View, titles: Sequence[str]) -> pd.DataFrame:
    """The ten strongest factors of each subtype side by side: the paper's other table."""
    named = heads(titles)
    columns = {
        named[s.cluster]: [
            f"{f.of or f.title} ({direction_word(f.direction)}{_comma(f.mark)})" for f in s.factors
        ]
        for s in view.students
    }
    longest = max((len(v) for v in columns.values()), default=0)
    filled = {name: [*v, *[""] * (longest - len(v))] for name, v in columns.items()}
    return pd.DataFrame(filled, index=pd.RangeIndex(1, longest + 1, name="Rank"))


def _comma(mark: Mark) -> str:
    return f", {MARK_WORDS[mark]}" if mark else ""


def direction_word(direction: float) -> str:
    """Which way a factor moves the risk."""
    if abs(direction) < CLEAR_WAY:
        return "both ways"
    return "raises" if direction > 0 else "lowers"


def importance_table(student: Student) -> pd.DataFrame:
    """One subtype's factors in figures: the twin of its bars."""
    return pd.DataFrame(
        {
            "Feature": f.of or f.title,
            "Unit": f.unit,
            "Importance": f.importance,
            "Direction": direction_word(f.direction),
            "Among the strongest in": f.stability,
            "R² lost when shuffled": f.permutation,
            "p (beats shuffled copies)": p_text(f.p),
            "Shared": MARK_WORDS[f.mark],
        }
        for f in student.factors
    )
