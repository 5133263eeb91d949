"""What the run says of a patient: subtype, risk, why, who is alike, what if."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from cacviz.engine.insights.single.types import Prediction
from cacviz.engine.insights.types import Student, Students
from cacviz.engine.running.methods import METHODS
from cacviz.engine.types import Cohort, Column
from cacviz.engine.types.telling import whole_number
from cacviz.figures import patient as figures
from cacviz.store.risk_choices import read_choices
from cacviz.store.runs import StoredRun
from cacviz.ui.patient import asking
from cacviz.ui.patient.asking import Values
from cacviz.ui.shell import layout
from cacviz.ui.shell.downloads import AS_SVG
from cacviz.ui.shell.text import plain
from cacviz.ui.subtypes.courses import own_course
from cacviz.wording import patient as words
from cacviz.wording.factors import risk_of
from cacviz.wording.words import subtype_name

PARTS = {0: "training", 1: "validation", 2: "held out", -1: "no outcome"}


class Spoken(NamedTuple):
    """A run, its patients, and the one that is spoken of."""

    run: StoredRun
    cohort: Cohort
    titles: Sequence[str]
    columns: Sequence[Column]
    values: Values
    row: int | None  # of the cohort, where it is one of its patients

    @property
    def hours(self) -> bool:
        """Whether the run reads hours, which only a patient of the cohort has here."""
        return METHODS[self.run.asked.config.method].reads == "series"

    def column(self, name: str) -> Column:
        return next(c for c in self.columns if c.name == name)


def show(spoken: Spoken, students: Students | None) -> None:
    """Everything about one patient."""
    found = asking.predict(spoken.run.id, spoken.values, spoken.row if spoken.hours else None)
    st.subheader("Subtype and risk")
    _who(spoken)
    _place(spoken, found)
    code = _risks(spoken, found)
    if spoken.row is not None:
        own_course(spoken.run, spoken.cohort, spoken.titles, spoken.row)
    _doubts(spoken, found)
    _why(spoken, found, code, students)
    _what_if(spoken, code)
    _alike(spoken, found)


def _who(spoken: Spoken) -> None:
    """Of a patient of the cohort: the run may have learned from it."""
    if spoken.row is None:
        return
    run, y = spoken.run, int(spoken.cohort.y[spoken.row])
    outcome = spoken.cohort.classes[y] if y >= 0 else "not known"
    part = PARTS[int(run.part[spoken.row])]
    seen = ": the run has learned from it" if part in ("training", "validation") else ""
    st.caption(plain(f"Row {spoken.row + 1:,} of the cohort ({part}{seen}). Outcome: {outcome}."))


def _place(spoken: Spoken, found: Prediction) -> None:
    st.markdown(f"**{plain(words.place_sentence(found, spoken.titles))}**")
    st.caption(words.MARGIN)
    if found.outside:
        st.warning("This patient is not of the subgroup that the run was made for.")


def _risks(spoken: Spoken, found: Prediction) -> int:
    """The risk of each class (of two, of the event); gives the class that the page goes on with."""
    n_classes = len(found.risks)
    codes = [1] if n_classes == 2 else list(range(n_classes))
    for place, code in zip(layout.cards("risks", len(codes)), codes, strict=True):
        place.metric(plain(f"Risk of {risk_of(spoken.cohort, code)}"), f"{found.risks[code]:.1%}")
    code = codes[-1]
    if len(codes) > 1:
        picked = st.segmented_control(
            "Explain the risk of",
            codes,
            default=code,
            format_func=lambda c: plain(risk_of(spoken.cohort, c)),
            key="patient_class",
            persist_state="session",
        )
        code = code if picked is None else picked
    what = risk_of(spoken.cohort, code)
    st.markdown(plain(words.risk_sentence(found, code, what)))
    if read_choices(spoken.run.id).recalibrated:
        st.caption("Risks are recalibrated, as chosen on the page Performance.")
    return code


def _doubts(spoken: Spoken, found: Prediction) -> None:
    for doubt in found.doubts:
        value = float(spoken.values[doubt.column])
        said = words.doubt_sentence(doubt, spoken.column(doubt.column), value)
        st.warning(plain(said), icon=":material/straighten:")
    gaps = METHODS[spoken.run.asked.config.method].gaps
    st.caption(plain(words.blank_sentence(found, len(spoken.columns), gaps)))
    if found.blank:
        with st.expander(f"Blank values ({len(found.blank)})"):
            named = [spoken.column(n).title for n in found.blank if _known(spoken, n)]
            st.markdown(", ".join(plain(n) for n in named))


def _known(spoken: Spoken, name: str) -> bool:
    return any(c.name == name for c in spoken.columns)


def _student(students: Students | None, cluster: int, code: int) -> Student | None:
    for view in students.views if students is not None else ():
        if view.code == code:
            return next((s for s in view.students if s.cluster == cluster), None)
    return None


def _why(spoken: Spoken, found: Prediction, code: int, students: Students | None) -> None:
    st.subheader("Why?")
    with st.spinner("Asking the subtype's simplified explainer …"):
        why = asking.why(spoken.run.id, spoken.values, found.cluster, code)
    if why is None:
        st.caption(
            f"{subtype_name(found.cluster)} has too few patients, or one risk for all of them: "
            "there is nothing to explain."
        )
        return
    said = words.student_words(_student(students, found.cluster, code))
    st.caption(plain(said))
    labels = [_label(spoken, name) for name, _ in why.parts]
    figure = figures.waterfall(labels, [value for _, value in why.parts], why.base)
    alt = "What moves this patient's risk, column by column"
    st.plotly_chart(figure, key="waterfall", config=AS_SVG, alt=alt)
    st.caption(words.SHAP + (words.BEFORE if read_choices(spoken.run.id).recalibrated else ""))


def _label(spoken: Spoken, name: str) -> str:
    if not name:
        return "all others together"
    column, value = spoken.column(name), spoken.values.get(name)
    unit = f" {column.unit}" if column.unit and value is not None else ""
    return f"{column.title}: {_shown(value)}{unit}"


def _shown(value: Any) -> str:
    if value is None:
        return "not known"
    return whole_number(value) if isinstance(value, float) else str(value)


def _what_if(spoken: Spoken, code: int) -> None:
    st.subheader("What if one value were another?")
    if spoken.hours:
        st.caption(words.NO_WHAT_IF)
        return
    names = [c.name for c in spoken.columns]
    titles = {c.name: c.title for c in spoken.columns}
    chosen: str = st.selectbox(
        "Value", names, format_func=titles.__getitem__, key=f"what_if_{spoken.run.id}"
    )
    found = asking.what_if(spoken.run.id, spoken.values, chosen)
    column = spoken.column(chosen)
    unit = f" ({column.unit})" if column.unit else ""
    what = risk_of(spoken.cohort, code)
    figure = figures.what_if(
        found.words or found.values,
        [risks[code] for risks in found.risks],
        found.clusters,
        spoken.titles,
        x_title=f"{column.title}{unit}",
        y_title=f"Risk of {what}",
        here=spoken.values.get(chosen),
    )
    st.plotly_chart(figure, key="what_if", config=AS_SVG, alt=f"Risk by {column.title}")
    st.caption(plain(words.change_sentence(found, spoken.titles, column.title)) + words.NO_EFFECT)


def _alike(spoken: Spoken, found: Prediction) -> None:
    st.subheader("Nearest patients of the cohort")
    run, cohort = spoken.run, spoken.cohort
    near = [n for n in found.neighbours if n.row != spoken.row][:5]
    ids = cohort.names("patient id")
    rows = []
    for n in near:
        y = int(cohort.y[n.row])
        row: dict[str, Any] = {"Row": n.row + 1}
        if ids:
            row["Id"] = str(cohort.frame[ids[0]].iloc[n.row])
        row |= {
            "Distance": n.distance,
            "Subtype": subtype_name(n.cluster),
            "Outcome": cohort.classes[y],
            "Part": PARTS[int(run.part[n.row])],
        }
        for column in spoken.columns[:4]:
            row[column.title] = cohort.frame[column.name].iloc[n.row]
        rows.append(row)
    number = st.column_config.NumberColumn
    st.dataframe(
        pd.DataFrame(rows), hide_index=True, column_config={"Distance": number(format="%.2f")}
    )
    st.caption("Nearest as the method sees patients, in standard deviations or in its embedding.")
