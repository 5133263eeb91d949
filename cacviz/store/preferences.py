"""What the user prefers on this computer: small counts, shown or hidden."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cacviz.store import atomic, paths, wards
from cacviz.store.records import from_plain, to_plain

FILE = "preferences.json"


@dataclass(frozen=True, slots=True)
class Preferences:
    """One's own data on one's own computer are shown; what is handed on hides small counts."""

    hide_small: bool = False  # on screen
    hide_in_files: bool = True  # in whatever is exported for others


def _first() -> Preferences:
    """Before anything was chosen: on a ward's server the screen hides small counts, too."""
    return Preferences(hide_small=wards.ward() is not None)


def read_preferences() -> Preferences:
    """As kept; a damaged file means the defaults."""
    try:
        kept = atomic.read_json(paths.data_dir() / FILE) or {}
        return from_plain(Preferences, {**to_plain(_first()), **kept})
    except (TypeError, ValueError):
        return _first()


def change_preferences(**changes: bool) -> Preferences:
    """Keep other preferences."""
    wanted = replace(read_preferences(), **changes)
    atomic.write_json(paths.data_dir() / FILE, to_plain(wanted))
    return wanted
