"""How many: the rule on evidence by hand; one is an answer."""

import pytest

from cacviz.engine.running.sweeps.evidence import AtK
from cacviz.engine.running.sweeps.stability import Reference, Stability
from cacviz.engine.running.sweeps.suggesting import suggest
from cacviz.wording.sweeps import SENTENCES, check_sentences, suggestion_sentence, why


def at(k, strength, silhouette, twins=0.1, p=0.05, **more):
    apart = (silhouette - twins) / 0.01
    known = {
        "n_twins": 19,
        "auprc": 0.6,
        "events": 40,
        "sizes": (100,) * k,
        "seeds": 0.95,
        "fits": 3,
    }
    found = {"k": k, "strength": strength, "silhouette": silhouette, "twins": twins}
    return AtK(**found, apart=apart, p_twins=p, **{**known, **more})


ONE = AtK(1, fits=3, auprc=0.55, sizes=(300,))


def codes(notes):
    return [note.code for note in notes]


def test_the_k_that_comes_back_and_lies_furthest_beyond_one_population():
    found = suggest([ONE, at(2, 0.95, 0.13), at(3, 0.95, 0.2), at(4, 0.6, 0.18)])
    assert found.k == 3
    assert codes(found.reasons) == ["found again", "beyond one population", "more not found again"]
    assert "others as well" in codes(found.doubts)


def test_with_about_as_much_beyond_more_subtypes_stand():
    assert suggest([ONE, at(2, 0.95, 0.2), at(3, 0.95, 0.19)]).k == 3
    assert suggest([ONE, at(2, 0.95, 0.2), at(3, 0.95, 0.15)]).k == 2


def test_a_stretched_cloud_that_both_halves_cut_alike_is_one():
    found = suggest([ONE, at(2, 0.98, 0.1, p=0.5), at(3, 0.4, 0.1, p=0.6)])
    assert found.k == 1
    assert codes(found.reasons) == ["as one population"]


def test_what_does_not_come_back_is_one_with_its_doubt():
    found = suggest([ONE, at(2, 0.76, 0.2), at(3, 0.4, 0.1, p=0.6)])
    assert found.k == 1
    assert codes(found.reasons) == ["none found again", "apart but not again"]
    assert codes(found.doubts) == ["nearly", "not proof of one"]


def test_what_just_misses_the_limit_is_not_rounded_to_it():
    found = suggest([ONE, at(2, 0.95, 0.13), at(3, 0.95, 0.2), at(4, 0.799, 0.18)])
    (said,) = [reason for reason in why(found) if "no longer found again" in reason]
    assert "prediction strength 0.799" in said


def test_a_sweep_that_has_not_looked_says_so():
    found = suggest([ONE])
    assert not found.known
    assert "cannot be told yet" in suggestion_sentence(found)


def test_doubts_are_never_silent():
    weak = at(3, 0.9, 0.2, events=3, seeds=0.5, sizes=(100, 100, 4), jaccards=(0.9, 0.9, 0.4))
    found = suggest([ONE, at(2, 0.5, 0.1, p=0.6), weak])
    wanted = {"largest looked at", "sweep few events", "sweep small", "seeds differ"}
    assert wanted | {"a cluster not again", "predicts better"} == set(codes(found.doubts))


@pytest.mark.parametrize("strengths", [(0.9, 0.9, 0.9), (0.9, 0.9, 0.3), (0.3, 0.3, 0.3)])
def test_every_finding_has_a_sentence_of_its_own(strengths):
    found = suggest([ONE, *(at(k + 2, s, 0.14 + k / 50) for k, s in enumerate(strengths))])
    assert {*codes(found.reasons), *codes(found.doubts)} <= set(SENTENCES)
    assert all(said.endswith(".") for said in (suggestion_sentence(found), *why(found)))


def test_without_cohorts_to_compare_with_nothing_is_said_to_be_beyond_one_population():
    nothing = {"twins": float("nan"), "p": float("nan"), "n_twins": 0}
    found = suggest([ONE, at(2, 0.95, 0.2, **nothing), at(3, 0.95, 0.19, **nothing)])
    assert "not compared" in codes(found.doubts)
    assert not {"beyond one population", "more less apart"} & set(codes(found.reasons))
    one = suggest([ONE, at(2, 0.5, 0.2, **nothing)])
    assert "apart but not again" not in codes(one.reasons)
    assert "nan" not in " ".join([*why(found), *why(one)])


@pytest.mark.parametrize(("p", "said"), [(0.01, True), (0.6, False)])
def test_patients_are_called_more_than_one_cloud_only_where_that_is_shown(p, said):
    looked, nan = Reference(0.2, 0.19, 19, p), float("nan")
    found = Stability(3, "cac", (), nan, nan, nan, looked, looked, looked)
    sentence = check_sentences(found)[0]
    assert ("are not one cloud" in sentence) == said
    assert ("is not shown" in sentence) != said
