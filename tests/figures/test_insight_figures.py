import json
from dataclasses import replace

import numpy as np
import pytest

from cacviz.engine.demo import make_demo
from cacviz.engine.insights import insight_steps, tables
from cacviz.engine.insights.types import Silhouettes
from cacviz.engine.kinds import as_numbers
from cacviz.engine.methods import fit_run
from cacviz.engine.splits import split_cohort
from cacviz.engine.types import RunConfig
from cacviz.figures import (
    importances,
    patient_map,
    profiles,
    rounds,
    scatter,
    silhouettes,
    survival,
)
from cacviz.figures.theme import PALETTE

NAMES = ("Old <b>", "Young & co", "Third\nline")


@pytest.fixture(scope="module")
def cohort():
    return make_demo(900, seed=0)


@pytest.fixture(scope="module")
def run(cohort):
    return fit_run(split_cohort(cohort, 0), RunConfig(method="kmeans", n_clusters=3))


@pytest.fixture(scope="module")
def made(cohort, run):
    return dict(insight_steps(cohort, run, only=("described", "silhouettes", "students")))


def drawn(figure):
    """The figure as the browser gets it; it must be JSON, and carry no markup of the user's."""
    text = figure.to_json()
    assert "<b>" not in text
    assert "Third\\nline" not in text
    assert figure.layout.paper_bgcolor == "rgba(0,0,0,0)"
    return json.loads(text)


def test_the_heatmap_draws_each_subtype_against_everybody(made):
    features = made["described"].profiles.features[:8]
    figure = profiles.profile_heatmap(features, NAMES)
    drawn(figure)
    assert np.allclose(figure.data[0].z, [f.standing for f in features])


def test_effects_are_drawn_as_found_and_held_out(made):
    features = made["described"].profiles.features[:8]
    figure = profiles.effect_sizes(features)
    drawn(figure)
    assert list(figure.data[0].x) == [f.effect for f in features]
    assert list(figure.data[1].x) == [f.effect_held_out for f in features]


def test_distributions_have_a_shape_a_subtype(made, cohort, run):
    values = as_numbers(cohort.frame["Age"])
    figure = profiles.number_distributions(values, run.clusters, NAMES, "Age <i> (years)")
    assert "<i>" not in json.dumps(drawn(figure))
    assert len(figure.data) == 3


def test_level_shares_leave_out_what_is_hidden(made):
    feature = next(f for f in made["described"].profiles.features if f.shape == "category")
    figure = profiles.level_shares(feature, NAMES)
    drawn(figure)
    cell = feature.cells[0]
    expected = [None if n is None else n / cell.n for n in cell.counts]
    assert list(figure.data[0].y) == expected


def test_the_knife_plot_shows_mean_and_k_means_in_its_legend(made):
    figure = silhouettes.knife_plot(made["silhouettes"], NAMES)
    drawn(figure)
    lines = {t.name: t.x[0] for t in figure.data if t.showlegend is not False}
    found = made["silhouettes"]
    wanted = {"mean": found.mean, "k-means": found.kmeans}
    assert lines == {f"{word} {value:.3f}": value for word, value in wanted.items()}
    assert not figure.layout.annotations
    assert len(figure.data) == 3 + 2


def test_labels_of_the_knife_plot_are_short_and_keep_apart():
    clusters = np.repeat([0, 1, 2, 3], [2, 1, 2, 995])
    tiny = Silhouettes(np.arange(1000), clusters, np.linspace(-1, 1, 1000), 0.1, 0.1, 1000)
    axis = silhouettes.knife_plot(tiny, ["A very long name of a subtype"] * 4).layout.yaxis
    assert axis.ticktext[0] == "Subtype 1 (2)"
    assert np.diff(axis.tickvals).min() > 0.05


def test_heads_of_the_heatmap_are_numbers_and_hovering_tells_the_name(made):
    features = made["described"].profiles.features[:2]
    heat = profiles.profile_heatmap(features, NAMES).data[0]
    assert list(heat.x) == ["Subtype 1", "Subtype 2", "Subtype 3"]
    assert heat.customdata[1][1] == "Subtype 2, Young &amp; co"


def test_many_heads_of_the_heatmap_are_bare_numbers(made):
    feature = made["described"].profiles.features[0]
    wide = replace(feature, standing=(0.0,) * 8)
    figure = profiles.profile_heatmap([wide], [f"Subtype {j}" for j in range(1, 9)])
    assert list(figure.data[0].x) == list("12345678")
    assert figure.layout.xaxis.title.text == "Subtype"
    assert figure.data[0].customdata[0][7] == "Subtype 8"


def test_a_long_outcome_breaks_into_lines_beside_the_axis(made):
    student = made["students"].students[0]
    effects = [(0, student.effects[0])]
    title = importances.one_feature_effects(effects, NAMES, "long " * 9).layout.yaxis.title.text
    assert "<br>" in title


def test_a_cost_has_plain_numbers_with_thousands_separators():
    axis = rounds.curve([{"round": 0, "cost": 32052.5}], "cost", title="Cost").layout.yaxis
    assert (axis.exponentformat, axis.separatethousands) == ("none", True)


def test_importances_are_marked_by_icon_colour_and_word(made):
    student = made["students"].students[0]
    figure = importances.importance_bars(student)
    drawn(figure)
    shown = sorted(v for trace in figure.data for v in trace.x)
    assert shown == sorted(f.importance for f in student.factors)
    for trace in figure.data:
        assert any(word in trace.name for word in ("all", "some", "unique", "not marked"))


def test_the_beeswarm_keeps_every_patient_in_its_row(made):
    swarm = made["students"].beeswarms[0]
    figure = importances.shap_beeswarm(swarm, swarm.names)
    drawn(figure)
    for place, trace in enumerate(figure.data):
        assert np.allclose(trace.x, swarm.shap[:, place])
        assert np.abs(np.asarray(trace.y) - place).max() <= importances.SWARM_WIDTH + 1e-9


def test_points_of_a_swarm_do_not_lie_on_each_other():
    values = np.array([0.0, 0.0, 0.0, 1.0])
    assert len(set(importances.spread(values)[:3])) == 3


def test_one_feature_effects_draw_a_line_a_subtype(made):
    students = made["students"].students
    name = students[0].effects[0].name
    found = [(s.cluster, e) for s in students for e in s.effects if e.name == name]
    figure = importances.one_feature_effects(found, NAMES, "yes <b>")
    drawn(figure)
    assert [list(t.y) for t in figure.data] == [list(e.risk) for _, e in found]


def test_survival_is_drawn_in_steps_with_bands(made):
    made_survival = made["described"].survival
    figure = survival.survival_curves(made_survival, NAMES)
    drawn(figure)
    lines = [t for t in figure.data if t.mode == "lines"]
    assert [list(t.y) for t in lines] == [list(c.survival) for c in made_survival.curves]
    assert tables.at_risk_table(made_survival, NAMES).shape == (3, len(made_survival.ticks))


def test_rows_are_told_from_selected_points_however_they_arrive():
    points = [{"customdata": {"0": 7}}, {"customdata": [3]}, {"customdata": 7}, {"x": 1}]
    assert patient_map.picked_rows(points).tolist() == [3, 7]
    assert len(patient_map.picked_rows([])) == 0


def test_unpicked_patients_fade(run):
    ids = np.arange(len(run.clusters))
    figure = scatter.by_group(run.map2d, run.clusters, NAMES, ["#111"] * 3, ids)
    patient_map.with_selection(figure)
    assert all(t.unselected.marker.opacity < 0.2 for t in figure.data)


def test_groups_beyond_the_palette_still_look_different():
    points, groups = np.zeros((12, 2)), np.arange(12)
    names = [str(i) for i in groups]
    figure = scatter.by_group(points, groups, names, PALETTE, groups)
    assert len({(t.marker.color, t.marker.symbol) for t in figure.data}) == 12


def test_the_papers_table_has_a_row_a_feature_and_level(made):
    described = made["described"]
    table = tables.paper_table(described.profiles, NAMES)
    first = described.profiles.features[0]
    assert table.iloc[0][list(NAMES)].tolist() == [c.mean for c in first.cells]
    assert not [c for c in table.columns if c.startswith(("p", "q"))]
    assert "p" not in table.columns


def test_table_one_and_twins_tell_the_same_numbers(made):
    described, students = made["described"], made["students"]
    table = tables.table_one(described.profiles, NAMES)
    assert table.iloc[0]["Overall"] == f"{sum(described.profiles.sizes):,}"
    side_by_side = tables.risk_factor_table(students, NAMES)
    assert side_by_side.iloc[0, 0].startswith(students.students[0].factors[0].title)
    one = tables.importance_table(students.students[1])
    assert one["Importance"].tolist() == [f.importance for f in students.students[1].factors]
    assert tables.tests_table(described.tests)["Variable"].iloc[0] == described.tests[0].title
    assert (
        tables.silhouette_table(made["silhouettes"], NAMES)["Patients"].sum()
        == made["silhouettes"].n
    )
