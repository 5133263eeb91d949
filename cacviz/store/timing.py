"""How long this computer's own last runs took, so that the next one's time can be told."""

from __future__ import annotations

from cacviz.store import known

KIND = "seconds"
# Where nothing is known yet: seconds at a million table cells (patients × features), and at none.
FIRST_GUESS = {True: (60.0, 15.0), False: (12.0, 12.0)}  # deep methods, others


def note_run(method: str, cells: int, seconds: float, *, kind: str = "run") -> None:
    """Keep how long a run (or one fit of a comparison) took."""
    key = f"{kind}:{method}"
    known.remember(known.of_machine(), KIND, key, {"cells": int(cells), "seconds": float(seconds)})


def expected_seconds(method: str, cells: int, *, deep: bool, kind: str = "run") -> float:
    """From the last one of this method on this machine; a rough guess before the first."""
    each, least = FIRST_GUESS[deep]
    if kind == "fit":
        each, least = (30.0, 5.0) if deep else (3.0, 0.7)
    found = known.recall(known.of_machine(), KIND, f"{kind}:{method}")
    if isinstance(found, dict) and found.get("seconds") and "cells" in found:
        guessed = least + each * found["cells"] / 1e6
        return max(1.0, (least + each * cells / 1e6) * found["seconds"] / guessed)
    return least + each * cells / 1e6
