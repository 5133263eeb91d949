"""One catalogue: every setting has words, and its default stands in a constructor."""

import inspect

import pytest

from cacviz.engine.cac.experts import EXPERTS
from cacviz.engine.preparation.preparing import Preparation
from cacviz.engine.running.defaults import default_of
from cacviz.engine.running.methods import METHODS, build_model
from cacviz.engine.running.settings import (
    CAC_ALPHA,
    COMMON,
    DISTANCE_BETA,
    EXPERT_NAMES,
    Setting,
)
from cacviz.engine.types import RunConfig

ALL = [*COMMON.values(), CAC_ALPHA, DISTANCE_BETA]


def test_the_names_of_experts_are_the_experts():
    assert tuple(EXPERTS) == EXPERT_NAMES


@pytest.mark.parametrize("setting", ALL, ids=lambda s: s.name)
def test_every_setting_has_a_title_and_a_sentence_of_help(setting):
    assert setting.title[0].isupper()
    assert setting.help.endswith(".")


@pytest.mark.parametrize("setting", ALL, ids=lambda s: s.name)
def test_every_setting_says_its_value_in_the_record_of_a_run(setting):
    if setting.form == "choice":
        records = [setting.said(value) for value in setting.values()]
        assert len(set(records)) == len(records) > 1
        assert [setting.titled(v) for v in setting.values()] == [t for _, t, _ in setting.choices]
    else:
        assert "{" not in setting.said(3)
    if setting.form in ("number", "whole"):
        assert setting.said(3) != setting.said(4)


def test_a_choice_that_is_no_longer_offered_says_its_bare_value():
    assert COMMON["expert"].said("magic") == "expert magic"
    assert COMMON["expert"].titled("magic") == "magic"


@pytest.mark.parametrize("setting", ALL, ids=lambda s: s.name)
def test_ranges_are_ranges(setting):
    if setting.form in ("number", "whole"):
        assert setting.high is not None
        assert 0 <= setting.low < setting.high
        assert setting.step > 0
    assert bool(setting.choices) == (setting.form == "choice")


def parameters(method, name):
    home = Preparation if method.settings[name].prepares else method.estimator_class()
    return inspect.signature(home).parameters


@pytest.mark.parametrize("name", METHODS)
def test_every_setting_of_a_method_is_a_parameter_with_the_default_that_is_told(name):
    method = METHODS[name]
    for setting in method.settings:
        taken = parameters(method, setting)
        assert setting in taken
        assert method.default(setting) == taken[setting].default


@pytest.mark.parametrize("name", METHODS)
def test_defaults_lie_within_their_ranges(name):
    for setting in METHODS[name].settings.values():
        default = METHODS[name].default(setting.name)
        if default is not None and setting.form in ("number", "whole"):
            assert setting.low <= default <= setting.high
        if setting.form == "choice":
            assert default in setting.values()


@pytest.mark.parametrize("name", METHODS)
def test_what_a_run_sets_reaches_its_estimator(name):
    method = METHODS[name]
    given = {s.name: _another(s, method) for s in method.settings.values()}
    model = build_model(RunConfig(name, 2, 7, **given))
    found = model.get_params(deep=False)
    for setting, value in given.items():
        if not method.settings[setting].prepares:
            assert found[setting] == value
    assert found["random_state"] == 7


def _another(setting: Setting, method):
    """A value that is not the default."""
    if setting.form == "choice":
        return next(v for v in setting.values() if v != method.default(setting.name))
    if setting.form == "flag":
        return not method.default(setting.name)
    return setting.low + setting.step if setting.form == "number" else int(setting.low) + 1


def test_settings_of_other_methods_are_passed_over():
    assert build_model(RunConfig("kmeans", 2, alpha=0.5, epochs=3)).n_clusters == 2


def test_a_default_is_found_in_the_class_that_a_constructor_is_inherited_from():
    assert default_of("cacviz.engine.cac.cac:CAC", "expert") == "lr"
    assert default_of("cacviz.engine.deep.baselines.kmeans_z:KMeansZ", "hidden") is not None


def test_what_no_constructor_has_has_no_default():
    assert default_of("cacviz.engine.cac.cac:CAC", "nothing") is None
    assert default_of("cacviz.engine.cac.cac:Nobody", "alpha") is None
