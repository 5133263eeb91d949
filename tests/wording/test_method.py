"""Method, theorems and glossary speak in whole sentences, whatever the numbers."""

from dataclasses import replace

import pytest

from cacviz.engine.insights.types import SubtypeTheory, Theorems
from cacviz.engine.scoring.bounds import Generalisation, LossBounds, MarginBounds
from cacviz.wording import method, theorems
from cacviz.wording.glossary import GLOSSARY, LIMITS
from cacviz.wording.reading import READINGS, entry_text
from tests.wording.grammar import assert_clean, assert_sentence

SUBTYPE = SubtypeTheory(
    cluster=0,
    n=454,
    n_held_out=186,
    trivial=0.55,
    log_loss=LossBounds(lower=0.1, tight=0.2, loss=0.32, upper=0.5, reach=2.0),
    held_out=0.33,
    margin=MarginBounds(0.1, 0.4, 0.9, 0.05, 1.0, 0),
    general=Generalisation(454, 0.32, 0.1, 0.05, 300.0, 0.55),
)
ONE = Generalisation(1000, 0.38, 0.05, 0.03, 400.0, 0.6)
RUN = Theorems((SUBTYPE, replace(SUBTYPE, cluster=1, n=1)), ONE, True, 2)


def said(run):
    return [
        *theorems.log_loss_words(run),
        *theorems.margin_words(run),
        *theorems.general_words(run),
    ]


@pytest.mark.parametrize(
    "subtype",
    [
        SUBTYPE,
        replace(SUBTYPE, log_loss=LossBounds(-0.4, 0.2, 0.3, 4.0, 9.0), held_out=0.7),
        replace(SUBTYPE, margin=MarginBounds(0.1, 0.4, 0.9, -3.0, -1.0, 1)),
        replace(SUBTYPE, margin=MarginBounds(0.1, 0.4, 0.9, 0.1, 1.0, 5)),
        replace(SUBTYPE, general=Generalisation(30, 0.5, 3.0, 9.0, 1e6, 0.55)),
        replace(SUBTYPE, general=Generalisation(30, 0.6, 3.0, 9.0, float("inf"), 0.55)),
    ],
)
@pytest.mark.parametrize("own", [True, False])
def test_theorems_are_told_in_sentences(subtype, own):
    for sentence in said(replace(RUN, subtypes=(subtype, SUBTYPE), own_experts=own)):
        assert_sentence(sentence)


def test_a_void_bound_is_called_void():
    void = replace(SUBTYPE, general=Generalisation(30, 0.5, 3.0, 9.0, 1e6, 0.55))
    run = replace(RUN, subtypes=(void, replace(void, cluster=1)))
    assert "void in every subtype" in " ".join(theorems.general_words(run))
    assert "1,000,000 patients" in " ".join(theorems.general_words(run))
    assert "void" not in " ".join(theorems.general_words(RUN))


def test_a_broken_bound_of_the_paper_is_said_to_be_broken():
    broken = replace(SUBTYPE, margin=MarginBounds(0.1, 0.4, 0.9, -3.0, -1.0, 1))
    words = " ".join(theorems.margin_words(replace(RUN, subtypes=(broken,))))
    assert "broken in Subtype 1" in words
    assert "1 patient is" in words


def test_pictures_are_told_in_sentences():
    sentences = [
        *(method.alpha_words(t, 0.19 * t, 0.19) for t in (0.0, 0.5, 1.0, 2.0)),
        *(method.round_words(n, [0, 1, 5, 0], [9.0, 8.0, 6.0, 6.0]) for n in range(4)),
        method.ending_words([[30, 1], [4, 20]], 20, 150),
        method.ending_words([[30, 10], [40, 20]], 0, 150),
        method.ending_words([[30, 10], [40, 20]], 1, 150),
        method.apart_words({"one": 0.5, "kmeans": 0.8, "cac": 0.84}, 1),
        method.apart_words({"one": 0.8, "kmeans": 0.7, "cac": 0.7}, 0),
        method.apart_words({"one": 0.8, "kmeans": 0.8, "cac": 0.7}, 3),
        *(method.margin_words(m, 30, 60, 60.0, 50.0) for m in (0.0, 0.4)),
        method.border_words(0.3, 0.2, 0.25, 0.3),
        *(method.noise_words(k, 0.7, 0.5) for k in (1, 3)),
        *(method.stage_words(phase, 1, 0.3, 0.9) for phase in ("pretrain", "cluster", "experts")),
    ]
    for sentence in sentences:
        assert_sentence(sentence)
    for sentence in [*method.ONE_SENTENCE.values(), *method.CAPTIONS.values()]:
        assert sentence[-1] == "."
        assert_clean(sentence)


def test_every_word_and_limit_is_a_sentence_and_every_page_s_words_are_known():
    for entry in GLOSSARY.values():
        assert entry.meaning[-1] == "."
        assert_clean(entry_text(entry))
    for line in [*LIMITS, *(line for reading in READINGS.values() for line in reading.lines)]:
        assert line[-1] == "."
    for reading in READINGS.values():
        assert set(reading.words) <= set(GLOSSARY)
