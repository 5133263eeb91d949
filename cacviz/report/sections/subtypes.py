"""Who the subtypes are: cards as a table, outcome rates, map, profile, separation, survival."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from cacviz.engine.insights.described.ranking import telling_features
from cacviz.engine.insights.types import PatientMap
from cacviz.engine.types import ClusterSummary, Scored
from cacviz.figures import patient_map, profiles, ratios, silhouettes, survival
from cacviz.figures.theme import add_hidden, subtype_color, wrapped_label
from cacviz.report.blocks import Block, Grid, Heading, Paragraph, Picture, paragraphs
from cacviz.report.material import Material
from cacviz.wording import captions, tables
from cacviz.wording.reports import missing_line
from cacviz.wording.words import ratio, share

MOST_POINTS = 3000  # of the map; drawn as shapes, which print
FEATURES = 15
NAN = Scored(*[float("nan")] * 3)


def subtypes(m: Material) -> list[Block]:
    """Cards, rates, map, profile, separation and survival, as far as they are there."""
    blocks: list[Block] = [Grid("subtypes", _cards_caption(m), cards(m))]
    blocks += [*_rates(m), *_map(m)]
    described, found = m.part("described"), m.part("silhouettes")
    if described is not None:
        ranked = telling_features(described.profiles.features, FEATURES)
        caption = (
            "Profile: each subtype against everybody, in standard deviations, strongest features "
            "first. Training patients."
        )
        blocks.append(Picture("profile", caption, profiles.profile_heatmap(ranked, m.heads)))
        blocks += _survival(m, described)
    if found is not None:
        said = captions.separation(len(found.rows), found.n, found.kmeans)
        caption = f"Separation score of each patient. {said}"
        blocks.append(Picture("separation", caption, silhouettes.knife_plot(found, m.heads)))
        blocks.append(Grid("separation", "Separation by subtype.", _separation(m, found)))
    gone = [w for w, part in (("the profile", described), ("separation", found)) if part is None]
    return [*blocks, *paragraphs(missing_line(gone) if len(m.titles) > 1 else "")]


def cards(m: Material) -> pd.DataFrame:
    """A row a subtype: size, outcome on held-out patients, class ratio as found."""
    hidden, total = m.hidden_outcomes(), sum(c.n for c in m.summary.clusters)
    return pd.DataFrame(_card(m, c, hidden[c.cluster], total) for c in m.summary.clusters)


def _card(m: Material, c: ClusterSummary, hidden: np.ndarray, total: int) -> dict[str, str]:
    classes = m.summary.classes
    told = range(1, 2) if len(classes) == 2 else range(len(classes))
    row = {
        "Subtype": m.titles[c.cluster],
        "Training patients": f"{c.n:,} ({c.n / max(1, total):.0%})",
        "Held-out patients": f"{c.n_test:,}",
    }
    for code in told:
        head = f"{m.outcome} = {classes[code]}, held out (95% interval)"
        row[head] = tables.HIDDEN if hidden[code] else share(c.test_rates[code])
    few = m.hide and any(0 < n < 5 for n in c.class_counts)
    row[f"Class ratio as found ({' : '.join(classes)})"] = (
        tables.HIDDEN if few else ratio(c.class_counts)
    )
    return row


def _cards_caption(m: Material) -> str:
    why = f" {tables.WHY_HIDDEN}" if m.hide and m.hidden_outcomes().any() else ""
    return (
        f"The subtypes, with {m.outcome} on held-out patients, who were assigned without it.{why}"
    )


def _rates(m: Material) -> list[Block]:
    counts = np.array([c.test_counts for c in m.summary.clusters]).sum(axis=0)
    overall = counts / max(1, counts.sum())
    hidden = m.hidden_outcomes()
    clusters = tuple(
        replace(
            c, test_rates=tuple(NAN if h else r for r, h in zip(c.test_rates, row, strict=True))
        )
        for c, row in zip(m.summary.clusters, hidden, strict=True)
    )
    labels = m.heads
    shown = replace(m.summary, clusters=clusters)
    figure = ratios.outcome_rates(shown, labels, overall, outcome=m.outcome)
    gone = [c.cluster for c, row in zip(clusters, hidden, strict=True) if row.any()]
    if gone:
        add_hidden(figure, [wrapped_label(labels[j], 18) for j in gone], float(max(overall)))
    caption = f"{m.outcome} by subtype. {captions.rates(overall)}"
    return [Picture("outcome_by_subtype", caption, figure)]


def _map(m: Material) -> list[Block]:
    """Patients as points, nothing told of a single one."""
    found: PatientMap | None = m.part("map")
    if found is None or len(m.run.clusters) == 0:
        return []
    step = -(-len(found.rows) // MOST_POINTS)
    rows, points = found.rows[::step], np.round(found.positions[::step], 3)
    colors = [subtype_color(j) for j in range(len(m.titles))]
    figure = patient_map.by_group(points, m.run.clusters[rows], m.titles, colors, rows)
    figure.update_traces(customdata=None, hovertemplate=None, hoverinfo="name")
    drawn = captions.MAP if len(rows) == found.n else captions.map_of(len(rows), found.n)
    return [Picture("patient_map", f"Patient map by subtype. {drawn}", figure)]


def _separation(m: Material, found: object) -> pd.DataFrame:
    frame = tables.silhouette_table(found, m.titles)  # type: ignore[arg-type]
    return frame.assign(
        **{
            "Mean": frame["Mean"].map("{:.3f}".format),
            "Nearer to another subtype": frame["Nearer to another subtype"].map("{:.1%}".format),
        }
    )


def _survival(m: Material, described: object) -> list[Block]:
    found = described.survival  # type: ignore[attr-defined]
    if found is None or not found.curves:
        return []
    figure = survival.survival_curves(found, m.titles)
    at_risk = tables.at_risk_table(found, m.titles, hide=m.hide).rename_axis("At risk at")
    tested = [t for t in described.tests if t.test == "log-rank"]  # type: ignore[attr-defined]
    caption = "Survival by subtype on held-out patients (Kaplan–Meier), with 95% bands."
    caption = f"{caption} {captions.followed_words(m.cohort)}".strip()
    return [
        Heading("Survival"),
        Picture("survival", caption, figure),
        Grid("at_risk", "Numbers at risk, held-out patients.", at_risk.reset_index()),
        *(Paragraph(tables.test_sentence(t)) for t in tested),
    ]
