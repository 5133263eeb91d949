"""The parts of the page Risk factors."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from cacviz.engine.insights import tables
from cacviz.engine.insights.names import told_apart
from cacviz.engine.insights.types import Effect, Student, Students
from cacviz.engine.notes import FEW_EVENTS
from cacviz.figures import importances
from cacviz.ui.downloads import AS_SVG, table_button
from cacviz.ui.text import plain

WANTED = 0.8  # mean R² from which the explainers as a whole can be relied upon
CARD = 300  # pixels: three side by side on a usual screen
LEAD = (
    "For each subtype a simplified explainer (gradient boosting) was fitted to the risks that the "
    "run gives its patients. It is another model: how well it follows is told first."
)


def fidelity(students: Students) -> None:
    """May the explainers be believed?"""
    st.markdown(LEAD)
    if students.mean_r2 != students.mean_r2:
        st.info("No subtype has a risk model that could be explained.")
    elif students.mean_r2 >= WANTED:
        st.success(f"On held-out patients they follow closely: mean R² {students.mean_r2:.2f}.")
    else:
        st.warning(
            f"On held-out patients they follow in part only: mean R² {students.mean_r2:.2f} "
            f"({WANTED} or more would be close). Read the factors as hints."
        )


def side_by_side(students: Students, names: Sequence[str]) -> None:
    """Top 10 importances of each subtype."""
    st.subheader("Strongest risk factors")
    legend = [
        f"{importances.MARK_ICONS[m]} {importances.MARK_WORDS[m]}"
        for m in ("all", "some", "unique")
    ]
    st.caption("   ".join(legend))
    st.caption(
        "Bars: importance, as share of the explainer's gain. Grey: too little to count as shared."
    )
    top = max((f.importance for s in students.students for f in s.factors), default=None)
    with st.container(horizontal=True):  # wraps where the window is narrow
        for student in students.students:
            with st.container(width=CARD):
                _student(student, names[student.cluster], top)
    frame = tables.risk_factor_table(students, names)
    with st.expander("As a table"):
        st.dataframe(frame)
        table_button(frame, "risk_factors", key="save_factors", index=True)


def _student(student: Student, name: str, top: float | None) -> None:
    st.markdown(f"**{plain(name)}**")
    if student.factors:
        st.caption(
            f"R² {student.r2:.2f}, rank correlation {student.rank_correlation:.2f} to the risks; "
            f"{_auprc(student)}; {student.n_test:,} held-out patients"
        )
    (st.caption if student.explains else st.warning)(plain(student.sentence))
    if student.factors:
        figure = importances.importance_bars(student, most=top)
        key, alt = f"factors_{student.cluster}", f"Strongest risk factors of {name}"
        st.plotly_chart(figure, key=key, config=AS_SVG, alt=alt)


def _auprc(student: Student) -> str:
    if student.auprc_teacher != student.auprc_teacher:
        return f"AUPRC not told: fewer than {FEW_EVENTS} held-out patients of an outcome"
    return f"AUPRC {student.auprc_teacher:.3f} (run), {student.auprc_student:.3f} (explainer)"


def beeswarm(students: Students, names: Sequence[str]) -> None:
    """SHAP values of one subtype."""
    if not students.beeswarms:
        return
    st.subheader(f"How each factor moves the risk of {plain(students.outcome)}")
    swarms = {b.cluster: b for b in students.beeswarms}
    chosen: int = st.selectbox(
        "Subtype", [*swarms], format_func=told_apart(names).__getitem__, key="swarm_of"
    )
    swarm = swarms[chosen]
    student = students.students[swarm.cluster]
    titles = [f.of or f.title for f in student.factors]
    figure = importances.shap_beeswarm(swarm, titles)
    st.plotly_chart(figure, key="swarm", config=AS_SVG, alt=f"SHAP values in {names[chosen]}")
    st.caption(
        f"A point a patient ({len(swarm.shap):,} patients kept out of training). Right of 0 the "
        f"factor raises the risk of {plain(students.outcome)}, left of 0 it lowers it."
        + (" A category is drawn by its strongest level: high is yes." if any(swarm.of) else "")
    )
    with st.expander("As a table"):
        frame = tables.importance_table(student)
        st.dataframe(frame, hide_index=True)
        table_button(frame, f"risk_factors_{swarm.cluster + 1}", key="save_swarm")


def one_feature(students: Students, names: Sequence[str]) -> None:
    """The risk in each subtype as one feature changes."""
    found = _effects(students)
    if not found:
        return
    st.subheader("One feature at a time")
    titles = {name: effects[0][1].title for name, effects in found.items()}
    chosen: str = st.selectbox("Feature", [*found], format_func=titles.__getitem__, key="effect_of")
    figure = importances.one_feature_effects(found[chosen], names, students.outcome)
    alt = f"Risk by {titles[chosen]} in each subtype"
    st.plotly_chart(figure, key="effect", config=AS_SVG, alt=alt)
    st.caption(
        "Mean risk of the subtype's held-out patients if all had this value and kept all others. "
        "Subtypes in which the feature is not among the ten strongest are not drawn."
    )


def _effects(students: Students) -> dict[str, list[tuple[int, Effect]]]:
    """By feature: each subtype's effect, features of most subtypes first."""
    found: dict[str, list[tuple[int, Effect]]] = {}
    for student in students.students:
        for effect in student.effects:
            found.setdefault(effect.name, []).append((student.cluster, effect))
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))
