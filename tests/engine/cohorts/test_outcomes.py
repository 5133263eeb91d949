"""Classes of the outcome: their order, their names, cuts, and refusals in words."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.outcomes import encode_outcome
from cacviz.engine.exceptions import CohortError
from cacviz.engine.types import Outcome


def encode(values, **how):
    return encode_outcome(pd.Series(values), Outcome("death", **how))


@pytest.mark.parametrize(
    ("values", "classes"),
    [
        ([1, 0, 1], ("0", "1")),
        ([1.0, 0.0, np.nan], ("0", "1")),
        ([10, 9, 2], ("2", "9", "10")),
        (["yes", "no"], ("no", "yes")),
        (["died", "alive"], ("alive", "died")),
        (["survived", "expired"], ("survived", "expired")),
        ([">30", "NO", "<30"], ("NO", "<30", ">30")),
        (["relapse", "no relapse"], ("no relapse", "relapse")),
        (["Absent", "Present"], ("Absent", "Present")),
        (["10", "9"], ("9", "10")),
        ([True, False], ("False", "True")),
        (["b", "a", "c"], ("a", "b", "c")),
    ],
)
def test_classes_stand_in_an_order_that_ends_with_the_positive(values, classes):
    y, found = encode(values)
    assert found == classes
    for value, code in zip(values, y, strict=True):
        if pd.isna(value):
            assert code == -1
        else:
            assert classes[code] == (str(int(value)) if isinstance(value, float) else str(value))


@pytest.mark.parametrize(
    ("event", "other"),
    [
        ("ja", "nein"),
        ("oui", "non"),
        ("Sí", "No"),
        ("sim", "não"),
        ("progressed", "stable"),
        ("Progression", "Stable disease"),
        ("bösartig", "gutartig"),
        ("dead", "censored"),
        ("case", "control"),
        ("AKI", "keine AKI"),
        ("Decompensated", "None"),
        ("died", "transferred"),
    ],
)
def test_the_event_is_the_class_that_does_not_say_no_however_common(event, other):
    for values in ([event, other, other], [other, event, event]):
        assert encode(values)[1] == (other, event)


def test_of_two_words_that_say_nothing_the_rarer_is_the_event():
    assert encode(["home", "home", "elsewhere"])[1] == ("home", "elsewhere")
    assert encode(["home", "elsewhere", "elsewhere"])[1] == ("elsewhere", "home")


def test_positive_class_can_be_chosen():
    y, classes = encode([1, 0, np.nan, 1], positive="0")
    assert classes == ("1", "0")
    assert y.tolist() == [0, 1, -1, 0]
    assert encode([0.0, 1.0], positive="0.0")[1] == ("1", "0")
    assert encode(["<30", ">30", "NO"], positive="<30")[1] == ("NO", ">30", "<30")


def test_an_unknown_positive_class_is_refused():
    with pytest.raises(CohortError, match=r"no class maybe\. It has: no, yes"):
        encode(["yes", "no"], positive="maybe")


def test_length_of_stay_is_cut_as_in_the_paper():
    y, classes = encode([1, 7, 8, 13, 14, np.nan, 295], cuts=(13, 7))
    assert classes == ("≤ 7", "> 7 to 13", "> 13")
    assert y.tolist() == [0, 0, 1, 1, 2, -1, 2]


def test_fractions_in_cut_points_are_kept():
    assert encode([0.1, 0.2, 0.3], cuts=(0.15,))[1] == ("≤ 0.15", "> 0.15")


def test_quantiles_give_equal_parts():
    y, classes = encode(np.arange(99), quantiles=3)
    assert np.bincount(y).tolist() == [33, 33, 33]
    assert classes == ("≤ 32", "> 32 to 65", "> 65")


@pytest.mark.parametrize(
    ("values", "how", "words"),
    [
        ([1, 1, 1], {}, "has one value only"),
        ([np.nan, np.nan], {}, "is empty"),
        (np.arange(50), {}, "50 different values. Cut it into classes"),
        ([f"w{i}" for i in range(50)], {}, "up to 10 classes"),
        (["yes", "no"], {"cuts": (1.0,)}, "cannot be cut: it holds words such as yes"),
        ([1, 2, 3], {"cuts": (7.0,)}, "No patient has .*> 7: it runs from 1 to 3"),
        ([1, 2, 3], {"cuts": (float("nan"),)}, "not a number"),
        (np.arange(50), {"cuts": tuple(range(20))}, "too many"),
        ([0] * 9 + [1], {"quantiles": 3}, "90% of patients have the value 0"),
        (np.arange(50), {"quantiles": 1}, "2 to 10 equal parts"),
        (pd.date_range("2020-01-01", periods=3), {}, "holds dates"),
        (pd.date_range("2020-01-01", periods=3), {"cuts": (1.0,)}, "cannot be cut"),
    ],
)
def test_what_cannot_be_an_outcome_is_refused_in_words(values, how, words):
    with pytest.raises(CohortError, match=words):
        encode(values, **how)
