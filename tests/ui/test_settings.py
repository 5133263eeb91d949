"""The settings of a run in words."""

import pytest

from cacviz.engine.methods import METHODS
from cacviz.engine.types import RunConfig
from cacviz.ui.settings import settings_words


def test_a_deep_run_tells_no_settings_of_cac():
    said = settings_words(RunConfig(method="deepcac", alpha=5.0, beta=20.0, routing="soft"), None)
    assert said.startswith("DeepCAC, k = 3, outcome separation (α) 5, subtype tightness (β) 20")
    assert "soft routing" in said
    assert not any(word in said for word in ("paper", "Logistic", "scaling", "tune", "_"))


def test_an_automatic_alpha_tells_its_value_and_where_it_comes_from():
    said = settings_words(RunConfig(), 0.05494)
    assert "outcome separation (α) 0.0549 (half its critical value)" in said
    assert "risk models: Logistic regression" in said
    assert "tuned" in settings_words(RunConfig(tune_alpha=True), 0.1)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_words_for_its_settings(method):
    assert "{" not in settings_words(RunConfig(method=method), None)
