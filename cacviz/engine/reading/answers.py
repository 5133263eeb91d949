"""Words of an answer in the languages of the wards: those that say no, yes, or not known."""

from __future__ import annotations

import re

NO_WORDS = frozenset(
    (
        *("0", "no", "n", "none", "false", "f", "absent", "negative", "neg", "never", "without"),
        *("alive", "living", "survived", "survivor", "survival", "censored", "discharged"),
        *("healthy", "control", "controls", "normal", "benign", "stable", "unchanged", "not"),
        *("nein", "kein", "keine", "keiner", "nicht", "ohne", "negativ", "lebt", "lebend"),
        *("lebendig", "überlebt", "überlebend", "zensiert", "gesund", "kontrolle", "stabil"),
        *("gutartig", "nie", "falsch", "unauffällig", "entlassen"),
        *("non", "pas", "aucun", "aucune", "sans", "négatif", "négative", "vivant", "vivante"),
        *("survie", "censuré", "sain", "saine", "témoin", "bénin", "bénigne", "jamais", "faux"),
        *("ninguno", "ninguna", "sin", "negativo", "negativa", "vivo", "viva", "sano", "sana"),
        *("estable", "benigno", "benigna", "nunca", "falso", "ausente", "sobrevivió"),
        *("nessuno", "nessuna", "senza", "sopravvissuto", "stabile", "mai", "controllo"),
        *("nee", "geen", "niet", "zonder", "negatief", "levend", "gezond", "stabiel", "nooit"),
        *("não", "nao", "nenhum", "nenhuma", "sem", "saudável", "estável", "controle"),
    )
)
YES_WORDS = frozenset(
    (
        *("1", "yes", "y", "true", "t", "present", "positive", "pos", "event", "case", "cases"),
        *("died", "dead", "death", "deceased", "expired", "malignant", "relapse", "relapsed"),
        *("progression", "progressed", "progressive", "recurrence", "readmitted"),
        *("ja", "tot", "tod", "verstorben", "gestorben", "bösartig", "positiv", "rezidiv"),
        *("oui", "mort", "morte", "décès", "décédé", "décédée", "positif", "rechute", "malin"),
        *("si", "sí", "sì", "muerto", "muerta", "muerte", "fallecido", "fallecida", "maligno"),
        *("deceduto", "deceduta", "morto", "morta", "positivo", "positiva", "overleden"),
        *("sim", "óbito", "positief", "kwaadaardig"),
    )
)
UNKNOWN_WORDS = frozenset(
    (
        *("unknown", "unk", "unkn", "not known", "not recorded", "missing"),
        *("not available", "not stated", "not reported", "not documented", "no data", "no answer"),
        *("no information", "unspecified", "don't know", "dont know"),
        *("na", "n/a", "n.a.", "nk", "n.k.", "not assessed", "not specified"),
        *("unbekannt", "nicht bekannt", "keine angabe", "keine angaben", "k.a.", "k. a.", "fehlt"),
        *("fehlend", "nicht erhoben", "nicht dokumentiert", "n.b.", "n. b.", "nicht bestimmt"),
        *("nd", "n.d.", "not done", "not measured", "not determined", "non fait", "no realizado"),
        *("inconnu", "inconnue", "non connu", "non renseigné", "manquant", "non précisé"),
        *("desconocido", "desconocida", "no consta", "no disponible", "sin datos", "se desconoce"),
        *("sconosciuto", "sconosciuta", "non noto", "non nota", "non disponibile", "mancante"),
        *("onbekend", "niet bekend", "ontbreekt", "geen gegevens"),
        *("desconhecido", "desconhecida", "não informado", "ignorado", "sem informação"),
    )
)
YESNO = (
    *({"no", "yes"}, {"n", "y"}, {"false", "true"}, {"f", "t"}, {"absent", "present"}),
    *({"negative", "positive"}, {"neg", "pos"}, {"0", "1"}, {"nein", "ja"}, {"non", "oui"}),
    *({"no", "si"}, {"no", "sí"}, {"no", "sì"}, {"nee", "ja"}, {"não", "sim"}, {"nao", "sim"}),
    *({"negativ", "positiv"}, {"négatif", "positif"}, {"negativo", "positivo"}),
)


def is_unknown(text: str) -> bool:
    """Whether the word stands for an answer that nobody has."""
    text = _plain(text)
    return text in UNKNOWN_WORDS or text.strip("()[]<>-–*?. ") in UNKNOWN_WORDS


def leaning(text: str) -> int:
    """-1 where the words say no or all is well, 1 where they name an event, 0 where neither."""
    text = _plain(text)
    first = re.split(r"[\s_\-/,:;()]+", text, maxsplit=1)[0]
    for words, sign in ((NO_WORDS, -1), (YES_WORDS, 1)):
        if text in words or (len(first) > 1 and first in words):
            return sign
    return 0


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


# coded 0 and 1, but no yes or no: "sex 0" is said, never "no sex"
_SEX = re.compile(r"(patient[ _]?)?(sex|gender|geschlecht|sexe|sexo|sesso|genre)", re.IGNORECASE)


def is_sex(name: str) -> bool:
    """Whether a column of this name tells the sex, which has no yes and no."""
    return bool(_SEX.fullmatch(name))
