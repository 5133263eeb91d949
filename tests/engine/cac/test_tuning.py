"""Alpha by cross-validation: what is tried, what is chosen, what is said."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from cacviz.engine.cac.cac import CAC
from cacviz.engine.cac.tuning import FOLDS, FRACTIONS, SEED, _folds
from cacviz.engine.metrics import auprc_macro


@pytest.fixture(scope="module")
def wards():
    rng = np.random.default_rng(3)
    ward = rng.integers(0, 3, 600)
    X = rng.normal(size=(600, 5)) + 2.5 * np.eye(3, 5)[ward]
    risk = 1.5 * X[np.arange(600), 2 + ward] - 1.5
    return X, (rng.random(600) < 1 / (1 + np.exp(-risk))).astype(int)


@pytest.fixture(scope="module")
def tuned(wards):
    return CAC(3, tune_alpha=True, random_state=0).fit(*wards)


def test_tuned_alpha_is_the_best_fraction_of_the_critical_value(tuned):
    best = max(tuned.tuning_, key=lambda row: row["mean"])
    assert [row["fraction"] for row in tuned.tuning_] == list(FRACTIONS)
    assert tuned.alpha_ == pytest.approx(best["fraction"] * tuned.critical_alpha_)
    assert tuned.alpha_ < tuned.critical_alpha_


@pytest.mark.parametrize("place", [0, 3, 5])
def test_score_of_a_fraction_is_that_of_folds_fitted_by_hand(wards, tuned, place):
    X, y = wards
    scores = []
    for rows, left_out in StratifiedKFold(FOLDS, shuffle=True, random_state=SEED).split(X, y):
        model = CAC(3, alpha=0.0, random_state=SEED).fit(X[rows], y[rows])
        alpha = FRACTIONS[place] * model.critical_alpha_
        model = CAC(3, alpha=alpha, random_state=SEED).fit(X[rows], y[rows])
        scores.append(auprc_macro(y[left_out], model.predict_proba(X[left_out])))
    assert tuned.tuning_[place]["mean"] == pytest.approx(np.mean(scores))
    assert tuned.tuning_[place]["sd"] == pytest.approx(np.std(scores, ddof=1))


def test_a_tuned_fit_is_the_fit_with_that_alpha(wards, tuned):
    X, _ = wards
    plain = CAC(3, alpha=tuned.alpha_, random_state=0).fit(*wards)
    assert np.array_equal(plain.labels_, tuned.labels_)
    assert np.array_equal(plain.predict_proba(X), tuned.predict_proba(X))


def test_tuning_says_what_it_chose(tuned):
    assert tuned.notes_[0].code == "tuned alpha"
    assert tuned.notes_[0].values["alpha"] == tuned.alpha_


def test_tuning_reports_its_folds(wards):
    rows = []
    CAC(2, tune_alpha=True, random_state=0).fit(*wards, on_step=rows.append)
    steps = [row["step"] for row in rows if row["phase"] == "tune"]
    assert steps == list(range(1, FOLDS + 1))


def test_an_alpha_of_ones_own_is_not_tuned(wards):
    with pytest.raises(ValueError, match="leave alpha at None"):
        CAC(2, alpha=0.1, tune_alpha=True).fit(*wards)


def test_tuning_needs_two_patients_of_a_class():
    X = np.arange(24, dtype=float).reshape(12, 2) % 7
    with pytest.raises(ValueError, match="two training patients"):
        CAC(2, tune_alpha=True, n_init=1).fit(X, [1] + [0] * 11)


def test_rows_of_one_patient_are_left_out_together(wards):
    X, y = wards
    patients = np.arange(len(y)) // 2
    for rows, left_out in _folds(y, patients).split(X, y, patients):
        assert not set(patients[rows]) & set(patients[left_out])


@pytest.mark.filterwarnings("ignore::cacviz.engine.exceptions.DegenerateClusterWarning")
def test_fewer_folds_are_said_as_they_are():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), np.repeat([0, 1], [57, 3])
    model = CAC(2, tune_alpha=True, n_init=1, random_state=0).fit(X, y)
    assert model.notes_[0].values["folds"] == 3
