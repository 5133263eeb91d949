"""What was decided about a cohort, in words: roles, steps, subgroups, what a run used."""

from __future__ import annotations

from collections.abc import Sequence

from cacviz.engine.reading.kinds import shorten
from cacviz.engine.types import Change, Choices, Condition, Outcome, Role, Step
from cacviz.engine.types.telling import whole_number
from cacviz.wording.words import counted, listed, some_of

CHOOSE_OUTCOME = (
    "Start here: which column says what happened to each patient, such as death in hospital? Once it is chosen, the other "
    "columns are checked: ids, and what was known only afterwards."
)
ROLE_TITLES: dict[Role, str] = {
    "feature": "Feature",
    "outcome": "Outcome",
    "patient id": "Patient id",
    "time": "Time",
    "event": "Event",
    "treatment": "Treatment",
    "sensitive": "Sensitive",
    "external check": "External check",
    "left out": "Left out",
}
ROLES_LEAD = "Fill in what your file has; every role may stay empty."
NONE_LEFT_OUT = "no column left out"  # of patients it is said where they are counted
NO_FAULT = "Nothing suspicious is left."
OPEN_QUESTIONS = (
    "No leak and no fault was found, but a question about your columns is open under “Good to know”. A run that is "
    "made before it is answered will say so."
)
FIRST_LOOK = "The settings below are fit for a first look as they stand; each can be changed."
ROLE_HELP: dict[Role, str] = {
    "patient id": "Rows of one patient stay together when patients are held out.",
    "time": "How long each patient was followed, for survival curves. It does not shape the subtypes.",
    "event": "Whether the follow-up ended with the event (yes) or without it (no, censored).",
    "treatment": "The treatment each patient had, to see whether its effect differs between "
    "subtypes. It does not shape them.",
    "sensitive": "Columns such as sex or ethnicity, by which results are looked at. They do not "
    "shape the subtypes.",
    "external check": "Columns kept apart on purpose, so that differences in them can be tested on "
    "held-out patients.",
    "left out": "Columns that must not be used: above all what is known only after the outcome, "
    "such as length of stay for death.",
}


def outcome_words(outcome: Outcome | None, classes: Sequence[str] = ()) -> str:
    """The outcome as a list shows it: its column, and the event or the classes."""
    if outcome is None:
        return "no outcome yet"
    name = shorten(outcome.column)
    if len(classes) == 2:
        return f"{name} = {classes[1]}"
    return f"{name} ({', '.join(classes)})" if classes else name


def used_words(choices: Choices, classes: Sequence[str] = (), *, most: int = 3) -> str:
    """Outcome, number of features and what is left out, in one line."""
    parts = [
        f"Outcome {outcome_words(choices.outcome, classes)}"
        if choices.outcome
        else "No outcome chosen yet",
        counted(len(choices.names("feature")), "feature"),
        left_out_words(choices, most=most),
    ]
    if choices.subset:
        parts.insert(0, f"Only {subset_words(choices.subset)}")
    return "; ".join(parts)


def left_out_words(choices: Choices, *, most: int = 3) -> str:
    """The names of what is left out: a, b and 13 more."""
    names = choices.names("left out")
    return f"left out: {some_of(names, most)}" if names else NONE_LEFT_OUT


def subset_words(conditions: Sequence[Condition]) -> str:
    """Who is in a subgroup: Age 65 or more and Sepsis yes."""
    return " and ".join(_condition(c) for c in conditions)


def _condition(c: Condition) -> str:
    name = shorten(c.column, 30)
    if c.levels:
        return f"{name} {' or '.join(shorten(level, 20) for level in c.levels)}"
    if c.low is not None and c.high is not None:
        return f"{name} {whole_number(c.low)} to {whole_number(c.high)}"
    if c.low is not None:
        return f"{name} {whole_number(c.low)} or more"
    return name if c.high is None else f"{name} {whole_number(c.high)} or less"


def step_words(step: Step) -> str:
    """What was done in one step, in a sentence part for each kind of change."""
    parts = [*_role_changes(step.changes), *_field_changes(step.changes)]
    for change in step.changes:
        if change.field == "outcome" and change.after is not None:
            parts.insert(0, f"Outcome: {_how(change.after)}")
        elif change.field == "outcome":
            parts.insert(0, "No outcome")
        elif change.field == "subset":
            parts.append(f"Subgroup: {subset_words(change.after)}" if change.after else "Everybody")
        elif change.field == "kept":
            added = [name for code, name in change.after if (code, name) not in change.before]
            parts.append(f"Kept after a warning: {some_of(added, 4)}")
    return "; ".join(parts) or "Nothing"


def _how(outcome: Outcome) -> str:
    name = shorten(outcome.column)
    if outcome.cuts:
        return f"{name} cut at {listed([whole_number(c) for c in outcome.cuts])}"
    if outcome.quantiles:
        return f"{name} in {outcome.quantiles} equal parts"
    return f"{name}, event {outcome.positive}" if outcome.positive else name


def _role_changes(changes: Sequence[Change]) -> list[str]:
    by_role: dict[Role, list[str]] = {}
    for change in changes:
        if change.field == "role" and change.after != "outcome":
            by_role.setdefault(change.after, []).append(change.column)
    return [f"{ROLE_TITLES[role]}: {some_of(names, 4)}" for role, names in by_role.items()]


def _field_changes(changes: Sequence[Change]) -> list[str]:
    kinds: dict[str, list[str]] = {}
    missing: dict[str, list[str]] = {}
    plain: dict[str, list[str]] = {}
    for change in changes:
        if change.field == "kind":
            kinds.setdefault(change.after, []).append(change.column)
        elif change.field == "missing":
            missing.setdefault(", ".join(change.after), []).append(change.column)
        else:
            plain.setdefault(change.field, []).append(change.column)
    parts = [f"Read as {kind_words(k)}: {some_of(n, 4)}" for k, n in kinds.items()]
    parts += [f"{c or 'Nothing'} means missing: {some_of(n, 4)}" for c, n in missing.items()]
    for name, title in (("label", "Labelled"), ("unit", "Unit"), ("levels", "Levels named")):
        if name in plain:
            parts.append(f"{title}: {some_of(plain[name], 4)}")
    return parts


def role_words(role: object) -> str:
    return next((title for name, title in ROLE_TITLES.items() if name == role), str(role))


def kind_words(kind: object) -> str:
    return "yes/no" if kind == "yesno" else str(kind)


def difference_words(run: Choices, today: Choices) -> str:
    """How a run's choices differ from today's; empty where they are the same."""
    parts = []
    if run.outcome != today.outcome:
        parts.append(f"outcome {_how(run.outcome) if run.outcome else 'none'}")
    theirs, ours = set(run.names("feature")), set(today.names("feature"))
    if theirs - ours:
        parts.append(f"{counted(len(theirs - ours), 'more feature')} ({_some(theirs - ours)})")
    if ours - theirs:
        parts.append(f"without {_some(ours - theirs)}")
    if run.subset != today.subset:
        parts.append(f"only {subset_words(run.subset)}" if run.subset else "everybody")
    if not parts and _read(run) != _read(today):
        parts.append("columns read in another way, or in other roles")
    return ", ".join(parts)


def _some(names: set[str]) -> str:
    return some_of(sorted(names), 3)


def _read(choices: Choices) -> list[tuple]:
    return [(c.name, c.kind, c.role, c.missing, c.levels) for c in choices.columns]


def event_says_no(event: str) -> str:
    """A warning where the class that says no is taken for the event."""
    return (
        f"“{event}” mostly says that the event did not happen. Every risk and rate will be of it; choose the other class "
        "if that is the event."
    )
