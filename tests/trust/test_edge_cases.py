"""Tables and settings that break programs which compute give words, never a fault or a NaN."""

import re

import pytest

from cacviz.engine.cohorts.checks import check_cohort
from cacviz.engine.cohorts.making import decided_cohort
from cacviz.engine.exceptions import CohortError, ConfigError
from cacviz.engine.insights.making import insight_steps
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.reading.tables import read_table
from cacviz.engine.running.fitting import fit_run
from cacviz.engine.types import RunConfig
from cacviz.jobs import environment
from cacviz.report.html import as_html
from cacviz.report.material import gather
from cacviz.report.registry import build
from cacviz.store import cohorts, insights, paths, runs
from cacviz.wording.checks import check_sentence
from tests.trust.edge_cases import CASES, sound

NO_NUMBER = re.compile(r"\b(nan|inf|None|NaT)\b")
PARTS = ("described", "performance", "silhouettes", "students", "theorems")


def cohort_and_words(case):
    """The cohort that a file makes, and what is said of it before a run."""
    data = case.change(sound()).to_csv(index=False).encode()
    table = read_table(data, "edge.csv")
    cohort = decided_cohort("edge.csv", table, "death", **case.decided)
    return cohort, [*table.notes, *map(check_sentence, check_cohort(cohort))]


def kept(cohort, config):
    """A run of it in the store, with what its pages show; its id."""
    fitted = fit_run(split_cohort(cohort, seed=0), config)
    run_id = runs.create_run(cohorts.save_cohort(cohort), fitted.summary.config, "Edge")
    runs.save_result(runs.run_folder(run_id), fitted, environment.describe(1))
    for name, make in insight_steps(cohort, fitted, only=PARTS):
        insights.save_part(runs.run_folder(run_id), name, make())
    return run_id


def visible(html):
    """The words of a page: without scripts, styles and marks."""
    html = re.sub(r"(?s)<(script|style|svg)\b.*?</\1>", " ", html)
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


@pytest.mark.heavy
@pytest.mark.parametrize("name", CASES)
def test_an_edge_is_told_in_words(name, tmp_path, monkeypatch):
    monkeypatch.setenv(paths.DATA_DIR, str(tmp_path))
    case = CASES[name]
    config = RunConfig(**{"method": "cac", "n_clusters": 2} | case.settings)
    if case.refused:
        with pytest.raises((CohortError, ConfigError), match=case.told):
            kept(cohort_and_words(case)[0], config)
        return
    cohort, before = cohort_and_words(case)
    shown = visible(as_html(build(gather(kept(cohort, config))), interactive=False))
    said = " ".join([*before, shown])
    assert re.search(case.told, said), before
    assert not NO_NUMBER.findall(shown.replace("nan in words", ""))


def test_there_are_forty_edges():
    assert len(CASES) >= 40
