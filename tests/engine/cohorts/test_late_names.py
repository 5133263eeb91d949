"""Names of what is known late: by family, in several languages, and what is spared."""

import pytest

from cacviz.engine.cohorts.late_names import BEFORE_READMISSION, EARLIER, FAMILIES, late_family
from cacviz.wording.leaks import NAMES

CODES = [family.code for family in FAMILIES]


def test_every_family_has_one_place_and_its_words():
    assert len(set(CODES)) == len(CODES)
    assert set(CODES) == set(NAMES)


@pytest.mark.parametrize("family", FAMILIES, ids=CODES)
def test_every_name_on_the_lists_is_known_late(family):
    """It may belong to a family that stands before, but it is never passed over."""
    for name in (*family.names, *family.words, *family.starts):
        assert late_family(name), name


@pytest.mark.parametrize("family", FAMILIES, ids=CODES)
def test_lists_hold_plain_small_letters_only(family):
    """Names are compared without accents, capitals and what stands between words."""
    for name in (*family.names, *family.words, *family.starts):
        assert name == name.lower()
        assert name.isascii()
        assert name.isalnum()


@pytest.mark.parametrize(
    "name",
    [
        *("hospital_cost", "hospital cost", "Hospital-Cost", "hospitalCost", "HOSPITAL.COST"),
        *("hospital__cost_2", "cost2019"),
    ],
)
def test_however_a_name_is_written_it_is_the_same_name(name):
    assert late_family(name) == "cost"


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("décès", "survival"),
        ("muerte", "survival"),
        ("Überlebenszeit", "survival"),
        ("overleden", "survival"),
        ("Liegedauer", "stay"),
        ("tempo_internacao", "stay"),
        ("coût total", "cost"),
        ("spesa", "cost"),
        ("Therapiebegrenzung", "decision"),
        ("cuidados paliativos", "decision"),
        ("pronóstico", "forecast"),
        ("Komplikationen", "later"),
        ("egreso", "discharge"),
        ("NEWS2 score", "score"),
        ("acutephysiologyscore", "score"),
        ("hospitaldischargeoffset", "discharge"),
        ("unitdischargelocation", "discharge"),
        ("CURB-65", "score"),
        ("mRS 90 days", "later"),
    ],
)
def test_languages(name, family):
    assert late_family(name) == family


@pytest.mark.parametrize("word", sorted(EARLIER))
def test_what_was_over_before_the_patient_came_is_spared(word):
    assert late_family("death") == "survival"
    assert late_family(f"{word}_death") == ""


def test_a_label_tells_where_the_name_does_not():
    assert late_family("v17") == ""
    assert late_family("v17", "Length of stay") == "stay"
    assert late_family("length_of_stay", "Something else") == "stay"


@pytest.mark.parametrize("name", ["status", "time", "event", "day"])
def test_a_bare_name_is_late_but_not_as_a_word_of_a_longer_one(name):
    assert late_family(name) == "survival"
    assert late_family(f"smoking_{name}") == ""


@pytest.mark.parametrize(
    "outcome", ["readmitted", "Rehospitalisation", "Wiederaufnahme", "reingreso"]
)
def test_of_a_readmission_the_first_stay_is_known(outcome):
    assert late_family("length_of_stay", outcome=outcome) == ""
    assert late_family("total_charges", outcome=outcome) == ""
    assert late_family("time_to_death", outcome=outcome) == "survival"


def test_what_a_readmission_spares_are_families():
    assert set(BEFORE_READMISSION) < set(CODES)


@pytest.mark.parametrize(
    "name",
    [
        *("", "   ", "123", "___", "α", "年齢", "a"),
        *("costal_margin_pain", "stationary", "prognathism", "scored_apples", "totally_normal"),
    ],
)
def test_names_that_mean_nothing_of_the_kind_are_left_alone(name):
    assert late_family(name) == ""


@pytest.mark.parametrize("name", ["apacheadmissiondx", "apache_diagnosis", "APACHE_diag"])
def test_the_diagnosis_on_a_scores_form_is_known_at_admission(name):
    assert late_family(name) == ""
