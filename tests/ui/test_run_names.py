"""What runs are called in lists: each has a title of its own."""

from types import SimpleNamespace

from cacviz.engine.types import Choices, Column, Outcome, RunConfig
from cacviz.store.runs import Card
from cacviz.ui.shell.run_names import titles_of

CHOICES = Choices((Column("age", "number"), Column("died", "yesno", "outcome")), Outcome("died"))


def row(number, name="", *, config=None, state="done", star=False, cohort="one", choices=CHOICES):
    asked = SimpleNamespace(
        config=config or RunConfig(), choices=choices, classes=("no", "yes"), cohort_id=cohort
    )
    return SimpleNamespace(id=str(number), card=Card(name, star=star), asked=asked, state=state)


def test_runs_with_the_same_settings_have_different_titles():
    titles = titles_of([row(4, "Mine"), row(3), row(2), row(1)])
    assert titles == {
        "4": "Mine",
        "3": "CAC, k = 3 (3)",
        "2": "CAC, k = 3 (2)",
        "1": "CAC, k = 3",
    }


def test_a_run_alone_needs_nothing_more_in_its_title():
    assert titles_of([row(1)]) == {"1": "CAC, k = 3"}


def test_titles_say_what_differs_from_the_run_beside_it():
    titles = titles_of([row(2, config=RunConfig(alpha=0.2)), row(1, config=RunConfig(alpha=0.1))])
    assert titles == {
        "2": "CAC, k = 3, outcome separation (α) 0.2",
        "1": "CAC, k = 3, outcome separation (α) 0.1",
    }


def test_runs_of_another_cohort_add_nothing_to_a_title():
    more = Choices((*CHOICES.columns, Column("sex", "yesno")), Outcome("died"))
    titles = titles_of([row(2, cohort="other", choices=more), row(1)])
    assert titles == {"2": "CAC, k = 3", "1": "CAC, k = 3"}


def test_a_run_that_is_not_done_says_so_and_a_starred_one_has_its_star():
    titles = titles_of([row(2, "B", state="failed"), row(1, "A", star=True)])
    assert titles == {"2": "B (failed)", "1": "★ A"}
