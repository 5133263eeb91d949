"""A treatment's effect by subtype: what the figures are, whether they differ, and by how much."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cacviz.engine.insights.described.small_cells import hide_small
from cacviz.engine.insights.treated.types import ArmEffect, Treatment, TreatmentView
from cacviz.figures import treatment as figures
from cacviz.report.blocks import Block, Callout, Grid, Heading, Paragraph, Picture, Points
from cacviz.report.material import Material
from cacviz.store import treatments
from cacviz.wording import treatment as words
from cacviz.wording.factors import risk_of
from cacviz.wording.tables import HIDDEN, WHY_HIDDEN
from cacviz.wording.words import numbers


def treated(m: Material) -> list[Block]:
    """Nothing where no column is the treatment."""
    found: Treatment | None = m.part("treatment")
    if found is None:
        return []
    randomised = _randomised(m, found.name)
    standing = words.standing_sentence(randomised)
    blocks: list[Block] = [Callout(standing, "hint" if randomised else "warning")]
    if words.repeats_sentence(found):
        blocks.append(Callout(words.repeats_sentence(found), "grave"))
    for view in found.views:
        blocks += _view(m, found, view, randomised)
    blocks.append(Paragraph(words.imbalance_sentence(found, randomised=randomised)))
    caption = "Features that differ most between the arms before treatment."
    return [*blocks, Grid("treatment_imbalance", caption, words.imbalance_table(found))]


def _randomised(m: Material, name: str) -> bool | None:
    cohort_id = m.run.asked.cohort_id
    return treatments.randomised(cohort_id, name) if cohort_id else None


def _view(m: Material, found: Treatment, view: TreatmentView, randomised) -> list[Block]:
    what = risk_of(m.cohort, view.code)
    blocks: list[Block] = [Heading(f"Risk of {what}")] if len(found.views) > 1 else []
    blocks.append(Points(tuple(words.verdict_parts(view, randomised=randomised))))
    hidden = _hidden(view) if m.hide else set()
    shown = [e for e in view.effects if e.n and e.n_reference and _key(e) not in hidden]
    reference = words.arm_title(found, found.reference)
    beside = f"Risk of {what}, beside the reference arm ({reference})."
    for ratio in (False, True):
        name = f"treatment_{'odds_ratio' if ratio else 'difference'}_{view.code}"
        rows = [_row(m, e, ratio) for e in shown]
        figure = figures.forest(rows, words.arm_titles(found), ratio=ratio)
        blocks.append(Picture(name, f"{beside} {words.FOREST}", figure))
    why = f" {WHY_HIDDEN}" if m.hide else ""
    return [*blocks, Grid(f"treatment_{view.code}", beside + why, _table(m, found, view, hidden))]


def _row(m: Material, effect: ArmEffect, ratio: bool) -> figures.Row:
    title = words.effect_title(effect, numbers(m.titles))
    return (title, effect.cluster, effect.arm, effect.odds_ratio if ratio else effect.difference)


def _key(effect: ArmEffect) -> tuple[int, int]:
    return effect.cluster, effect.arm


def _hidden(view: TreatmentView) -> set[tuple[int, int]]:
    """Effects whose counts of events or of others are too small to be told, or give one away."""
    found: set[tuple[int, int]] = set()
    for arm in {e.arm for e in view.effects}:
        own = [e for e in view.effects if e.arm == arm]
        small = np.zeros(len(own), dtype=bool)
        for part in ("", "_reference"):
            n = np.array([getattr(e, f"n{part}") for e in own])
            events = np.array([getattr(e, f"events{part}") for e in own])
            small |= hide_small(np.column_stack([events, n - events])).any(axis=1)
        found |= {_key(e) for e, s in zip(own, small, strict=True) if s}
    return found


def _table(m: Material, found: Treatment, view: TreatmentView, hidden) -> pd.DataFrame:
    frame = words.effect_table(found, view, m.titles)
    rows = [i for i, e in enumerate(view.effects) if _key(e) in hidden]
    told = ["Events in the arm", "Events in the reference", "Risk difference", "Odds ratio"]
    frame.loc[rows, told] = HIDDEN
    return frame
