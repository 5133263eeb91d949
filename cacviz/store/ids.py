"""Names of folders: they sort by time and cannot be guessed or clash."""

from __future__ import annotations

import re
import secrets
import time

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def new_id() -> str:
    """A ULID: sorts by time, 80 random bits against clashes."""
    number = time.time_ns() // 1_000_000 << 80 | secrets.randbits(80)
    return "".join(CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))


def is_id(text: str) -> bool:
    """Whether a word that may come from an address bar is such a name."""
    return re.fullmatch(f"[{CROCKFORD}]{{26}}", text) is not None
