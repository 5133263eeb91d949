"""How a command ends that cannot do what was asked."""

from __future__ import annotations

import sys


def fail(sentence: str, code: int = 2) -> int:
    """One line on standard error; the code to end with."""
    print(" ".join(f"cacviz: {sentence}".split()), file=sys.stderr)
    return code
