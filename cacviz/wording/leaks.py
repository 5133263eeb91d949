"""Why a column is suspected of telling the outcome, in words that name it in single quotes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cacviz.engine.reading.kinds import quoted, shorten
from cacviz.wording.words import listed, verb

MOST = 8
NAMES = {
    "decision": "a decision that is made late in a stay",
    "forecast": "somebody's forecast of the outcome",
    "score": "a risk or severity score made by others",
    "cost": "a cost or a charge, which grows until the end of the stay",
    "stay": "a length of stay, which is known only at its end",
    "discharge": "how or when the patient was discharged",
    "survival": "survival, follow-up or another outcome",
    "later": "something that happened after treatment began",
}
FAMILY_TITLES = {
    "tells": "Tells the outcome almost alone",
    "level": "A level excludes or implies the outcome",
    "strong": "Very strong for one column",
    "twin": "Follows a column that is known late",
    "visit": "Measured at a later visit",
    "gap": "Says whether a suspected column was measured",
    "decision": "Late decisions",
    "forecast": "Forecasts",
    "score": "Scores made by others",
    "cost": "Costs and charges",
    "stay": "Lengths of stay",
    "discharge": "Discharge",
    "survival": "Survival and follow-up",
    "later": "After treatment began",
}
ASK = "Keep what is known when the risk is wanted, and leave out the rest."
IF_AFTER = "If {it} recorded after the outcome, every figure is too good: leave {them} out."


def leak_sentence(values: Mapping[str, Any]) -> str:
    """One family of suspicions: `code`, `columns` and the figures of each (`each`)."""
    code, columns, each = values["code"], values["columns"], values["each"]
    many = len(columns) > 1
    say = BY_BEHAVIOUR.get(code)
    text = say(columns, each) if say else _by_name(code, columns)
    after = IF_AFTER.format(it="they were" if many else "it was", them="them" if many else "it")
    words = f"{text} {ASK if say is None else after}"
    return words + (
        " You decided to keep " + ("them." if many else "it.") if values["kept"] else ""
    )


def _quoted(columns: Sequence[str], said: Sequence[str] = ()) -> str:
    notes = [f" ({s})" if s else "" for s in said] or [""] * len(columns)
    shown = [f"'{shorten(c)}'{n}" for c, n in zip(columns[:MOST], notes, strict=False)]
    return listed([*shown, f"{len(columns) - MOST} more"] if len(columns) > MOST else shown)


def _tells(columns: Sequence[str], each: Sequence[Mapping[str, Any]]) -> str:
    said = [f"AUC {v['auc']:.2f}" for v in each]
    does = verb(len(columns), "tells", "each tell")
    return f"{_quoted(columns, said)} {does} the outcome almost alone."


def _strong(columns: Sequence[str], each: Sequence[Mapping[str, Any]]) -> str:
    said = [f"AUC {v['auc']:.2f}" for v in each]
    is_ = verb(len(columns), "is", "are")
    return f"{_quoted(columns, said)} {is_} very strong for one column."


def _twin(columns: Sequence[str], each: Sequence[Mapping[str, Any]]) -> str:
    said = [f"as '{shorten(v['of'], 30)}'" for v in each]
    does = verb(len(columns), "rises and falls", "rise and fall")
    if all(v.get("left_out", True) for v in each):
        return f"{_quoted(columns, said)} {does} with a column that was left out as known late."
    return f"{_quoted(columns, said)} {does} with a column that is known late."


def _visit(columns: Sequence[str], each: Sequence[Mapping[str, Any]]) -> str:
    first = list(dict.fromkeys(v["of"] for v in each))
    n = len(columns)
    return (
        f"{_quoted(columns)} {verb(n, 'seems', 'seem')} to be measured at a later visit than {quoted(first)}, by the "
        f"{verb(n, 'number', 'numbers')} at the end."
    )


def _gap(columns: Sequence[str], each: Sequence[Mapping[str, Any]]) -> str:
    said = [f"of '{shorten(v['of'], 30)}'" for v in each]
    n = len(columns)
    return f"{_quoted(columns, said)} only {verb(n, 'says', 'say')} whether a suspected column was measured."


def _level(columns: Sequence[str], each: Sequence[Mapping[str, Any]]) -> str:
    parts = [
        f"'{shorten(c)}' ({_how(v)})" for c, v in zip(columns[:MOST], each[:MOST], strict=True)
    ]
    parts += [f"{len(columns) - MOST} more"] if len(columns) > MOST else []
    does = verb(len(columns), "gives", "give")
    return f"{listed(parts)} {does} the outcome away."


def _how(v: Mapping[str, Any]) -> str:
    with_ = f"with “{shorten(v['level'], 30)}”" if v["level"] else "who were not measured"
    who = f"{v['n']:,} patients {with_}"
    if v["how"] == "implies":
        return f"all of the {who} have “{v['class']}”"
    if v["how"] == "excludes":
        return f"none of the {who} has “{v['class']}”"
    return f"nearly all “{v['class']}” are among the {who}"


def _by_name(code: str, columns: Sequence[str]) -> str:
    return (
        f"{_quoted(columns)} {verb(len(columns), 'sounds', 'sound')} like "
        f"{NAMES.get(code, 'something known late')}."
    )


BY_BEHAVIOUR = {
    "tells": _tells,
    "level": _level,
    "strong": _strong,
    "twin": _twin,
    "visit": _visit,
    "gap": _gap,
}


def late_words(columns: Sequence[str]) -> str:
    """The line for every page of a run that used columns which may be known late."""
    n = len(columns)
    return (
        f"{quoted(columns)} may be known only after the outcome and {verb(n, 'was', 'were')} used: "
        f"if {verb(n, 'it is', 'they are')}, every figure here is too good."
    )


def doubt_sentence(values: Mapping[str, Any]) -> str:
    """The features together tell the outcome so well that it is doubted."""
    column, auc = f"'{shorten(values['column'])}'", values["auc"]
    share = f"{values['share']:.0%} of its gain"
    if auc >= 0.95:
        also = f", {share} by {column}" if values["share"] > 0.3 else ""
        return (
            f"Together these features tell the outcome almost perfectly (AUC {auc:.2f} in a quick "
            f"boosted model{also}). With patients that is rare: look for columns that were recorded "
            "after the outcome before you believe any figure here."
        )
    return (
        f"{column} has more than half of the say: in a quick boosted model (AUC {auc:.2f}) {share} "
        "is by this column. Make sure that it was known before the outcome; if it was not, every "
        "figure here is too good."
    )
