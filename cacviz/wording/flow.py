"""Where the patients of a cohort go, in a sentence that adds up."""

from __future__ import annotations

from collections.abc import Sequence

from cacviz.wording.words import patients_words, verb

PARTS = ("to learn from", "to tune by", "held out to test", "left out: outcome not known")
LEGEND = (*PARTS[:3], "left out")  # short, so that it has room in a narrow window
WHOLE = "All stays of a patient go the same way."


def flow_sentence(counts: Sequence[int], people: int = 0) -> str:
    """9,105 patients are 5,122 to learn from + 1,707 to tune by + 2,276 held out to test.

    `people` is how many different patients they are, where some have several stays.
    """
    parts = [
        f"{n:,} {words}" for n, words in zip(counts, PARTS, strict=True) if n or words != PARTS[3]
    ]
    total = sum(counts)
    said = f"{patients_words(total, people)} {verb(total, 'is', 'are')} {' + '.join(parts)}."
    return f"{said} {WHOLE}" if 0 < people < total else said
