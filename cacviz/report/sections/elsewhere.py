"""The run in other cohorts, where it was looked at: verdict, columns, subtypes here and there."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cacviz.engine.insights.described.small_cells import hide_small
from cacviz.engine.insights.elsewhere.types import Validation
from cacviz.figures.bedside import rates_twice
from cacviz.figures.elsewhere import paired_profiles
from cacviz.report.blocks import Block, Callout, Grid, Heading, Paragraph, Picture, Points
from cacviz.report.material import Material
from cacviz.store import validations
from cacviz.wording import elsewhere as words
from cacviz.wording.factors import risk_of
from cacviz.wording.tables import HIDDEN, WHY_HIDDEN
from cacviz.wording.words import numbers

FEATURES = 18
TONES = {"not replicated": "warning", "cannot be told": "warning"}


def elsewhere(m: Material) -> list[Block]:
    """Every finished validation of the run, the newest of each cohort."""
    blocks: list[Block] = []
    for place, found in enumerate(validated(m)):
        blocks += _one(m, found, f"_{place + 1}" if place else "")
    return blocks


def validated(m: Material) -> list[Validation]:
    """What was found in each other cohort."""
    newest: dict[tuple[str, str], str] = {}
    for row in validations.list_validations(m.run.id):
        if row.progress.state == "done":
            newest.setdefault((row.asked.cohort_id, row.asked.outcome), row.id)
    return [validations.load_validation(name) for name in newest.values()]


def _one(m: Material, found: Validation, end: str) -> list[Block]:
    *reasons, verdict = words.verdict_parts(found.verdict)
    table = _table(m, found)
    why = f" {WHY_HIDDEN}" if m.hide else ""
    caption = f"Subtypes in {found.cohort}. {words.BY_CONSTRUCTION}{why}"
    blocks: list[Block] = [
        Heading(f"In {found.cohort}"),
        Callout(verdict, TONES.get(found.verdict.word, "hint")),  # type: ignore[arg-type]
        Points(tuple(reasons)),
        Paragraph(words.figures_sentence(found)),
        Paragraph(f"{words.match_words(found.matches)} {words.anew_sentence(found)}".strip()),
        Grid(f"elsewhere{end}", caption, table),
    ]
    if not (m.hide and _small(found).any()):
        blocks.append(_rates(m, found, end))
    unlike = [c for c in found.matches if c.state not in ("matched", "another name")]
    if unlike:
        frame = words.match_table(unlike).rename(columns={"": "State"})
        blocks.append(Grid(f"elsewhere_columns{end}", "Columns that need a look.", frame))
    return [*blocks, _profiles(m, found, end)]


def _small(found: Validation) -> np.ndarray:
    """Subtypes by event or none: True where a count there is too small to be told."""
    return hide_small(np.array([[s.events, s.n - s.events] for s in found.subtypes]))


def _table(m: Material, found: Validation) -> pd.DataFrame:
    outcomes = _outcomes(m, found)
    frame = words.subtype_table(found, m.titles, outcomes)
    if m.hide:
        small = _small(found).any(axis=1)
        told = [c for c in (f"{outcomes[-1]} there", "Observed / expected") if c in frame]
        frame.loc[small, told] = HIDDEN
    return frame


def _outcomes(m: Material, found: Validation) -> list[str]:
    return [risk_of(m.cohort, code) for code in range(len(found.classes))]


def _rates(m: Material, found: Validation, end: str) -> Picture:
    code = len(found.classes) - 1
    figure = rates_twice(
        m.heads,
        [s.rates[code] for s in found.subtypes],
        [s.home_rates[code] for s in found.subtypes],
        _outcomes(m, found)[code],
        code=code,
        n_classes=len(found.classes),
        names=("at home, held out", "there"),
    )
    caption = f"Share with {_outcomes(m, found)[code]} at home and in {found.cohort}."
    return Picture(f"elsewhere_rates{end}", f"{caption} Whiskers: 95% intervals.", figure)


def _profiles(m: Material, found: Validation, end: str) -> Picture:
    home = np.array([s.home_profile for s in found.subtypes], dtype=float)
    there = np.array([s.profile for s in found.subtypes], dtype=float)
    figure = paired_profiles(home, there, found.columns, numbers(m.titles), FEATURES)
    return Picture(f"elsewhere_profiles{end}", words.profile_caption(found, FEATURES), figure)
