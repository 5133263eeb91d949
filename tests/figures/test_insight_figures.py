"""Figures of a run's insights hold the numbers that they are given, and no markup of the user's."""

import json
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.insights.described.small_cells import without_small
from cacviz.engine.insights.making import insight_steps
from cacviz.engine.insights.types import Beeswarm, Effect, Silhouettes
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.reading.kinds import as_numbers
from cacviz.engine.running.fitting import fit_run
from cacviz.engine.types import RunConfig
from cacviz.figures import (
    importances,
    patient_map,
    profiles,
    rounds,
    silhouettes,
    survival,
    theme,
)
from cacviz.figures.theme import PALETTE, signed, subtype_color
from cacviz.wording import factor_tables, tables

NAMES = ("Subtype 1: Old <b>", "Subtype 2: Young & co", "Subtype 3: Third\nline")


@pytest.fixture(scope="module")
def cohort():
    return make_demo(900, seed=0)


@pytest.fixture(scope="module")
def run(cohort):
    return fit_run(split_cohort(cohort, 0), RunConfig(method="kmeans", n_clusters=3))


@pytest.fixture(scope="module")
def made(cohort, run):
    steps = insight_steps(cohort, run, only=("described", "silhouettes", "students"))
    return {name: make() for name, make in steps}


@pytest.fixture(scope="module")
def view(made):
    """The explainers of the event's risk; of one subtype at least there are factors."""
    (view,) = made["students"].views
    assert any(s.factors for s in view.students)
    return view


@pytest.fixture(scope="module")
def student(view):
    return max(view.students, key=lambda s: len(s.factors))


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
    assert [t.type for t in figure.data] == ["violin", "scatter"] * 3


def test_the_mean_that_is_drawn_is_of_everybody_and_not_of_those_inside_the_picture():
    values, clusters = np.r_[np.zeros(500), np.full(2, 1000.0)], np.zeros(502, dtype=int)
    _, mean = profiles.number_distributions(values, clusters, ["All"], "Cost").data
    assert list(mean.x) == [pytest.approx(2000 / 502)]


def category(made):
    return next(f for f in made["described"].profiles.features if f.shape == "category")


def test_level_shares_are_those_of_the_subtypes_patients(made):
    feature = category(made)
    figure = profiles.level_shares(feature, NAMES)
    drawn(figure)
    for bars, cell in zip(figure.data, feature.cells, strict=True):
        assert list(bars.y) == [n / cell.n for n in cell.counts]
        assert set(bars.marker.pattern.shape) == {""}


def test_what_is_hidden_is_drawn_hatched_and_never_as_absent_or_zero(made):
    feature = category(made)
    few = replace(feature.cells[0], counts=(3, *feature.cells[0].counts[1:]))
    few = replace(feature, cells=(few, *feature.cells[1:]))
    described = replace(made["described"].profiles, features=(few,))
    bars = profiles.level_shares(without_small(described).features[0], NAMES).data[0]
    assert bars.marker.pattern.shape[0] == "/"
    assert bars.y[0] > 0
    assert "hidden" in bars.customdata[0]


def test_the_knife_plot_shows_mean_and_k_means_in_its_legend(made):
    found = replace(made["silhouettes"], kmeans=made["silhouettes"].mean + 0.01)
    figure = silhouettes.knife_plot(found, NAMES)
    drawn(figure)
    lines = {t.name: t.x[0] for t in figure.data if t.showlegend is not False}
    wanted = {"mean": found.mean, "k-means": found.kmeans}
    assert lines == {f"{word} {value:.3f}": value for word, value in wanted.items()}
    assert not figure.layout.annotations
    assert len(figure.data) == 3 + 2
    same = silhouettes.knife_plot(replace(found, kmeans=found.mean), NAMES)
    assert [t.name for t in same.data if t.showlegend is not False] == [
        f"mean and k-means {found.mean:.3f}"
    ]


def test_labels_of_the_knife_plot_are_short_and_keep_apart():
    clusters = np.repeat([0, 1, 2, 3], [2, 1, 2, 995])
    tiny = Silhouettes(np.arange(1000), clusters, np.linspace(-1, 1, 1000), 0.1, 0.1, 1000)
    names = [f"Subtype {j}: a very long name of a subtype" for j in range(1, 5)]
    axis = silhouettes.knife_plot(tiny, names).layout.yaxis
    assert axis.ticktext[0] == "Subtype 1: a very long<br>name of a subtype (2)"
    assert np.diff(axis.tickvals).min() > 0.05
    words = [f"Subtype {j}: high creatinine, high urea and high phosphate" for j in range(1, 5)]
    axis = silhouettes.knife_plot(tiny, words).layout.yaxis
    assert axis.ticktext[0].count("<br>") == 2
    assert np.diff(axis.tickvals).min() > 0.2  # three lines of each


def test_heads_of_the_heatmap_are_number_and_name_together(made):
    features = made["described"].profiles.features[:2]
    heat = profiles.profile_heatmap(features, NAMES).data[0]
    lines = (
        "Subtype 1: Old<br>&lt;b&gt;",
        "Subtype 2:<br>Young &amp; co",
        "Subtype 3:<br>Third line",
    )
    assert tuple(heat.x) == lines


def test_every_one_of_many_subtypes_has_a_column_of_its_own_in_the_heatmap(made):
    feature = made["described"].profiles.features[0]
    wide = replace(feature, standing=tuple(j / 8 for j in range(8)), cells=feature.cells[:1] * 8)
    titles = [f"Subtype {j}: Older, high urea nitrogen" for j in range(1, 9)]
    heat = profiles.profile_heatmap([wide], titles).data[0]
    assert len(set(heat.x)) == 8
    assert np.allclose(heat.z, [wide.standing])


def test_a_mean_of_less_than_half_of_a_subtype_has_a_star(made):
    feature = made["described"].profiles.features[0]
    cell = replace(feature.cells[0], n=9, missing=11)
    known = replace(cell, n=11, missing=9)
    some = replace(feature, standing=(0.5, 0.5, -0.5), cells=(cell, known, known))
    heat = profiles.profile_heatmap([some], NAMES).data[0]
    assert list(heat.text[0]) == ["+0.50*", "+0.50", "-0.50"]


def test_a_subtype_with_few_measured_says_so_in_its_cell(made):
    feature = made["described"].profiles.features[0]
    heat = profiles.profile_heatmap([replace(feature, standing=(0.5, np.nan, -0.5))], NAMES).data[0]
    assert list(heat.text[0]) == ["+0.50", "few measured", "-0.50"]


@pytest.mark.parametrize("only", [(2,), (0, 2)])
def test_a_choice_of_subtypes_filters_every_figure_and_keeps_their_colours(made, only, cohort, run):
    described, values = made["described"], as_numbers(cohort.frame["Age"])
    heat = profiles.profile_heatmap(described.profiles.features[:2], NAMES, only).data[0]
    assert len(heat.x) == len(only)
    figures = [
        profiles.number_distributions(values, run.clusters, NAMES, "Age", only),
        profiles.level_shares(category(made), NAMES, only),
    ]
    shapes = [t for t in figures[0].data if t.type == "violin"]
    assert len(shapes) == len(figures[1].data) == len(only)
    assert [t.line.color for t in shapes] == [subtype_color(j) for j in only]
    knives = silhouettes.knife_plot(made["silhouettes"], NAMES, only).data
    assert [t.line.color for t in knives if t.fill] == [subtype_color(j) for j in only]
    curves = survival.survival_curves(described.survival, NAMES, only).data
    assert len([t for t in curves if t.mode == "lines"]) == len(only)


def test_a_long_outcome_breaks_into_lines_beside_the_axis(student):
    effects = [(0, student.effects[0])]
    title = importances.one_feature_effects(effects, NAMES, "long " * 9).layout.yaxis.title.text
    assert "<br>" in title


def test_a_cost_has_plain_numbers_with_thousands_separators():
    axis = rounds.curve([{"round": 0, "cost": 32052.5}], "cost", title="Cost").layout.yaxis
    assert (axis.exponentformat, axis.separatethousands) == ("none", True)


def test_importances_are_marked_by_icon_and_colour_and_say_which_way(student):
    ways = [factor_tables.direction_word(f.direction) for f in student.factors]
    figure = importances.importance_bars(student, ways)
    drawn(figure)
    (bars,) = figure.data
    assert list(bars.x) == [f.importance for f in student.factors]
    assert list(bars.marker.color) == [importances.MARK_COLORS[f.mark] for f in student.factors]
    for factor, label, text, way in zip(student.factors, bars.y, bars.text, ways, strict=True):
        assert label.endswith(importances.MARK_ICONS[factor.mark])
        assert text == f"{importances.ARROWS[way]} {way}"


def test_bars_of_several_subtypes_can_share_one_scale(student):
    few = replace(student, factors=student.factors[:1])
    scale = importances.shared_scale([student, few])
    made = [
        importances.importance_bars(s, ["raises"] * len(s.factors), scale=scale)
        for s in (student, few)
    ]
    end = max(importances.LEAST_END, *(f.importance for f in student.factors))
    for figure in made:
        assert tuple(figure.layout.xaxis.range) == (0, end)
        assert tuple(figure.layout.xaxis.tickvals) == (end,)  # beside long names no more has room
        assert figure.layout.yaxis.automargin is False  # else a long name would shorten its bars
    assert made[0].layout.margin.l == made[1].layout.margin.l == scale.room


def test_the_beeswarm_keeps_every_patient_in_its_row(view):
    swarm = view.beeswarms[0]
    figure = importances.shap_beeswarm(swarm, swarm.names)
    drawn(figure)
    rows = {place: [] for place in range(len(swarm.names))}
    for trace in figure.data:
        rows[round(np.mean(trace.y))] += list(trace.x)
    for place, found in rows.items():
        assert np.allclose(sorted(found), np.sort(swarm.shap[:, place]))
    for trace in figure.data:
        place = round(np.mean(trace.y))
        assert np.abs(np.asarray(trace.y) - place).max() <= importances.SWARM_WIDTH + 1e-9


def test_patients_without_a_value_are_grey_circles_in_the_beeswarm():
    shap = np.array([[0.2], [0.1], [-0.4]])
    swarm = Beeswarm(0, ("fio2",), shap, np.array([[0.4], [1.0], [np.nan]]), ("",))
    gone, known = importances.shap_beeswarm(swarm, ["FiO2"]).data
    assert list(gone.x) == [-0.4]
    assert (gone.marker.color, gone.marker.symbol) == (importances.NEUTRAL, "circle-open")
    assert list(known.x) == [0.2, 0.1]
    assert list(known.marker.color) == [0, 1]


def test_points_of_a_swarm_do_not_lie_on_each_other():
    values = np.array([0.0, 0.0, 0.0, 1.0])
    assert len(set(importances.spread(values)[:3])) == 3


def test_one_feature_effects_draw_a_line_a_subtype(view, student):
    name = student.effects[0].name
    found = [(s.cluster, e) for s in view.students for e in s.effects if e.name == name]
    figure = importances.one_feature_effects(found, NAMES, "yes <b>")
    drawn(figure)
    assert [list(t.y) for t in figure.data] == [list(e.risk) for _, e in found]


def test_categories_are_dots_and_not_lines():
    effect = Effect("stage", "Stage", "", (0.0, 1.0), ("I", "II"), (0.2, 0.4))
    (dots,) = importances.one_feature_effects([(0, effect)], NAMES, "yes").data
    assert (dots.mode, list(dots.x)) == ("markers", ["I", "II"])
    number = replace(effect, words=())
    (line,) = importances.one_feature_effects([(0, number)], NAMES, "yes").data
    assert (line.mode, list(line.x)) == ("lines+markers", [0.0, 1.0])


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
    figure = patient_map.by_group(run.map2d, run.clusters, NAMES, ["#111"] * 3, ids)
    patient_map.with_selection(figure)
    assert all(t.unselected.marker.opacity < 0.2 for t in figure.data)


def test_a_point_carries_its_number_alone_and_hovering_tells_the_rest(run):
    ids, said = np.arange(len(run.clusters)), patient_map.Said(run.clusters % 2, ("dead", "alive"))
    by_group = patient_map.by_group(run.map2d, run.clusters, NAMES, PALETTE, ids, said)
    by_number = patient_map.by_number(run.map2d, ids / 7, "Age", ids, said)
    for figure in (by_group, by_number):
        assert np.sort(np.concatenate([t.customdata for t in figure.data])).tolist() == ids.tolist()
        assert all(t.text is None for t in figure.data)
    for trace in by_group.data:
        words = {said.words[said.codes[i]] for i in trace.customdata}
        assert trace.hovertemplate == f"{trace.name}<br>{words.pop()}<extra></extra>"
        assert not words
    assert sorted(t.legendgroup for t in by_group.data if t.showlegend) == ["0", "1", "2"]


def test_the_picture_on_whole_numbers_is_the_same():
    points = np.random.default_rng(0).normal(0, [1, 3], (500, 2))
    grid = patient_map.on_grid(points)
    assert grid.dtype == np.int16
    assert np.ptp(grid) == patient_map.CELLS
    back = grid * np.ptp(points, axis=0).max() / patient_map.CELLS + points.min(axis=0)
    assert back == pytest.approx(points, abs=2e-3)
    assert patient_map.on_grid(np.ones((2, 2))).tolist() == [[0, 0], [0, 0]]


def test_a_number_is_hovered_by_with_four_digits_and_whole_above():
    values = np.array([0.0, -0.123456, 12.3456, 98765.4, np.nan])
    figure = patient_map.by_number(np.zeros((5, 2)), values, "Lactate", np.arange(5))
    told = figure.data[-1].marker.color
    assert told == pytest.approx([0, -0.1235, 12.35, 98765])


def test_groups_beyond_the_palette_still_look_different():
    points, groups = np.zeros((12, 2)), np.arange(12)
    names = [str(i) for i in groups]
    figure = patient_map.by_group(points, groups, names, PALETTE, groups)
    assert len({(t.marker.color, t.marker.symbol) for t in figure.data}) == 12


def test_the_epochs_of_every_stage_begin_at_0_so_that_a_new_stage_is_no_crash():
    rows = [{"phase": "pretrain", "epoch": 0, "loss": 3.0}]
    rows += [{"phase": "cluster", "epoch": e, "auprc": 0.7 + e / 100} for e in range(4)]
    rows += [{"phase": "experts", "epoch": e, "auprc": 0.5 + e / 100} for e in range(3)]
    stages = {"cluster": "subtypes", "experts": "risk models", "hours": "hours"}
    figure = rounds.by_stage(rows, "auprc", stages, title="AUPRC")
    drawn(figure)
    assert [(t.name, list(t.x)) for t in figure.data] == [
        ("subtypes", [0, 1, 2, 3]),
        ("risk models", [0, 1, 2]),
    ]


@pytest.mark.parametrize("values", [[0.2, 0.5], [0.4, 0.41], [0.3]])
def test_marks_at_both_ends_of_a_curve_are_whole_and_small_changes_look_small(values):
    rows = [{"round": i, "score": v} for i, v in enumerate(values)]
    low, high = rounds.curve(rows, "score", title="Score", narrowest=0.1).layout.yaxis.range
    assert low < min(values)
    assert max(values) < high
    assert high - low >= 0.1 - 1e-9


@pytest.mark.parametrize(
    ("value", "said"), [(-0.001, "0.00"), (0.004, "0.00"), (-0.006, "-0.01"), (2.0, "+2.00")]
)
def test_what_rounds_to_0_has_no_sign(value, said):
    assert signed(value) == said


@pytest.mark.parametrize("paper", ["#FFFFFF", "#11181F"])
def test_every_colour_from_low_to_high_is_seen_on_a_light_and_on_a_dark_page(paper):
    def light(color):
        channels = (theme._linear(int(color[i : i + 2], 16) / 255) for i in (1, 3, 5))
        return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), channels, strict=True))

    for _, color in theme.SCALE:
        low, high = sorted((light(color), light(paper)))
        assert (high + 0.05) / (low + 0.05) > 1.5


@pytest.mark.parametrize(("n", "stands"), [(3, False), (8, True)])
def test_labels_of_many_subtypes_may_stand_where_the_window_is_narrow(n, stands):
    axis = theme.upright(go.Figure(), n).layout.xaxis
    assert (axis.autotickangles == (0, 90)) == stands
    assert (axis.tickangle == 0) != stands
