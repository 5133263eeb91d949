"""How often the outcome is met: rates with their intervals, hidden ones hatched, histograms."""

import json
import math

import numpy as np
import pytest

from cacviz.engine.types import ClusterSummary, Outcome, RunConfig, RunSummary, Scored
from cacviz.figures.ratios import class_counts, missing_shares, outcome_histogram, outcome_rates
from cacviz.figures.theme import NEUTRAL, outcome_color, subtype_color, text_on

TITLES = ("Subtype 1: Old <b>", "Subtype 2: Young", "Subtype 3: Few")


def cluster(j, n_test, *rates):
    return ClusterSummary(j, 100, (80, 20), n_test, (0,) * len(rates), rates)


def run(clusters, classes=("no", "yes")):
    return RunSummary(
        *(RunConfig(), "ward", "", Outcome("death"), classes, tuple(clusters)),
        *({}, (), 0.1, None, None, None, 1.0, ()),
    )


LOW, HIGH = Scored(0.1, 0.05, 0.18), Scored(0.4, 0.3, 0.52)
TWO = run(
    [cluster(0, 90, Scored(0.9, 0.8, 0.95), LOW), cluster(1, 60, Scored(0.6, 0.5, 0.7), HIGH)]
)


def test_a_bar_a_subtype_has_the_held_out_rate_of_the_event_with_its_interval():
    figure = outcome_rates(TWO, TITLES, (0.8, 0.2))
    (bars,) = figure.data
    assert list(bars.y) == [0.1, 0.4]
    np.testing.assert_allclose(bars.error_y.array, [0.08, 0.12])
    np.testing.assert_allclose(bars.error_y.arrayminus, [0.05, 0.1])
    assert list(bars.marker.color) == [subtype_color(0), subtype_color(1)]
    assert [list(row) for row in bars.customdata] == [[0, 0.05, 0.18, 90], [1, 0.3, 0.52, 60]]
    assert figure.layout.yaxis.title.text == "Share with death\u00a0=\u00a0yes"
    assert figure.layout.showlegend is False


def test_the_dotted_line_is_the_whole_cohort():
    (line,) = outcome_rates(TWO, TITLES, (0.8, 0.2)).layout.shapes
    assert (line.y0, line.y1, line.line.dash, line.line.color) == (0.2, 0.2, "dot", NEUTRAL)


def test_titles_of_the_user_carry_no_markup():
    text = outcome_rates(TWO, TITLES, (0.8, 0.2)).to_json()
    assert "<b>" not in text
    assert "Old &lt;b&gt;" in json.loads(text)["data"][0]["x"][0]


def test_of_three_classes_each_has_a_bar_in_its_own_colour_and_no_line():
    rates = [Scored(v, v / 2, v * 1.5) for v in (0.5, 0.3, 0.2)]
    three = run([cluster(0, 90, *rates), cluster(1, 60, *rates[::-1])], ("a", "b", "c"))
    figure = outcome_rates(three, TITLES, (0.4, 0.3, 0.3))
    assert [bar.name for bar in figure.data] == ["a", "b", "c"]
    assert [list(bar.y) for bar in figure.data] == [[0.5, 0.2], [0.3, 0.3], [0.2, 0.5]]
    assert [bar.marker.color for bar in figure.data] == [outcome_color(c, 3) for c in range(3)]
    assert not figure.layout.shapes
    assert figure.layout.showlegend is True


def test_only_the_subtypes_that_are_shown_are_drawn_and_keep_their_colours():
    (bars,) = outcome_rates(TWO, TITLES, (0.8, 0.2), shown=[1]).data
    assert list(bars.y) == [0.4]
    assert list(bars.marker.color) == [subtype_color(1)]


FEW = run([*TWO.clusters, cluster(2, 4, HIGH, HIGH)])


def test_a_rate_of_four_patients_is_shown():
    assert list(outcome_rates(FEW, TITLES, (0.8, 0.2)).data[0].y) == [0.1, 0.4, 0.4]


def test_where_small_counts_are_hidden_it_is_hatched_and_never_zero():
    bars, hidden = outcome_rates(FEW, TITLES, (0.8, 0.2), hide=True).data
    assert math.isnan(bars.y[2])
    assert math.isnan(bars.error_y.array[2])
    assert list(hidden.x) == [bars.x[2]]
    assert hidden.y[0] > 0
    assert hidden.marker.pattern.shape == "/"
    assert "hidden" in hidden.name


@pytest.mark.parametrize("hide", [False, True])
def test_a_subtype_without_held_out_patients_has_no_rate_and_is_not_called_hidden(hide):
    nobody = run([*TWO.clusters, cluster(2, 0, HIGH, HIGH)])
    (bars,) = outcome_rates(nobody, TITLES, (0.8, 0.2), hide=hide).data
    assert math.isnan(bars.y[2])


def test_class_counts_tell_number_and_share():
    (bars,) = class_counts(("alive <i>", "dead"), (150, 50)).data
    assert list(bars.x) == [150, 50]
    assert list(bars.text) == ["150 (75.0%)", "50 (25.0%)"]
    assert bars.y[0] == "alive &lt;i&gt;"
    assert class_counts(("alive", "dead"), (0, 0)).data[0].text[0] == "0 (0.0%)"


def test_the_histogram_draws_the_longest_one_per_cent_as_one_and_marks_the_cuts():
    values = np.r_[np.arange(1.0, 100), 10_000.0, np.nan]
    figure = outcome_histogram(values, (7, 13), title="Stay")
    drawn = np.asarray(figure.data[0].x)
    assert len(drawn) == 100
    assert drawn.max() == np.quantile(np.r_[np.arange(1.0, 100), 10_000.0], 0.99)
    assert [shape.x0 for shape in figure.layout.shapes] == [7, 13]
    assert [note.text for note in figure.layout.annotations] == ["7", "13"]


def test_an_outcome_that_nobody_has_draws_an_empty_histogram():
    assert len(outcome_histogram(np.full(3, np.nan), (), title="Stay").data[0].x) == 0


def test_missing_shares_are_drawn_on_the_scale_of_everybody():
    figure = missing_shares(["a", "b"], [0.7, 0.1])
    assert list(figure.data[0].x) == [0.7, 0.1]
    assert tuple(figure.layout.xaxis.range) == (0, 1)


@pytest.mark.parametrize(
    ("bar", "ink"), [("#9AA7B5", "#000000"), ("#C62838", "#FFFFFF"), ("#FFFFFF", "#000000")]
)
def test_text_on_a_bar_is_of_the_ink_that_is_read_more_easily(bar, ink):
    assert text_on(bar) == ink
