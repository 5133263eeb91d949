"""The parts of the page What differs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from cacviz.engine.insights.described.levels import every_level
from cacviz.engine.insights.described.ranking import telling_features
from cacviz.engine.insights.described.small_cells import without_small
from cacviz.engine.insights.types import Described, FeatureProfile, Profiles
from cacviz.engine.reading.kinds import as_numbers
from cacviz.engine.scoring.effects import LARGEST
from cacviz.engine.types import TRAIN, Cohort
from cacviz.figures import profiles
from cacviz.store.preferences import read_preferences
from cacviz.store.runs import StoredRun
from cacviz.ui.differences.table import formats, heads_of, shown_table
from cacviz.ui.shell.downloads import AS_SVG, hide_toggle, table_button
from cacviz.ui.shell.text import plain
from cacviz.ui.subtypes.parts import axis_titles
from cacviz.wording import captions, tables
from cacviz.wording.tables import ORDERS, STATISTICS, TableOneForm

SHOWN = 15
FORMS = ("Mean per subtype", "Table 1")


def tests(described: Described) -> None:
    """What may be tested: the outcome and variables kept out of clustering, held-out patients."""
    st.subheader("Tested on held-out patients")
    if not described.tests:
        st.caption("Too few held-out patients in the subtypes to test anything.")
        return
    for test in described.tests[:6]:
        st.markdown(plain(tables.test_sentence(test)))
    st.dataframe(tables.tests_table(described.tests), hide_index=True)
    st.caption(captions.TESTED)


def _hidden(found: Profiles, hide: bool) -> Profiles:
    return without_small(found) if hide else found


def table(described: Described, titles: Sequence[str]) -> FeatureProfile | None:
    """The paper's table or Table 1; gives the feature whose row was picked."""
    st.subheader("Which features set them apart")
    st.caption(captions.DESCRIBES.format(top=described.profiles.top))
    with st.container(horizontal=True, vertical_alignment="center"):
        form = st.segmented_control("Table", FORMS, default=FORMS[0], key="difference_form")
        hide_toggle()
    if form == FORMS[1]:
        _table_one(described.profiles, titles)
        return None
    return _paper_table(described.profiles, titles)


def _paper_table(found: Profiles, titles: Sequence[str]) -> FeatureProfile:
    hide = read_preferences().hide_small
    shown = _hidden(found, hide)
    frame = tables.paper_table(shown, titles)
    picked = st.dataframe(
        shown_table(frame, shown.features, hide=hide),
        hide_index=True,
        height=min(460, 38 + 35 * len(frame)),
        on_select="rerun",
        selection_mode="single-row",
        key="difference_rows",
        column_config=formats(titles),
    )
    if hide:
        st.caption(tables.WHY_HIDDEN)
    table_button(
        lambda hide: tables.paper_table(_hidden(found, hide), titles),
        "what_differs",
        key="save_differences",
    )
    rows = picked.selection.rows  # type: ignore[attr-defined]
    return _feature_of(shown, rows[0] if rows else 0)


def _table_one(found: Profiles, titles: Sequence[str]) -> None:
    """Table 1 as it is wanted: variables, statistics and order."""
    form = _form(found)
    frame = tables.table_one(_hidden(found, read_preferences().hide_small), titles, form)
    st.dataframe(
        frame,
        hide_index=True,
        height=min(700, 38 + 35 * len(frame)),
        column_config={"": st.column_config.TextColumn(pinned=True, width="medium")}
        | heads_of(titles),
    )
    if read_preferences().hide_small:
        st.caption(tables.WHY_HIDDEN)
    table_button(
        lambda hide: tables.table_one(_hidden(found, hide), titles, form),
        "table_1",
        key="save_table_1",
    )


def _form(found: Profiles) -> TableOneForm:
    with st.expander("Choose variables, statistics and order"):
        named = {f.name: f.title for f in found.features}
        variables = st.multiselect(
            "Variables",
            list(named),
            format_func=named.__getitem__,
            placeholder="All of them",
            key="table_one_variables",
            persist_state="session",
        )
        left, right = st.columns(2)
        statistics = left.multiselect(
            "Statistics of numbers",
            STATISTICS,
            default=list(STATISTICS[:2]),
            key="table_one_statistics",
            persist_state="session",
        )
        order = right.selectbox("Order", ORDERS, key="table_one_order", persist_state="session")
        overall = left.toggle("Overall", True, key="table_one_overall", persist_state="session")
        tested = right.toggle(
            "SMD, test and q", True, key="table_one_tests", persist_state="session"
        )
    wanted = tuple(statistics) or STATISTICS[:1]
    return TableOneForm(tuple(variables), wanted, order, overall, tested)


def _feature_of(found: Profiles, place: int) -> FeatureProfile:
    """The feature behind a row; a category has a row a level."""
    for feature in found.features:
        place -= tables.n_rows(feature)
        if place < 0:
            return feature
    return found.features[0]


def distribution(
    feature: FeatureProfile,
    run: StoredRun,
    cohort: Cohort,
    titles: Sequence[str],
    shown: Sequence[int],
) -> None:
    """How the picked feature is distributed in each subtype."""
    if feature.shape == "number" and run.without_patients:
        return
    st.subheader(plain(feature.title))
    if feature.shape == "number":
        unit = f" ({feature.unit})" if feature.unit else ""
        rows = run.part == TRAIN
        values = as_numbers(cohort.frame[feature.name])[rows]
        figure = profiles.number_distributions(
            values, run.clusters[rows], titles, f"{feature.title}{unit}", shown
        )
    else:
        figure = profiles.level_shares(feature, titles, shown)
    st.plotly_chart(
        figure,
        key="distribution",
        config=AS_SVG,
        alt=f"Distribution of {feature.title} in each subtype",
    )
    st.caption(captions.distribution(number=feature.shape == "number"))


def effects(described: Described) -> None:
    """The strongest differences, as found and again on held-out patients."""
    st.subheader("Effect sizes")
    ranked = [f for f in described.profiles.features if f.role == "feature"][:SHOWN]
    figure = profiles.effect_sizes(ranked)
    alt = "Largest standardised mean difference of the strongest features"
    st.plotly_chart(figure, key="effects", config=AS_SVG, alt=alt)
    st.caption(captions.EFFECTS.format(largest=LARGEST))


def heatmap(
    described: Described, titles: Sequence[str], shown: Sequence[int], *, most: int = SHOWN
) -> None:
    """Each subtype against everybody."""
    st.subheader("Profile")
    ranked = telling_features(described.profiles.features, most)
    if not read_preferences().hide_small:  # shares of every level would give small counts away
        ranked = every_level(ranked)
    figure = profiles.profile_heatmap(ranked, axis_titles(titles, shown), shown)
    alt = "Heatmap: each subtype against everybody, strongest features first"
    st.plotly_chart(figure, key="heatmap", config=AS_SVG, alt=alt)
    st.caption(captions.PROFILE)
    frame: pd.DataFrame = tables.heatmap_table(ranked, titles)
    with st.expander("As a table"):
        st.dataframe(frame, hide_index=True)
        table_button(frame, "profile", key="save_profile")


def only(described: Described, wanted: Sequence[int]) -> Described:
    """The description of some subtypes; what is ranked stays ranked over all."""
    features = tuple(
        replace(
            f,
            cells=tuple(f.cells[j] for j in wanted),
            standing=tuple(f.standing[j] for j in wanted),
        )
        for f in described.profiles.features
    )
    sizes = tuple(described.profiles.sizes[j] for j in wanted)
    return replace(described, profiles=replace(described.profiles, features=features, sizes=sizes))


def as_shown(feature: FeatureProfile) -> FeatureProfile:
    """A feature with small counts hidden where that is wanted on screen."""
    found = Profiles((feature,), (), (), 0)
    return _hidden(found, read_preferences().hide_small).features[0]
