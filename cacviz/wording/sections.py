"""The sections of a report by name, in their usual order; page and report share the titles."""

from __future__ import annotations

SECTION_TITLES = {
    "short": "In short",
    "cohort": "Question and patients",
    "checks": "Checks and what was done about them",
    "methods": "Methods",
    "subtypes": "Subtypes",
    "differences": "What differs",
    "factors": "Risk factors",
    "performance": "Performance and calibration",
    "helps": "Does clustering help?",
    "choosing": "Choosing k, and sensitivity",
    "elsewhere": "Validation elsewhere",
    "bedside": "Bedside rule",
    "treatment": "Treatment",
    "limits": "Limits",
    "provenance": "Settings, versions and data",
}
