"""What columns are for: a field a role, each with a sentence; all of it stored at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from cacviz.engine.cohorts.choosing import with_roles
from cacviz.engine.types import Choices, Cohort, Role
from cacviz.ui.shell import bound, state
from cacviz.ui.shell.layout import beside
from cacviz.wording.choices import ROLE_HELP, ROLE_TITLES, ROLES_LEAD

ONE: tuple[Role, ...] = ("time", "event", "treatment")
SEVERAL: tuple[Role, ...] = ("sensitive", "external check")
NOTHING: dict[Role, str] = {
    "patient id": "None: every row is another patient",
    "time": "No follow-up time",
    "event": "No event column",
    "treatment": "No treatment",
    "sensitive": "None",
    "external check": "None",
    "left out": "Columns that must not be used",
}


def choose_roles(cohort: Cohort) -> None:
    """Patient id and what is left out; then the roles of columns that make no subtype."""
    st.subheader("Roles")
    st.caption(ROLES_LEAD)
    left, right = beside("roles", [1, 1])
    _one(left, cohort, "patient id")
    _several(right, cohort, "left out", "Leave out")
    for place, role in zip(beside("one_role", 3), ONE, strict=True):
        _one(place, cohort, role)
        place.caption(ROLE_HELP[role])
    for place, role in zip(beside("several_roles", 2), SEVERAL, strict=True):
        _several(place, cohort, role, ROLE_TITLES[role])
        place.caption(ROLE_HELP[role])


def _options(cohort: Cohort) -> list[str]:
    return [c.name for c in cohort.columns if c.role != "outcome"]


def _one(place: Any, cohort: Cohort, role: Role) -> None:
    held = cohort.names(role)
    bound.select(
        place,
        ROLE_TITLES[role],
        _options(cohort),
        held[0] if held else None,
        partial(_give_one, role),
        f"role_{role}",
        placeholder=NOTHING[role],
        help=ROLE_HELP[role],
    )


def _give_one(role: Role, before: str | None, wanted: str | None) -> None:
    """A former id, time or event is left out, for it may tell the outcome; a treatment is known."""
    freed: Role = "feature" if role == "treatment" else "left out"
    roles: dict[str, Role] = {before: freed} if before else {}
    roles |= {wanted: role} if wanted else {}
    state.change(lambda choices: _with(choices, roles))


def _several(place: Any, cohort: Cohort, role: Role, label: str) -> None:
    bound.multiselect(
        place,
        label,
        _options(cohort),
        cohort.names(role),
        partial(_give_several, role),
        f"role_{role}",
        placeholder=NOTHING[role],
        help=ROLE_HELP[role],
    )


def _give_several(role: Role, before: Sequence[str], wanted: Sequence[str]) -> None:
    """What was added gets the role, what was taken away is a feature; another window's stay."""
    roles: dict[str, Role] = {n: "feature" for n in before if n not in wanted}
    roles |= {n: role for n in wanted if n not in before}
    state.change(lambda choices: _with(choices, roles))


def _with(choices: Choices, roles: dict[str, Role]) -> Choices:
    known = {c.name for c in choices.columns}
    return with_roles(choices, {n: r for n, r in roles.items() if n in known})
