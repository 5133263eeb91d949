"""Data dictionaries: a row a column (label, unit, role, levels), read in or written out."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import NamedTuple

import pandas as pd

from cacviz.engine.cohorts.choosing import settled
from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.kinds import as_words, shorten
from cacviz.engine.types import ALONE, ROLES, Choices, Column, Kind, Outcome, Role

HEADS = {
    "column": (
        *("column", "name", "variable", "field", "columnname", "variablename", "fieldname"),
        *("spalte", "merkmal", "colonne", "variablenname", "columna", "campo", "kolom", "var"),
    ),
    "label": (
        *("label", "description", "title", "meaning", "beschreibung", "bezeichnung", "libelle"),
        *("etiqueta", "descripcion", "etichetta", "descrizione", "omschrijving", "definition"),
        *("fieldlabel", "variablelabel", "longname"),
    ),
    "unit": ("unit", "units", "einheit", "unite", "unidad", "unita", "eenheid", "unidade"),
    "role": ("role", "rolle", "rol", "ruolo", "use", "usage", "verwendung"),
    "kind": ("kind", "type", "datatype", "fieldtype", "typ", "tipo"),
    "levels": (
        *("levels", "values", "codes", "choices", "categories", "coding", "valuelabels"),
        *(
            "auspragungen",
            "kodierung",
            "modalites",
            "valores",
            "valori",
            "waarden",
            "allowedvalues",
        ),
        "choicescalculationsorsliderlabels",
    ),
}
ROLE_WORDS: dict[str, Role] = {
    **{role: role for role in ROLES},
    **dict.fromkeys(("predictor", "input", "covariate", "merkmal", "independent"), "feature"),
    **dict.fromkeys(("target", "dependent", "zielgroesse", "endpoint", "response"), "outcome"),
    **dict.fromkeys(("id", "identifier", "patient", "patientid", "key"), "patient id"),
    **dict.fromkeys(("ignore", "drop", "exclude", "leave out", "unused", "no"), "left out"),
    **dict.fromkeys(("arm", "exposure", "intervention"), "treatment"),
    **dict.fromkeys(("protected", "demographic"), "sensitive"),
    **dict.fromkeys(("check", "validation", "external"), "external check"),
    **dict.fromkeys(("duration", "survival time", "followup"), "time"),
    **dict.fromkeys(("status", "censoring"), "event"),
}
KIND_WORDS: dict[str, Kind] = {
    **dict.fromkeys(("number", "numeric", "integer", "float", "continuous", "int"), "number"),
    **dict.fromkeys(
        ("category", "categorical", "factor", "nominal", "radio", "dropdown"), "category"
    ),
    **dict.fromkeys(("yesno", "yes/no", "binary", "boolean", "bool", "truefalse"), "yesno"),
    **dict.fromkeys(("date", "datetime"), "date"),
}


class Reading(NamedTuple):
    """What a dictionary changed, and what of it could not be used, as plain facts."""

    choices: Choices
    known: tuple[str, ...]  # columns that it speaks of
    unknown: tuple[str, ...]  # names that the cohort does not have
    odd: tuple[str, ...]  # words that are no role or kind


def read_dictionary(frame: pd.DataFrame, choices: Choices) -> Reading:
    """Labels, units, roles, kinds and levels from a table; what it does not say stays."""
    heads = _heads(frame)
    rows = {str(r[heads["column"]]).strip(): r for _, r in frame.iterrows()}
    exact = {c.name: c for c in choices.columns}
    loose = {_bare(name): name for name in exact}
    found: dict[str, Column] = {}
    unknown: list[str] = []
    odd: list[str] = []
    for said, row in rows.items():
        name = said if said in exact else loose.get(_bare(said))
        if name is None:
            unknown.append(said)
            continue
        found[name] = _column(exact[name], {k: _text(row[h]) for k, h in heads.items()}, odd)
    columns = _alone(tuple(found.get(c.name, c) for c in choices.columns))
    outcome = next((c.name for c in columns if c.role == "outcome"), None)
    kept = choices.outcome
    if outcome is not None and (kept is None or kept.column != outcome):
        kept = Outcome(outcome)
    changed = settled(replace(choices, columns=columns, outcome=kept))
    return Reading(changed, tuple(found), tuple(unknown), tuple(dict.fromkeys(odd)))


def write_dictionary(choices: Choices) -> pd.DataFrame:
    """A row a column, in the form that `read_dictionary` takes."""
    return pd.DataFrame(
        {
            "column": c.name,
            "label": c.label,
            "unit": c.unit,
            "role": c.role,
            "kind": c.kind,
            "levels": "; ".join(f"{code} = {name}" for code, name in c.levels),
        }
        for c in choices.columns
    )


def _heads(frame: pd.DataFrame) -> dict[str, str]:
    """Which column of the dictionary holds what, by its own headings."""
    bare = {_bare(str(name)): str(name) for name in frame.columns}
    found: dict[str, str] = {}
    for key, names in HEADS.items():
        head = next((bare[n] for n in names if n in bare), None)
        if head is not None and head not in found.values():
            found[key] = head
    if "column" not in found or len(found) < 2:
        raise CohortError(
            "This is no data dictionary: it needs a column named “column” with the names of the "
            f"cohort's columns, and one of label, unit, role, kind or levels. It has: "
            f"{', '.join(shorten(n, 20) for n in list(frame.columns)[:8])}."
        )
    return found


def _column(column: Column, said: dict[str, str], odd: list[str]) -> Column:
    changes: dict = {}
    for name in ("label", "unit"):
        if said.get(name):
            changes[name] = said[name][:120]
    for name, words in (("role", ROLE_WORDS), ("kind", KIND_WORDS)):
        word = said.get(name, "").casefold().replace("_", " ").strip()
        if word in words:
            changes[name] = words[word]  # type: ignore[index]
        elif word and name == "role":
            odd.append(said[name])
    levels = _levels(said.get("levels", ""))
    if levels:
        changes |= {"levels": levels, "kind": "category"}
    return replace(column, **changes)


def _levels(text: str) -> tuple[tuple[str, str], ...]:
    """1 = male; 2 = female (or with | and commas, as REDCap writes it)."""
    pairs = []
    for part in re.split(r"[;|\n]", text):
        code, mark, name = re.sub(r"[=:]", ",", part, count=1).partition(",")
        if mark and code.strip() and name.strip():
            pairs.append((code.strip(), name.strip()[:60]))
    same = all(code == name for code, name in pairs)
    return () if same or len(pairs) < 2 else tuple(pairs)


def _alone(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """Of a role that one column can have, the first keeps it and the others are left out."""
    taken: set[str] = set()
    found = []
    for column in columns:
        if column.role in (*ALONE, "outcome"):
            column = replace(column, role="left out") if column.role in taken else column
            taken.add(column.role)
        found.append(column)
    return tuple(found)


def _text(value: object) -> str:
    if value is None or (isinstance(value, float) and value != value):
        return ""
    return as_words(pd.Series([value])).fillna("").iloc[0].strip()


def _bare(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain.casefold() if c.isalnum())
