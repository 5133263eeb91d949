"""The parts of the page Risk factors."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from cacviz.engine.insights.judged.types import Performance
from cacviz.engine.insights.names import told_apart
from cacviz.engine.insights.types import TOP, Effect, Student, Students, View
from cacviz.engine.running.findings import FEW_EVENTS
from cacviz.engine.types import Cohort, Note, RunSummary
from cacviz.figures import importances
from cacviz.ui.shell import layout, navigation
from cacviz.ui.shell.downloads import AS_SVG, table_button
from cacviz.ui.shell.text import plain
from cacviz.wording import factor_tables
from cacviz.wording import factors as words


def choose_view(students: Students, cohort: Cohort) -> View:
    """The class whose risk the page speaks of; of two classes, the event."""
    if len(students.views) == 1:
        return students.views[0]
    codes = [view.code for view in students.views]
    chosen = st.segmented_control(
        "Risk of",
        codes,
        default=codes[-1],
        format_func=lambda code: words.risk_of(cohort, code),
        key="risk_of",
        persist_state="session",
    )
    return students.views[codes.index(codes[-1] if chosen is None else chosen)]


def fidelity(view: View, notes: Sequence[Note]) -> None:
    """May the explainers be believed? One threshold for each and for all."""
    st.markdown(words.LEAD)
    if shared := words.shared_risk(notes):
        st.info(shared, icon=":material/hub:")
    told = words.fidelity_sentence(view)
    {"good": st.success, "poor": st.warning, "none": st.info}[told.tone](told.text)


def side_by_side(
    view: View,
    titles: Sequence[str],
    summary: RunSummary,
    shown: Sequence[int],
    judged: Performance | None = None,
) -> None:
    """Strongest factors of each subtype, with direction and how far they are shared."""
    explained = [s for s in view.students if s.state in ("explains", "hints")]
    st.subheader("Risk factors told from chance")
    legend = [
        f"{importances.MARK_ICONS[m]} {words.mark_words(m, len(explained), len(view.students))}"
        for m in ("all", "some", "unique")
    ]
    if any(not f.mark for s in explained for f in s.factors):
        legend.append(words.NO_MARK)
    if explained:
        st.caption(" · ".join(legend))
        st.caption(f"{words.BARS} {words.UNIQUE}")
    against = words.opposed(view)
    if against:
        lead = "**The same column, opposite ways:** "
        st.info(lead + plain(" ".join(against)), icon=":material/swap_vert:")
    scale = importances.shared_scale(view.students)
    for place, cluster in zip(layout.cards("factors", len(shown)), shown, strict=True):
        with place:
            doubt = words.not_ranked(judged, view.code, cluster)
            _student(view.students[cluster], titles[cluster], summary, scale, doubt)
    if not explained:
        navigation.link("find_subtypes", "Find fewer subtypes")
        return
    if any(f.of.endswith(words.GONE_END) for s in explained for f in s.factors):
        st.caption(words.SUSPICION)
    frame = factor_tables.risk_factor_table(view, titles)
    with st.expander("As a table"):
        st.dataframe(frame)
        table_button(frame, "risk_factors", key="save_factors", index=True)


def _student(
    student: Student,
    title: str,
    summary: RunSummary,
    scale: importances.Scale | None,
    doubt: str,
) -> None:
    cluster = summary.clusters[student.cluster]
    many = len(cluster.class_counts) > 2
    st.markdown(f"**{plain(title)}**")
    st.caption(
        f"{cluster.n:,} training and {cluster.n_test:,} held-out patients, as on the page Subtypes"
    )
    said = words.student_sentence(student)
    (st.caption if student.explains else st.warning)(plain(said))
    if doubt:
        st.warning(plain(doubt))
    if student.factors:
        st.caption(
            f"{sum(f.importance for f in student.factors):.0%} of the explainer's gain is by the "
            f"factors below. "
            f"Rank correlation {student.rank_correlation:.2f}; {_auprc(student, many)}"
        )
        ways = [factor_tables.direction_word(f.direction) for f in student.factors]
        figure = importances.importance_bars(student, ways, scale=scale)
        key, alt = f"factors_{student.cluster}", f"Strongest risk factors of {title}"
        st.plotly_chart(figure, key=key, config=AS_SVG, alt=alt)
    elif student.state in ("explains", "hints"):
        st.caption(words.no_factor(student))
    if student.noise:
        title, said = words.unproven(student, TOP)
        with st.expander(title):
            st.caption(said)
            st.markdown(", ".join(plain(f.title) for f in student.noise))


def _auprc(student: Student, many: bool) -> str:
    if student.auprc_teacher != student.auprc_teacher:
        return f"AUPRC not told: fewer than {FEW_EVENTS} held-out patients of an outcome"
    found = f"{student.auprc_teacher:.3f} (run), {student.auprc_student:.3f} (explainer)"
    of = "this class and of all others (chance is 0.50)" if many else "both classes"
    return f"AUPRC, mean of {of}, on its held-out patients: {found}"


def beeswarm(view: View, titles: Sequence[str], outcome: str, shown: Sequence[int]) -> None:
    """SHAP values of one subtype."""
    swarms = {b.cluster: b for b in view.beeswarms if b.cluster in shown}
    if not swarms:
        return
    st.subheader(f"How each factor moves the risk of {plain(outcome)}")
    chosen: int = st.selectbox(
        "Subtype", [*swarms], format_func=told_apart(titles).__getitem__, key="swarm_of"
    )
    swarm = swarms[chosen]
    student = view.students[swarm.cluster]
    named = [f.of or f.title for f in student.factors]
    figure = importances.shap_beeswarm(swarm, named)
    st.plotly_chart(figure, key="swarm", config=AS_SVG, alt=f"SHAP values in {titles[chosen]}")
    st.caption(plain(words.swarm_caption(swarm, outcome)))
    with st.expander("As a table"):
        frame = factor_tables.importance_table(student)
        st.dataframe(frame, hide_index=True)
        table_button(frame, f"risk_factors_{swarm.cluster + 1}", key="save_swarm")


def one_feature(view: View, titles: Sequence[str], outcome: str, shown: Sequence[int]) -> None:
    """The risk in each subtype as one feature changes."""
    found = _effects(view, shown)
    if not found:
        return
    st.subheader("One feature at a time")
    named = {name: effects[0][1].title for name, effects in found.items()}
    chosen: str = st.selectbox("Feature", [*found], format_func=named.__getitem__, key="effect_of")
    figure = importances.one_feature_effects(found[chosen], titles, outcome)
    alt = f"Risk by {named[chosen]} in each subtype"
    st.plotly_chart(figure, key="effect", config=AS_SVG, alt=alt)
    st.caption(plain(words.effect_caption(view, found[chosen])))


def _effects(view: View, shown: Sequence[int]) -> dict[str, list[tuple[int, Effect]]]:
    """By feature: each subtype's effect, features of most subtypes first."""
    found: dict[str, list[tuple[int, Effect]]] = {}
    for student in view.students:
        for effect in student.effects if student.cluster in shown else ():
            found.setdefault(effect.name, []).append((student.cluster, effect))
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))
