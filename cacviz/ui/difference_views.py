"""The parts of the page What differs."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from cacviz.engine.insights import tables
from cacviz.engine.insights.effects import LARGEST
from cacviz.engine.insights.types import Described, FeatureProfile
from cacviz.engine.kinds import as_numbers
from cacviz.engine.types import TRAIN, Cohort
from cacviz.figures import profiles
from cacviz.runs import StoredRun
from cacviz.ui.difference_table import formats, numbered_heads, shown_table
from cacviz.ui.downloads import AS_SVG, table_button
from cacviz.ui.text import plain

SHOWN = 15
FORMS = ("Mean per subtype", "Table 1")
DESCRIBES = (
    "These features made the subtypes, so they differ by construction: the list is ranked by how "
    "much (in standard deviations), and no p-value is given. Table 1 has the q that readers of "
    "papers look for, headed as what it is: it describes and does not test. "
    "A difference on held-out patients below 0 is reversed there. Rank stability: given these "
    "subtypes, in how many resamples of patients it stays among the {top} strongest; it does not "
    "tell whether the subtypes themselves would be found again."
)


def tests(described: Described) -> None:
    """What may be tested: the outcome and variables kept out of clustering, held-out patients."""
    st.subheader("Tested on held-out patients")
    if not described.tests:
        st.caption("Too few held-out patients in the subtypes to test anything.")
        return
    for test in described.tests[:3]:
        st.markdown(plain(test.sentence))
    st.dataframe(tables.tests_table(described.tests), hide_index=True)
    st.caption(
        "Only the outcome and columns kept out of clustering (roles external check, sensitive, "
        "time and event) can be tested; p-values are adjusted by Holm's method over all of them."
    )


def table(described: Described, names: Sequence[str]) -> FeatureProfile | None:
    """The paper's table or Table 1; gives the feature whose row was picked."""
    st.subheader("Which features set them apart")
    st.caption(DESCRIBES.format(top=described.profiles.top))
    form = st.segmented_control("Table", FORMS, default=FORMS[0], key="difference_form")
    if form == FORMS[1]:
        frame = tables.table_one(described.profiles, names)
        st.dataframe(frame, hide_index=True, height=460, column_config=numbered_heads(names))
        st.caption(tables.WHY_NOT_SHOWN)
        table_button(frame, "table_1", key="save_table_1")
        return None
    frame = tables.paper_table(described.profiles, names)
    picked = st.dataframe(
        shown_table(frame, described.profiles.features),
        hide_index=True,
        height=460,
        on_select="rerun",
        selection_mode="single-row",
        key="difference_rows",
        column_config=formats(names),
        placeholder=tables.TOO_FEW,
    )
    if frame[tables.heads(names)].isna().to_numpy().any():
        st.caption(tables.WHY_NOT_SHOWN)
    table_button(frame, "what_differs", key="save_differences")
    rows = picked.selection.rows  # type: ignore[attr-defined]
    place = rows[0] if rows else 0
    return _feature_of(described, place)


def _feature_of(described: Described, place: int) -> FeatureProfile:
    """The feature behind a row; a category has a row a level."""
    for feature in described.profiles.features:
        place -= tables.n_rows(feature)
        if place < 0:
            return feature
    return described.profiles.features[0]


def distribution(
    feature: FeatureProfile, run: StoredRun, cohort: Cohort, names: Sequence[str]
) -> None:
    """How the picked feature is distributed in each subtype."""
    st.subheader(plain(feature.title))
    if feature.shape == "number":
        unit = f" ({feature.unit})" if feature.unit else ""
        rows = run.part == TRAIN
        values = as_numbers(cohort.frame[feature.name])[rows]
        figure = profiles.number_distributions(
            values, run.clusters[rows], names, f"{feature.title}{unit}"
        )
    else:
        figure = profiles.level_shares(feature, names)
    st.plotly_chart(
        figure,
        key="distribution",
        config=AS_SVG,
        alt=f"Distribution of {feature.title} in each subtype",
    )
    st.caption("Training patients, as found. Pick a row of the table to see another feature.")


def effects(described: Described) -> None:
    """The strongest differences, as found and again on held-out patients."""
    st.subheader("Effect sizes")
    ranked = [f for f in described.profiles.features if f.role == "feature"][:SHOWN]
    figure = profiles.effect_sizes(ranked)
    alt = "Largest standardised mean difference of the strongest features"
    st.plotly_chart(figure, key="effects", config=AS_SVG, alt=alt)
    st.caption(
        f"Differences of {LARGEST:g} standard deviations stand for subtypes that do not overlap. "
        "A held-out difference below 0 is reversed there."
    )


def heatmap(described: Described, names: Sequence[str], *, most: int = SHOWN) -> None:
    """Each subtype against everybody."""
    st.subheader("Profile")
    ranked = [f for f in described.profiles.features if f.role == "feature"][:most]
    figure = profiles.profile_heatmap(ranked, names)
    alt = "Heatmap: each subtype against everybody, strongest features first"
    st.plotly_chart(figure, key="heatmap", config=AS_SVG, alt=alt)
    frame = tables.heatmap_table(ranked, names)
    with st.expander("As a table"):
        st.dataframe(frame, hide_index=True)
        table_button(frame, "profile", key="save_profile")
