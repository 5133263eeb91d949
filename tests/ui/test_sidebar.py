from types import SimpleNamespace

from cacviz.engine.types import RunConfig
from cacviz.runs import Card
from cacviz.ui.sidebar import titles_of


def row(number, name="", minute=0):
    asked = SimpleNamespace(config=RunConfig(), created=60.0 * minute)
    return SimpleNamespace(id=str(number), card=Card(name), asked=asked, state="done")


def test_runs_with_the_same_settings_have_different_titles():
    rows = [row(1), row(2), row(3, minute=5), row(4, "Mine")]
    titles = titles_of(rows)
    assert len(set(titles.values())) == 4
    assert titles["4"] == "Mine"


def test_a_run_alone_needs_no_time_in_its_title():
    assert titles_of([row(1)]) == {"1": "CAC, k = 3"}
