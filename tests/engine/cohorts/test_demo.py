"""The demo cohort: the same each time, plausible to a doctor, and its truth can be found."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

from cacviz.engine.cohorts.checks import check_cohort
from cacviz.engine.cohorts.choosing import with_labels
from cacviz.engine.cohorts.demo import (
    DEMOS,
    RISK_FACTORS,
    SUBTYPES,
    breast_cancer,
    codebook,
    demo_truth,
    make_demo,
    make_demo_stay,
    write_demo,
)
from cacviz.engine.cohorts.demos.codebook import MEASURES, demo_columns
from cacviz.engine.cohorts.describing import describe
from cacviz.engine.cohorts.making import changed, read_cohort
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running.fitting import fit_run
from cacviz.engine.types import RunConfig
from cacviz.wording.verdicts import verdict_sentence
from tests.conftest import ROOT

SAMPLE = ROOT / "sample_data"


@pytest.fixture(scope="module")
def cohort():
    return make_demo()


@pytest.fixture(scope="module")
def frame(cohort):
    return cohort.frame


@pytest.fixture(scope="module")
def run(cohort):
    return fit_run(split_cohort(cohort), RunConfig(method="cac", n_clusters=3))


def test_the_same_seed_gives_the_same_cohort_and_another_seed_another(cohort):
    assert make_demo().fingerprint == cohort.fingerprint
    assert np.array_equal(demo_truth(), demo_truth())
    assert make_demo(seed=1).fingerprint != cohort.fingerprint


def test_the_sample_file_is_what_the_generator_makes(cohort):
    columns = {c.name: c for c in demo_columns()}
    read = read_cohort(
        SAMPLE / "demo_icu.csv",
        outcome="In-hospital_death",
        roles={name: c.role for name, c in columns.items()},
    )
    named = changed(read, with_labels, {name: (c.label, c.unit) for name, c in columns.items()})
    assert named.columns == cohort.columns
    assert named.fingerprint == cohort.fingerprint


def test_the_command_rewrites_the_sample_folder_byte_by_byte(tmp_path):
    (tmp_path / "README.md").write_bytes((SAMPLE / "README.md").read_bytes())
    write_demo(tmp_path)
    for name in ("README.md", "demo_icu.csv"):
        assert (tmp_path / name).read_bytes() == (SAMPLE / name).read_bytes(), name


def test_the_codebook_explains_every_column_and_names_all_that_was_planted(cohort):
    table = codebook().set_index("Column")
    assert list(table.index) == [c.name for c in cohort.columns]
    assert (table["Meaning"].str.len() > 3).all()
    planted = {name for factors in RISK_FACTORS for name in factors}
    assert set(table.index[table["Higher values (planted)"] != ""]) == planted
    assert planted <= set(cohort.names("feature"))


def test_every_value_lies_in_its_clinical_range(frame):
    for measure in MEASURES:
        known = frame[measure.name].dropna()
        assert known.between(measure.low, measure.high).all(), measure.name
        assert np.allclose(known, known.round(measure.decimals), atol=1e-9), measure.name
        at_limit = known.isin((measure.low, measure.high)).mean()
        if measure.name not in ("Age", "GCS_median", "FiO2_last"):  # there a limit has a meaning
            assert at_limit < 0.005, measure.name
    assert frame["pH_last"].dropna().between(6.9, 7.65).all()
    assert frame["MechVentDuration"].between(0, 2880).all()
    assert frame["Length_of_stay"].between(2, 60).all()


def test_values_of_one_patient_agree_with_each_other(frame):
    known = frame.dropna(subset=["SysABP_median"])
    assert (known["SysABP_median"] > known["MAP_median"]).all()
    assert (known["MAP_median"] > known["DiasABP_median"]).all()
    gas = frame.dropna(subset=["pH_last", "HCO3_last", "FiO2_last"])
    expected = 6.1 + np.log10(gas["HCO3_last"] / (0.03 * gas["PaCO2_last"]))
    assert np.abs(gas["pH_last"] - expected).max() <= 0.0051
    assert (gas["PaO2_last"] < 713 * gas["FiO2_last"] - gas["PaCO2_last"] / 0.8).all()
    never = frame["MechVentDuration"] == 0
    assert (frame.loc[never, "MechVentLast8Hour"] == "no").all()
    assert frame.loc[~never, "FiO2_last"].min() >= 0.3
    assert np.corrcoef(np.log(gas["BUN_last"]), np.log(gas["Creatinine_last"]))[0, 1] > 0.4


def test_follow_up_agrees_with_death_and_length_of_stay(frame):
    died = frame["In-hospital_death"] == "yes"
    event, time, stay = frame["Death30Days"] == 1, frame["FollowUpDays"], frame["Length_of_stay"]
    assert time.between(1, 30).all()
    assert (event[died] == (stay[died] <= 30)).all()
    assert (time[died & event] == stay[died & event]).all()
    assert (time[~died] >= np.minimum(stay[~died], 30)).all()
    assert 0 < (event & ~died).mean() < 0.06
    lost = ~event & (time < 30)
    assert 0.02 < lost.mean() < 0.15


def test_death_stay_and_gaps_are_as_common_as_in_real_cohorts(cohort, frame):
    truth = demo_truth()
    assert 0.14 <= cohort.y.mean() <= 0.18
    for j, subtype in enumerate(SUBTYPES):
        assert np.mean(truth == j) == pytest.approx(subtype.share, abs=0.03)
        assert cohort.y[truth == j].mean() == pytest.approx(subtype.death_rate, abs=0.03)
    stay, ventilated = frame["Length_of_stay"], frame["MechVentDuration"] > 0
    assert stay.skew() > 1
    assert stay[ventilated].median() > stay[~ventilated].median() + 2
    gaps = frame.isna().mean()
    assert 0.25 < gaps["Lactate_last"] < 0.5
    assert gaps["HR_median"] < 0.03
    assert cohort.y[frame["Lactate_last"].isna()].mean() < cohort.y.mean() - 0.03


def test_checks_find_nothing_grave_in_either_icu_demo(cohort):
    assert [c.code for c in check_cohort(cohort)] == ["missing not at random"]
    by_stay = [c.code for c in check_cohort(make_demo_stay())]
    assert by_stay == ["short stays", "missing not at random"]


def test_each_outcome_leaves_the_other_out(cohort):
    assert cohort.column("Length_of_stay").role == "left out"
    stay = make_demo_stay()
    assert stay.column("In-hospital_death").role == "left out"
    assert stay.classes == ("≤ 7", "> 7 to 13", "> 13")
    assert np.bincount(stay.y).min() > 500
    for made in (cohort, stay):
        assert len(made.names("feature")) == 28
        assert made.names("sensitive") == ["Sex"]
        assert made.names("time", "event") == ["FollowUpDays", "Death30Days"]
        assert made.names("external check") == ["ICUType", "Creatinine_day3"]


@pytest.mark.heavy
def test_cac_and_k_means_recover_the_planted_subtypes(cohort, run):
    truth = demo_truth()
    assert adjusted_rand_score(truth, run.clusters) >= 0.85
    X = run.preparation.transform(cohort.frame).X
    found = KMeans(3, n_init=5, random_state=0).fit_predict(X)
    assert adjusted_rand_score(truth, found) >= 0.85


@pytest.mark.heavy
def test_experts_beat_one_model_for_all_on_held_out_patients(run):
    controls = {c.key: c for c in run.summary.controls}
    assert controls["k=1"].difference.low > 0.03
    assert controls["lr"].difference.low > 0.03
    assert not [n for n in run.summary.notes if n.severity != "hint"]
    assert run.summary.verdict.conclusion == "helps"
    words = verdict_sentence(run.summary.verdict)
    assert "clearly better than the same method with one subtype (k = 1)" in words


def test_the_largest_weights_of_each_expert_are_the_planted_risk_factors(cohort):
    """With the true subtypes given, so that it tests the cohort and not the clustering."""
    from sklearn.linear_model import LogisticRegression

    from cacviz.engine.preparation.preparing import Preparation

    truth = demo_truth()
    for j, factors in enumerate(RISK_FACTORS):
        own = cohort.frame[truth == j]
        prepared = Preparation().fit(own, cohort.columns, cohort.y[truth == j]).transform(own)
        model = LogisticRegression(C=0.1, max_iter=1000).fit(prepared.X, cohort.y[truth == j])
        weights = dict(zip(prepared.names, model.coef_[0], strict=True))
        slopes = {cohort.column(name).title: slope for name, slope in factors.items()}
        top = sorted(weights, key=lambda name: -abs(weights[name]))[:5]
        assert set(slopes) <= set(top)
        assert all(np.sign(weights[name]) == np.sign(slope) for name, slope in slopes.items())


def test_small_cohorts_can_be_made_too():
    assert make_demo(40, seed=3).n_patients == 40
    assert len(demo_truth(1)) == 1


def test_breast_cancer_has_malignant_as_the_positive_class():
    cohort = breast_cancer()
    assert cohort.classes == ("benign", "malignant")
    assert np.bincount(cohort.y).tolist() == [357, 212]
    assert len(cohort.names("feature")) == 30
    radius = cohort.frame["mean radius"]
    assert radius[cohort.y == 1].mean() > radius[cohort.y == 0].mean()


def test_every_demo_on_offer_makes_a_cohort_with_an_outcome():
    for title, description, make in DEMOS.values():
        cohort = make()
        assert title
        assert description.endswith(".")
        assert len(cohort.classes) >= 2
        assert len(describe(cohort)) == len(cohort.columns)


def test_the_list_of_demos_loads_no_heavy_library():
    code = (
        "import sys, cacviz.engine.cohorts.demo;"
        "sys.exit(','.join({'sklearn', 'torch', 'numba', 'scipy'} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""
    assert done.returncode == 0
