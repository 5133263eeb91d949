"""Where the patients of a cohort go, in a sentence that adds up."""

from __future__ import annotations

from collections.abc import Sequence

from cacviz.wording.words import counted, verb

PARTS = ("to learn from", "to tune by", "held out to test", "left out: outcome not known")


def flow_sentence(counts: Sequence[int]) -> str:
    """9,105 patients = 5,122 to learn from + 1,707 to tune by + 2,276 held out to test + 0 …"""
    parts = [
        f"{n:,} {words}" for n, words in zip(counts, PARTS, strict=True) if n or words != PARTS[3]
    ]
    total = sum(counts)
    return f"{counted(total, 'patient')} {verb(total, 'is', 'are')} {' + '.join(parts)}."
