"""Every insight by name, loaded only when it is made."""

import subprocess
import sys

import pytest

from cacviz.engine.insights.registry import INSIGHTS, Insight
from cacviz.engine.insights.types import Described


@pytest.mark.parametrize("name", INSIGHTS)
def test_every_insight_has_a_maker_that_takes_a_material(name):
    insight = INSIGHTS[name]
    assert insight.name == name
    (taken,) = insight.maker().__annotations__.keys() - {"return"}
    assert insight.maker().__annotations__[taken] == "Material"


@pytest.mark.parametrize("name", INSIGHTS)
def test_what_a_maker_gives_is_what_is_stored(name):
    insight = INSIGHTS[name]
    given = insight.maker().__annotations__["return"]
    assert given.removesuffix(" | None") == insight.kind.__name__


def test_what_is_quick_and_read_first_is_made_first():
    order = list(INSIGHTS)
    assert order[0] == "described"
    assert order[-1] == "map"


def test_a_line_that_names_nothing_fails_when_it_is_asked_for():
    with pytest.raises(AttributeError):
        Insight("odd", Described, "cacviz.engine.insights.maps:nothing").maker()


def test_the_list_loads_no_heavy_library():
    code = (
        "import sys; import cacviz.engine.insights.registry;"
        "heavy = {'torch', 'umap', 'numba', 'shap', 'sklearn', 'statsmodels', 'xgboost', 'scipy'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
