"""Bedside rule: the stored numbers on the page, vetoes that stand, a card that is safe to open."""

from streamlit.testing.v1 import AppTest

from cacviz.engine.insights.bedside.types import Wish
from cacviz.jobs import queue
from cacviz.store import insights
from cacviz.ui.bedside.card import card_html
from tests.pages.test_pages import words


def test_without_a_run_the_page_says_what_to_do(show):
    app = show("bedside_rule")
    assert not app.exception
    assert "No subtypes yet" in words(app)


def test_the_page_shows_the_stored_rule(show, described_run):
    cohort_id, run_id = described_run
    found = insights.load_part(run_id, "bedside")
    app = show("bedside_rule", cohort=cohort_id, run=run_id)
    assert not app.exception
    said = words(app).replace("\\", "")
    assert f"kappa {found.agreement.kappa.value:.2f}" in said
    assert app.number_input[0].value == 5


def test_a_veto_is_stored_and_the_rule_is_made_anew(show, described_run, monkeypatch):
    cohort_id, run_id = described_run
    asked = []
    monkeypatch.setattr(queue, "complete", asked.append)
    kept = insights.load_part(run_id, "bedside")
    app = show("bedside_rule", cohort=cohort_id, run=run_id)
    veto = kept.rule.variables[0]
    app.multiselect(key=f"rule_without_{run_id}").set_value([veto]).run()
    assert not app.exception
    assert insights.rule_wish(run_id) == Wish(without=(veto,))
    assert set(asked) == {run_id}
    assert insights.load_part(run_id, "bedside") is None
    again = show("bedside_rule", cohort=cohort_id, run=run_id)
    assert again.multiselect(key=f"rule_without_{run_id}").value == [veto]
    insights.change_rule_wish(run_id, without=())
    insights.save_part(insights.home_of(run_id).parent, "bedside", kept)


def test_the_card_escapes_what_users_wrote(described_run):
    _, run_id = described_run
    found = insights.load_part(run_id, "bedside")
    page = card_html(found, ["Renal <b>", "Other"], "death <script>", "Ward & Co")
    assert "<b>" not in page
    assert "<script>" not in page
    assert "Ward &amp; Co" in page
    assert all(line.title in page for line in found.rule.lines)


def _card_of_eight():
    import pandas as pd

    from cacviz.ui.bedside.views import _points

    points = {f"Subtype {j + 1}": [j] for j in range(8)}
    _points(pd.DataFrame({"Variable": ["Lactate"], "Value": ["up to 2"], **points}))


def test_the_points_of_eight_subtypes_stand_under_numbers_that_fit():
    app = AppTest.from_function(_card_of_eight).run()
    assert not app.exception
    assert app.markdown[0].value.startswith("| Variable | Value | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |")
    assert app.caption[0].value == "Columns 1 to 8: the subtypes."
