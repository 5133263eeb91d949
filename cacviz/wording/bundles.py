"""Runs that travel as files, in words."""

from __future__ import annotations

from cacviz.wording.words import counted

NO_PATIENTS = (
    "This run came without its patients: what is known of the subtypes is shown, and it can predict new "
    "patients. The map, separation by patient and distributions need the patients and stay empty."
)
WITHOUT = (
    "No table, no risk and no subtype of any single patient is in the file; the model, settings and figures of "
    "subtypes are."
)
WITH = "The table of patients is in the file: hand it on as you would the patients' records."


def packed_sentence(size: int, with_patients: bool) -> str:
    """How large a file is and what is in it."""
    return f"{size_words(size)}. {WITH if with_patients else WITHOUT}"


def size_words(size: int) -> str:
    """How large a file is: 93 kB, 4.2 MB."""
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(1, round(size / 1e3))} kB"


def imported_sentence(run_id: str, n_patients: int, with_patients: bool) -> str:
    """What was taken in."""
    who = "with its" if with_patients else "without its"
    return (
        f"Run {run_id} was taken in {who} {counted(n_patients, 'patient')}. The page Runs lists it."
    )
