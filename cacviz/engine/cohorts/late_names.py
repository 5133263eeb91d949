"""Names of columns that tell of something known late: in several languages, by family."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from cacviz.engine.cohorts.leaking.words import FAMILIES, Family, word_set

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_LETTERS = str.maketrans({"æ": "ae", "Æ": "Ae", "ø": "o", "Ø": "O", "œ": "oe", "ß": "ss", "ł": "l"})
_LONG = 5  # letters from which a word of a pair may be part of a longer one
# said of something that was over when the patient came
EARLIER = word_set(
    "pre prior previous prev before baseline history hx anamnese antecedent antecedents vor "
    "family fam famhist familial father mother parent parents sibling spouse preop preicu "
    "premorbid preadmission antecedente antecedentes pregresso pregressa tidligere eerder eerdere "
    "voorgeschiedenis precedente precedent"
)
# what sounds like a family and is known when the patient comes
LOOK_ALIKES = {
    "decision": re.compile(
        r"alcohol|alkohol|opioid|drug|opiat|nicotin|bystander|ileum|ilei|comfortable"
    ),
    "forecast": re.compile(
        r"fev|fvc|dlco|tlco|kco|pef|tlc|vo2|vital|volume|flow|lung|weight|height|heartrate|hr$|gfr|"
        r"walk|hipredict"
    ),
    # on a score's form: what the patient came with, or what was measured for it
    "score": re.compile(r"d(x|iag\w*)\d*$|bodysystem|postop|timiflow|injur|source|reason"),
    "stay": re.compile(
        r"since|desde|seit|depuis|sinds|symptom|sintom|onset|inicio|klacht|until|hasta|prehosp"
    ),
    "discharge": re.compile(
        r"(presion|pression|pressao|tension|fiebre|febbre|febre|temperatura|glucosa)\w*alt|dischez|"
        r"dischargefrom|(vaginal|nipple|urethral|wound|nasal|ear|purulent)\w*disch"
    ),
    "survival": re.compile(
        r"(time|days|hours|months|minutes)to(birth|diagnos|admi|hosp|arriv|present|treat|surg|op|"
        r"operat|needle|ct|door|ball|antib|scan|refer|intervent)[a-z]*$|laryng"
    ),
    "later": re.compile(r"apache|uncompl|diabet|^dm|hypert|^htn|pregnan|schwanger"),
}
READMISSION = re.compile(
    r"readmi|rehosp|reingres|wiederauf|rientro|heropname|genindlaeg|reinternac|reospedal|aterinl"
)
BEFORE_READMISSION = ("stay", "discharge", "cost", "decision", "score", "forecast")
# beside a score's name these are no measurement that was made for it
_OF_A_SCORE = word_set(
    "score scores admission adm icu hospital unit day d h first last max min mean worst initial "
    "total lab punkte punkt puntuacion punteggio pontuacao valor wert index indice calc calculated "
    "highest lowest delta patient pt at on in of the a"
)


def late_family(name: str, label: str = "", *, outcome: str = "") -> str:
    """The family of something known late that a name or a label belongs to; empty for none.

    Of a readmission, a first stay with its length, cost and discharge is known before.
    """
    spared = BEFORE_READMISSION if READMISSION.search(_bare(outcome)) else ()
    for text in filter(None, (name, label)):
        found = _family(text)
        if found and found not in spared:
            return found
    return ""


@lru_cache(maxsize=10_000)
def _family(text: str) -> str:
    parts = _parts(text)
    if EARLIER.intersection(parts):
        return ""
    whole = "".join(p for p in parts if not p.isdigit())
    openings = _openings(parts)
    for family in FAMILIES:
        if _belongs(family, parts, whole, openings) and not _looks_alike(family, parts, whole):
            return family.code
    return ""


def _belongs(family: Family, parts: list[str], whole: str, openings: list[str]) -> bool:
    return (
        whole in family.names
        or bool(family.words.intersection(parts))
        or any(opening.startswith(family.starts) for opening in openings)
        or any(len(start) > 7 and start in whole for start in family.starts)
        or any(part.endswith(family.ends) for part in (*parts, whole))
        or any(_has(one, parts, whole) and _has(other, parts, whole) for one, other in family.pairs)
    )


def _has(stems: frozenset[str], parts: list[str], whole: str) -> bool:
    """Whether one of these is a word of the name, or, if it is long, stands anywhere in it."""
    return bool(stems.intersection(parts)) or any(len(s) >= _LONG and s in whole for s in stems)


def _looks_alike(family: Family, parts: list[str], whole: str) -> bool:
    pattern = LOOK_ALIKES.get(family.code)
    if pattern is not None and pattern.search(whole):
        return True
    return family.code == "score" and _is_input(family, parts)


def _is_input(family: Family, parts: list[str]) -> bool:
    """Whether the name ends with a score's, and says before it what was measured for it."""
    words = [p for p in parts if not p.isdigit()]
    is_score = bool(words) and (words[-1] in family.words or words[-1].startswith(family.starts))
    return is_score and "score" not in words[-1] and bool(set(words[:-1]) - _OF_A_SCORE)


def _openings(parts: list[str]) -> list[str]:
    """Each word of the name, and the words from there on written as one.

    With their numbers too, or news2 and mrs90 would not be known.
    """
    words = [p for p in parts if not p.isdigit()]
    tails = ["".join(some[i:]) for some in (words, parts) for i in range(len(some))]
    return [*parts, *tails]


def _parts(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    return [p.lower() for p in _PARTS.findall(plain)]


def _bare(text: str) -> str:
    return "".join(_parts(text))
