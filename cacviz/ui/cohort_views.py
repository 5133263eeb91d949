"""The parts of the page Cohort: each shows one thing and keeps what is changed."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import numpy as np
import pandas as pd
import streamlit as st

from cacviz import runs
from cacviz.engine.checks import check_cohort
from cacviz.engine.cohorts import (
    describe,
    make_cohort,
    remedied,
    with_kinds,
    with_outcome,
    with_roles,
)
from cacviz.engine.exceptions import CohortError
from cacviz.engine.kinds import as_numbers
from cacviz.engine.types import KINDS, ROLES, Check, Cohort, Outcome, Remedy, Role
from cacviz.figures import ratios
from cacviz.runs import CohortRow
from cacviz.ui import navigation, state
from cacviz.ui.layout import beside
from cacviz.ui.text import SYNTHETIC, ago, plain

MANY = 10  # values beyond which a number has to be cut
WAYS = ("As it is", "Cut at points", "Cut into equal parts")


def overview(cohort: Cohort) -> None:
    """Size, features, outcome and gaps at a glance."""
    st.subheader(plain(cohort.name))
    if cohort.name.startswith("Demo"):
        st.info(SYNTHETIC, icon=":material/science:")
    for note in state.reading_notes()[:6]:
        st.caption(f":material/info: {plain(note)}")
    features = cohort.names("feature")
    gaps = cohort.frame[features].isna().to_numpy().mean() if features else 0.0
    shown = {
        "Patients or stays": f"{cohort.n_patients:,}",
        "Features": f"{len(features):,}",
        "Outcome": plain(cohort.outcome.column) if cohort.outcome else "not chosen",
        "Event": plain(event_words(cohort)),
        "Missing in features": f"{gaps:.1%}",
    }
    with st.container(horizontal=True):  # wraps where the window is narrow
        for label, value in shown.items():
            if value:
                st.metric(label, value, border=True, width="content")


def event_words(cohort: Cohort) -> str:
    """Of two classes, the one whose risk is shown, and how many have it; empty for more."""
    if len(cohort.classes) != 2:
        return ""
    return f"{cohort.classes[1]} ({np.mean(cohort.y[cohort.y >= 0] == 1):.0%})"


def stored_cohorts(*, expanded: bool) -> None:
    """Cohorts kept on this computer, to open or to delete for good."""
    rows = runs.list_cohorts()
    if not rows:
        return
    with st.expander(f"Cohorts on this computer ({len(rows)})", expanded=expanded):
        for row in rows[:30]:
            n_runs = len(runs.list_runs(row.id))
            with st.container(horizontal=True, vertical_alignment="center"):
                _stored_words(row, n_runs)
                if st.button("Open", key=f"open_{row.id}"):
                    state.open_cohort(row.id)
                    st.rerun()
                if st.button("Delete", key=f"delete_{row.id}"):
                    confirm_delete(row.id, row.name, n_runs)


def _stored_words(row: CohortRow, n_runs: int) -> None:
    when = datetime.fromtimestamp(row.created).strftime("%d %b %Y, %H:%M")
    counts = {"patient": row.n_patients, "feature": row.n_features, "run": n_runs}
    size = ", ".join(_counted(n, word) for word, n in counts.items())
    st.markdown(
        f"**{plain(row.name)}**, opened {when} ({ago(row.created)})  \n"
        f"{plain(_outcome_words(row))}; {size}"
    )


def _outcome_words(row: CohortRow) -> str:
    """What tells cohorts from the same file apart."""
    if row.outcome is None:
        return "No outcome yet"
    if len(row.classes) == 2:
        return f"Outcome {row.outcome.column}, event {row.classes[1]}"
    return f"Outcome {row.outcome.column}: {', '.join(row.classes)}"


def _counted(n: int, word: str) -> str:
    return f"{n:,} {word}" if n == 1 else f"{n:,} {word}s"


@st.dialog("Delete for good?")
def confirm_delete(cohort_id: str, name: str, n_runs: int) -> None:
    """Ask once more: a cohort goes with its runs."""
    with_runs = f" with its {_counted(n_runs, 'run')}" if n_runs else ""
    st.markdown(f"**{plain(name)}**{with_runs} will be removed from this computer.")
    if st.button("Delete for good", type="primary"):
        runs.delete_cohort(cohort_id)
        if state.current_cohort_id() == cohort_id:
            state.close_cohort()
        st.rerun()


def choose_outcome(cohort: Cohort) -> None:
    """Which column is the outcome and how its values become classes, with the counts live."""
    st.subheader("Outcome")
    names = [c.name for c in cohort.columns if c.role != "patient id"]
    current = cohort.outcome.column if cohort.outcome else None
    left, right = beside("outcome", [1, 1])
    with left:
        column = st.selectbox(
            "Outcome column",
            names,
            index=names.index(current) if current in names else None,
            placeholder="Choose the column to predict",
            key=f"outcome_{cohort.fingerprint}",
        )
        wanted = _wanted_outcome(cohort, column) if column else None
    if wanted is None:
        return
    try:
        changed = with_outcome(cohort, wanted)
    except CohortError as error:
        left.error(plain(error))
        return
    if event := event_words(changed):
        left.markdown(f"Event: **{plain(event)}**")
    with right:
        counts = np.bincount(changed.y[changed.y >= 0], minlength=len(changed.classes))
        figure = ratios.class_counts(changed.classes, counts.tolist())
        st.plotly_chart(figure, key="class_counts", alt="Patients per outcome class")
        if wanted.cuts or wanted.quantiles:
            values = as_numbers(cohort.frame[wanted.column])
            figure = ratios.outcome_histogram(values, wanted.cuts, title=wanted.column)
            st.plotly_chart(figure, key="outcome_histogram", alt="Histogram of the outcome")
    if wanted != cohort.outcome:
        state.keep_edited(changed)
        st.rerun()


def _wanted_outcome(cohort: Cohort, column: str) -> Outcome | None:
    before = cohort.outcome if cohort.outcome and cohort.outcome.column == column else None
    is_number = cohort.column(column).kind == "number"
    many = is_number and cohort.frame[column].nunique() > MANY
    way = WAYS[0]
    if is_number:
        start = 1 if (before and before.cuts) or (many and not before) else 0
        start = 2 if before and before.quantiles else start
        key = f"way_{column}_{state.opened_as()}"
        way = st.radio("Classes", WAYS, index=start, horizontal=True, key=key)
    if way == WAYS[1]:
        return _typed_cuts(column, before)
    if way == WAYS[2]:
        parts = st.number_input(
            "Parts", 2, 10, before.quantiles if before and before.quantiles else 3
        )
        return Outcome(column, quantiles=int(parts))
    if many:
        st.warning(f"{plain(column)} is a number with many values: cut it at points.")
        return None
    return _with_positive(Outcome(column), before, cohort)


def _typed_cuts(column: str, before: Outcome | None) -> Outcome | None:
    shown = ", ".join(f"{c:g}" for c in before.cuts) if before else ""
    typed = st.text_input(
        "Cut points, separated by commas",
        shown,
        placeholder="for example 7, 13",
        help="7, 13 gives three classes: up to 7, above 7 to 13, above 13.",
        key=f"cuts_{column}_{state.opened_as()}",
    )
    try:
        cuts = tuple(float(part) for part in typed.split(",") if part.strip())
    except ValueError:
        st.error("Cut points are numbers separated by commas, such as 7, 13.")
        return None
    return Outcome(column, cuts=cuts) if cuts else None


def _with_positive(outcome: Outcome, before: Outcome | None, cohort: Cohort) -> Outcome:
    """Of two classes, which one is the event whose risk is shown."""
    try:
        classes = with_outcome(cohort, outcome).classes
    except CohortError:
        return outcome
    if len(classes) != 2:
        return outcome
    start = before.positive if before and before.positive in classes else classes[1]
    chosen = st.radio(
        "The event (its risk is shown)",
        classes,
        index=classes.index(start),
        horizontal=True,
        format_func=plain,
        key=f"positive_{outcome.column}_{state.opened_as()}",
    )
    return outcome if chosen == classes[1] else replace(outcome, positive=chosen)


def quick_roles(cohort: Cohort) -> None:
    """The two roles that nearly every cohort needs: the patient id, and what to leave out."""
    names = [c.name for c in cohort.columns if c.role != "outcome"]
    ids, ignored = cohort.names("patient id"), cohort.names("ignore")
    id_key, out_key = f"id_{cohort.name}", f"out_{cohort.name}"
    if st.session_state.get("_roles_of") != cohort.fingerprint:  # changed elsewhere: show it
        st.session_state[id_key] = ids[0] if ids else None
        st.session_state[out_key] = ignored
        st.session_state["_roles_of"] = cohort.fingerprint
    left, right = beside("roles", [1, 1])
    chosen = left.selectbox(
        "Patient id",
        names,
        index=None,
        placeholder="None: every row is another patient",
        help="Rows of one patient stay together when patients are held out.",
        key=id_key,
    )
    out = right.multiselect(
        "Leave out",
        names,
        placeholder="Columns that must not be used",
        help="Above all what is known only after the outcome, such as length of stay for death.",
        key=out_key,
    )
    roles: dict[str, Role] = dict.fromkeys({*ids, *ignored} - {chosen, *out}, "feature")
    roles |= {n: "ignore" for n in out if n not in ignored and n != chosen}
    roles |= {chosen: "patient id"} if chosen and [chosen] != ids else {}
    if roles:
        # what is picked while this is saved must not be overwritten: the widgets stay as they are
        changed = with_roles(cohort, roles)
        st.session_state["_roles_of"] = changed.fingerprint
        state.keep_edited(changed)
        st.rerun()


def checks(cohort: Cohort) -> None:
    """Findings with a Fix button each; the gravest first."""
    if cohort.outcome is None:
        return
    held = st.session_state.get("_checks")
    if not held or held[0] != cohort.fingerprint:
        with st.spinner("Checking the cohort …"):
            st.session_state["_checks"] = held = (cohort.fingerprint, check_cohort(cohort))
    found = sorted(held[1], key=lambda c: not c.grave)
    st.subheader("Checks")
    if not found:
        st.success("Nothing suspicious was found.", icon=":material/check:")
    for number, check in enumerate(found):
        _check_line(cohort, check, number)
    navigation.link("find_subtypes", "Go on to Find subtypes")


def _check_line(cohort: Cohort, check: Check, number: int) -> None:
    show = st.error if check.grave else st.warning
    icon = ":material/error:" if check.grave else ":material/info:"
    show(plain(check.text.replace("*", "")), icon=icon)
    if not check.remedies:
        return
    with st.container(horizontal=True):
        for place, remedy in enumerate(check.remedies):
            if st.button(plain(remedy.label), key=f"fix_{number}_{place}"):
                _apply(cohort, remedy)


def _apply(cohort: Cohort, remedy: Remedy) -> None:
    try:
        state.keep_edited(remedied(cohort, remedy))
    except CohortError as error:
        st.error(plain(error))
    else:
        st.rerun()


def dictionary(cohort: Cohort) -> None:
    """Label, unit, kind and role of each column, to edit."""
    table = describe(cohort)
    edited = st.data_editor(
        table,
        hide_index=True,
        disabled=[c for c in table.columns if c not in ("label", "unit", "kind", "role")],
        column_config={
            "name": st.column_config.TextColumn("Column", pinned=True),
            "label": st.column_config.TextColumn("Label"),
            "unit": st.column_config.TextColumn("Unit"),
            "kind": st.column_config.SelectboxColumn(
                "Kind", options=KINDS, format_func=_kind_words, required=True
            ),
            "role": st.column_config.SelectboxColumn("Role", options=ROLES, required=True),
            "missing": st.column_config.NumberColumn("Missing", format="percent"),
            "distinct": st.column_config.NumberColumn("Distinct values"),
            "values": st.column_config.TextColumn("Range or levels"),
        },
        key=f"dictionary_{cohort.fingerprint}",
    )
    if not edited.equals(table):
        try:
            state.keep_edited(_edited(cohort, table, edited))
        except CohortError as error:
            st.error(plain(error))
        else:
            st.rerun()


def _kind_words(kind: object) -> str:
    return "yes/no" if kind == "yesno" else str(kind)


def _edited(cohort: Cohort, before: pd.DataFrame, after: pd.DataFrame) -> Cohort:
    kinds, roles, words = {}, {}, {}
    for old, new in zip(before.itertuples(), after.itertuples(), strict=True):
        if old.kind != new.kind:
            kinds[new.name] = new.kind
        if old.role != new.role:
            roles[new.name] = new.role
        words[new.name] = (new.label or "", new.unit or "")
    columns = [replace(c, label=words[c.name][0], unit=words[c.name][1]) for c in cohort.columns]
    cohort = make_cohort(cohort.name, cohort.frame, columns, cohort.outcome)
    cohort = with_kinds(cohort, kinds) if kinds else cohort
    return with_roles(cohort, roles) if roles else cohort


def missing(cohort: Cohort) -> None:
    """Missing values by column, and by outcome where there is one."""
    frame = cohort.frame[cohort.names("feature")]
    shares = frame.isna().mean().sort_values(ascending=False)
    shares = shares[shares > 0]
    if shares.empty:
        st.caption("No feature has missing values.")
        return
    top = shares.head(40)
    figure = ratios.missing_shares(list(top.index), top.to_list())
    st.plotly_chart(figure, key="missing", alt="Share of missing values by column")
    if len(shares) > len(top):
        st.caption(f"The 40 columns with the most gaps of {len(shares)} that have any.")
    if cohort.outcome:
        by_class = {
            name: frame[cohort.y == code][top.index].isna().mean()
            for code, name in enumerate(cohort.classes)
        }
        st.caption("By outcome")
        st.dataframe(pd.DataFrame(by_class).style.format("{:.1%}"), key="missing_by_outcome")


def preview(cohort: Cohort) -> None:
    """The first rows as they were read."""
    st.dataframe(cohort.frame.head(50), hide_index=True)
    st.caption("The first 50 rows.")
