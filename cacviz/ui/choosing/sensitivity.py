"""Which α, which β: scores against both, a map of them, and the point to take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from cacviz.engine.running.sweeps.plans import FIT, SweepCell, SweepPlan
from cacviz.engine.running.sweeps.weights import (
    Ablation,
    AtWeights,
    ablations,
    at_weights,
    critical_of,
    recommended,
)
from cacviz.figures import sweeps as figures
from cacviz.store.sweeps import SweepRow
from cacviz.ui.choosing import views
from cacviz.ui.shell.layout import beside
from cacviz.ui.shell.text import plain
from cacviz.wording.sweeps import ABLATED, ABLATIONS_HELP, weights_sentence

TITLES = {
    "auprc_macro": "AUPRC, held out",
    "auc": "AUC, held out",
    "silhouette": "Separation score",
}


def sensitivity(sweep: SweepRow, rows: Sequence[dict[str, Any]]) -> None:
    """Everything about the weights, for a k of choice."""
    plan = sweep.asked.plan
    if not plan.looks_at_weights():
        st.caption(
            "This sweep has one α and one β. Name several values below, under “Seeds, other "
            "weights”, to see what they change; with 0 among them a term is left out."
        )
        return
    ks = [k for k in plan.clusters if k > 1]
    k = st.radio("Number of subtypes (k)", ks, horizontal=True, key="weights_k")
    found = recommended(plan, rows, k)
    if found is not None:
        st.info(plain(weights_sentence(found)), icon=":material/tune:")
    points = at_weights(plan, rows, k)
    curves(plan, rows, points, k)
    if len(plan.alphas) > 1 and len(plan.betas) > 1:
        weight_map(sweep, points, k)
    left_out(ablations(plan, rows, k))


def left_out(found: Sequence[Ablation]) -> None:
    """Each term of the objective left out in turn, beside the present point."""
    if len(found) < 2:
        return
    st.subheader("What each term does")
    table = [
        {"": ABLATED[each.term]} | {TITLES[name]: score for name, score in each.scores}
        for each in found
    ]
    config = {title: st.column_config.NumberColumn(format="%.3f") for title in TITLES.values()}
    st.dataframe(table, hide_index=True, column_config=config)
    st.caption(ABLATIONS_HELP)


def curves(
    plan: SweepPlan, rows: Sequence[dict[str, Any]], points: Sequence[AtWeights], k: int
) -> None:
    """Each score against α, and against β, as in the paper."""
    here = plan.base()
    for number, (name, sign) in enumerate((("alpha", "α"), ("beta", "β"))):
        values = sorted({v for p in points if (v := getattr(p, name)) is not None})
        if len(values) < 2:
            continue
        other = "beta" if name == "alpha" else "alpha"
        groups = sorted({getattr(p, other) for p in points}, key=lambda v: (v is not None, v))
        critical = critical_of(rows, k) if name == "alpha" else None
        for place, (score, title) in zip(beside(f"weights_{name}", 3), TITLES.items(), strict=True):
            lines = [
                (_name(other, g), _scores(points, name, values, other, g, score)) for g in groups
            ]
            more: dict[str, Any] = {"current": here[number], "critical": critical}
            figure = figures.weight_curves(values, lines, x_title=sign, y_title=title, **more)
            key = f"w_{name}_{score}"
            place.plotly_chart(figure, key=key, alt=f"{title} against {sign}")
    st.caption(
        "Means over seeds. With α = 0 outcomes do not shape the subtypes, with β = 0 nothing draws "
        "patients to a centre. Dotted: the present point."
    )


def _name(other: str, value: float | None) -> str:
    sign = "α" if other == "alpha" else "β"
    return f"{sign} = {value:g}" if value is not None else "all"


def _scores(
    points: Sequence[AtWeights],
    name: str,
    values: Sequence[float],
    other: str,
    group: float | None,
    score: str,
) -> list[float]:
    known = {getattr(p, name): dict(p.scores)[score] for p in points if getattr(p, other) == group}
    return [known.get(v, np.nan) for v in values]


def weight_map(sweep: SweepRow, points: Sequence[AtWeights], k: int) -> None:
    """AUPRC at each α and β; a click opens or starts that run."""
    plan = sweep.asked.plan
    alphas = sorted(a for a in plan.alphas if a is not None)
    betas = sorted(b for b in plan.betas if b is not None)
    known = {(p.alpha, p.beta): dict(p.scores)["auprc_macro"] for p in points}
    scores = np.array([[known.get((a, b), np.nan) for b in betas] for a in alphas])
    a, b = plan.base()
    current = (alphas.index(a), betas.index(b)) if a in alphas and b in betas else None
    st.subheader("α and β together")
    event = st.plotly_chart(
        figures.weight_map(alphas, betas, scores, current),
        key="weight_map",
        on_select="rerun",
        selection_mode="points",
        alt="AUPRC at each α and β",
    )
    st.caption(
        "AUPRC on held-out patients, mean over seeds; ringed: the present point. Click a square "
        "for its run."
    )
    picked = [p for p in event.selection.points if p.get("customdata")]  # type: ignore[attr-defined]
    if picked:
        alpha, beta = (float(v) for v in picked[0]["customdata"])
        config = plan.config(SweepCell(FIT, k, alpha, beta, plan.first_seed))
        views.open_or_start(sweep, config, f"Run with α = {alpha:g}, β = {beta:g}", "go_weights")
