"""Bedside rule: the card, how far it agrees, what a variable is worth, the risk it tells."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from cacviz.engine.insights.bedside.types import Bedside
from cacviz.engine.types import Cohort, Scored
from cacviz.figures import bedside as figures
from cacviz.store.runs import StoredRun
from cacviz.ui.bedside.card import card_html
from cacviz.ui.shell.downloads import AS_SVG, table_button
from cacviz.ui.shell.layout import beside
from cacviz.ui.shell.text import in_lines, plain
from cacviz.ui.subtypes import parts
from cacviz.wording import rule_tables, rules
from cacviz.wording.factors import risk_of
from cacviz.wording.words import numbers, subtype_number

NAMED = 4  # subtypes whose names fit over the columns of a card in a narrow window


def agreement(found: Bedside) -> None:
    """How far the rule agrees with the run, and what follows."""
    said = in_lines(rules.agreement_parts(found))
    fair = found.agreement.kappa.value >= rules.FAIR
    box = st.success if rules.stands_in(found.agreement) else st.info if fair else st.warning
    box(said, icon=":material/handshake:")


def card(found: Bedside, titles: Sequence[str], run: StoredRun, cohort: Cohort) -> None:
    """The rule itself, and as a file to print."""
    st.subheader("The card")
    frame = rule_tables.card_table(found.rule, titles)
    with st.container(border=True):
        if found.rule.form == "points":
            st.markdown(f"Add up the points of each subtype; **the most points win**. {rules.TIE}")
            _points(frame)
        else:  # paths are long: lines wrap where cells would be cut short
            paths = zip(frame["If"], frame["Then"], strict=True)
            st.markdown("\n".join(f"- {plain(path)}: **{plain(then)}**" for path, then in paths))
        if said := rules.typical_sentence(found.rule):
            st.caption(plain(said))
        if found.passed_over:
            named = ", ".join(cohort.column(n).title for n in found.passed_over[:6])
            st.caption(f"Not on a card, having too many levels: {plain(named)}.")
    outcome = risk_of(cohort, len(cohort.classes) - 1)
    with st.container(horizontal=True):
        st.download_button(
            "Card to print (HTML)",
            data=lambda: card_html(found, titles, outcome, cohort.name),
            file_name="bedside_rule.html",
            mime="text/html",
            icon=":material/print:",
            on_click="ignore",
            key="save_card",
        )
        table_button(frame, "bedside_rule", key="save_rule")


def _points(frame: pd.DataFrame) -> None:
    """The card as text that wraps: every column is in sight in a narrow window too."""
    points = len(frame.columns) - 2
    heads = list(frame.columns)
    if points > NAMED:
        heads[2:] = [subtype_number(j) for j in range(points)]
        st.caption(f"Columns 1 to {points}: the subtypes.")
    rows = [heads, *frame.astype(str).to_numpy().tolist()]
    lines = ["| " + " | ".join(plain(cell) for cell in row) + " |" for row in rows]
    st.markdown("\n".join([lines[0], "|---|---|" + "--:|" * points, *lines[1:]]))


def price(found: Bedside) -> None:
    """Number of variables against agreement."""
    st.subheader("How many variables are enough?")
    curves: dict[str, list[tuple[int, Scored, str]]] = {
        form: [
            (p.n_variables, p.kappa, ", ".join(p.variables)) for p in found.prices if p.form == form
        ]
        for form in dict.fromkeys(p.form for p in found.prices)
    }
    figure = figures.price_curve(curves, (found.rule.form, len(found.rule.lines)))
    alt = "Agreement with the run against the number of variables"
    st.plotly_chart(figure, key="price", config=AS_SVG, alt=alt)
    st.caption(rules.CURVE)
    with st.expander("As a table"):
        st.dataframe(rule_tables.price_table(found), hide_index=True)


def shares_and_rates(found: Bedside, titles: Sequence[str], cohort: Cohort) -> None:
    """Sensitivity and PPV by subtype; beside it the outcome rates that the rule still tells."""
    left, right = beside("rule_worth", 2)
    with left:
        st.subheader("Agreement by subtype")
        frame, column = rule_tables.agreement_table(found, numbers(titles)), st.column_config.Column
        placed = column("By rule", help=rule_tables.PLACED, width=64)
        narrow = {"Subtype": column(width=78), rule_tables.PLACED: placed}  # so that PPV is in view
        wide = {name: column(width=157) for name in frame.columns[2:]}
        st.dataframe(frame, hide_index=True, column_config=narrow | wide)
        st.caption(rules.SHARES)
    with right:
        st.subheader("The outcome, by run and by rule")
        code = len(cohort.classes) - 1
        if code > 1:
            code = st.selectbox(
                "Class",
                range(len(cohort.classes)),
                index=code,
                format_func=cohort.classes.__getitem__,
                key="rule_class",
            )
        figure = figures.rates_twice(
            parts.axis_titles(titles, range(len(titles))),
            [r[code] for r in found.rates],
            [r[code] for r in found.model_rates],
            risk_of(cohort, code),
            code=code,
            n_classes=len(cohort.classes),
        )
        alt = "Outcome rate of each subtype, as the rule and as the run places held-out patients"
        st.plotly_chart(figure, key="rule_rates", config=AS_SVG, alt=alt)
        st.caption("Held-out patients, placed by the rule and by the run; 95% intervals.")
        if said := rules.rates_apart(found, code):
            st.markdown(plain(said))
