"""Names of columns that tell of something known late: in several languages, by family."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


class Family(NamedTuple):
    """Names of one kind: whole names, words in a name, and beginnings of words."""

    code: str
    names: frozenset[str] = frozenset()  # the whole name, without what stands between its words
    words: frozenset[str] = frozenset()
    starts: tuple[str, ...] = ()  # of a word, or within a name written as one word


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


FAMILIES = (
    Family(
        "decision",
        names=_set("code codestatus fullcode adcode"),
        words=_set("dnr dnar dni nrb cmo polst molst cpr"),
        starts=(
            *(
                "dnr",
                "resuscit",
                "comfortcare",
                "comfort",
                "palliat",
                "hospice",
                "withdraw",
                "withhold",
            ),
            *("codestatus", "therapiebegrenz", "therapieziel", "terminal", "endoflife"),
            *("limitationdest", "limitationth", "treatmentlimit", "cuidadospal", "curepall"),
        ),
    ),
    Family(
        "forecast",
        words=_set("prg prognosis prognose pronostic pronostico forecast predicted prediction"),
        starts=(
            *("prognos", "pronosti", "forecast", "predict", "vorhersag", "prognost", "previsi"),
            *("expectedmort", "expectedsurv", "expecteddeath", "probdeath", "probsurv", "probmort"),
            *("riskofdeath", "deathrisk", "mortalityrisk", "deathprob", "estimatedrisk"),
            *("riskpred", "predrisk", "physicianest", "survivalprob", "survivalest"),
        ),
        names=_set("pdeath pmort psurv probability prob risk riskpct"),
    ),
    Family(
        "score",
        words=_set("aps sps mpm prism pim crib snap snappe grace timi hasbled chads mews"),
        starts=(
            *("apache", "saps", "sofa", "qsofa", "meld", "euroscore", "framingham", "qrisk"),
            *("riskscore", "mortalityscore", "severityscore", "prognosticscore", "risikoscore"),
            *("scorerisk", "scorederisque", "oasis", "news2", "curb65", "possum", "sapsii"),
            *("physiologyscore", "physiologicscore", "physiologicalscore"),
        ),
    ),
    Family(
        "cost",
        words=_set(
            "cost costs cst tcost charge charges chg chrg bill billing billed price payment "
            "payments paid reimbursement tariff expenditure expense expenses kosten erlos "
            "cout couts depense depenses tarif costo costos coste costes gasto gastos importe "
            "costi spesa spese custo custos despesa despesas tiss tisst"
        ),
        starts=(
            *("totcst", "totmcst", "totcost", "totalcost", "totalcharg", "hospcost", "hospcharg"),
            *("avtiss", "reimburs", "gesamtkosten", "behandlungskosten", "rechnung", "expenditur"),
        ),
    ),
    Family(
        "stay",
        names=_set("stay hours nhours ndays staydays daysinicu"),
        words=_set("los slos iculos hlos hoslos icustaylength estancia degenza ligduur dms"),
        starts=(
            *("lengthofstay", "lengthstay", "lenstay", "staylength", "stayduration", "timeinhosp"),
            *("timeinicu", "durationofstay", "hospitaldays", "hospdays", "icudays", "beddays"),
            *("daysinhosp", "daysinicu", "dayshosp", "verweildauer", "liegedauer", "liegetage"),
            *(
                "aufenthaltsdauer",
                "behandlungsdauer",
                "dureedesejour",
                "dureesejour",
                "sejourduree",
            ),
            *("joursdhosp", "diasestancia", "diasdeestancia", "diashosp", "diasinternac"),
            *("tempointernac", "tempodeinternac", "giornididegenza", "opnameduur", "verblijfsduur"),
            *("nhours", "ventilatorfreedays", "ventfreedays", "icufreedays"),
        ),
    ),
    Family(
        "discharge",
        words=_set("disposition dispo alta dest destination disch dispuniform dcdate dcto dcdest"),
        starts=(
            *("disch", "discharge", "entlass", "sortie", "dimission"),
            *("dimess", "ontslag", "egreso", "verlegt", "transferredto"),
        ),
    ),
    Family(
        "survival",
        names=_set(
            "status stat event events time times days day months outcome outcomes endpoint os pfs "
            "dfs efs rfs ttp tte futime ftime dtime stime survtime obstime lastcontact vital fu "
            "fup fate exitus exit ereignis evento evenement esito desenlace"
        ),
        words=_set(
            "death dead died dies deaths dod deceased expired fatal alive vitalstatus surv cens "
            "censor censored censoring cod autopsy necropsy tod tot deces decede decedee mort "
            "morte muerte muerto fallecido fallecida obito decesso deceduto overleden sterfte "
            "letal verstorben gestorben lebt vivant vivo survie"
        ),
        starts=(
            *("hospdead", "hospitaldeath", "hospdeath", "inhospitaldeath", "inhospitalmort"),
            *(
                "mortal",
                "mortality",
                "mortd",
                "expire",
                "estadovital",
                "surviv",
                "survtime",
                "vitalstat",
                "deathdate",
                "dateofdeath",
            ),
            *("deathtime", "causeofdeath", "deathcause", "timetodeath", "daystodeath", "deathday"),
            *(
                "timetoevent",
                "timetofail",
                "daystoevent",
                "timeto",
                "daysto",
                "monthsto",
                "hoursto",
            ),
            *("followup", "followedup", "lastfollow", "daysfu", "futime", "fustat", "fustatus"),
            *("uberleb", "todes", "sterbe", "verstorb", "gestorb", "superviv", "sobreviv"),
            *("fallec", "defunc", "sopravviv", "overlev", "overlijd", "nachbeobacht", "suivi"),
            *("seguimiento", "seguimento", "nachsorge", "readmi", "rehosp", "wiederaufnahme"),
            *("reingreso", "relapse", "recurren", "rezidiv", "recidiv", "progressionfree"),
            *("diseasefree", "eventfree", "rezidivfrei", "osmonth", "osdays", "osstat", "osevent"),
            *("pfsmonth", "pfsdays", "pfsstat", "dfsmonth", "dfsstat", "finalstatus", "exitstatus"),
            *("patientstatus", "lifestatus", "survstatus", "dischargestatus", "outcomeat"),
        ),
    ),
    Family(
        "later",
        words=_set("postop pod"),
        starts=(
            *("postop", "postsurg", "complicat", "komplikat", "complicaz", "reoperat", "reinterv"),
            *("adverseevent", "afterdischarge", "afteradmission", "atdischarge", "post30"),
            *("functionaloutcome", "mrs90", "mrs3m", "gose", "dischargediag", "finaldiag"),
            *("offtr", "stoppedtreat", "crossover", "losttofollow", "lostfu", "dropout"),
        ),
    ),
)
# said of something that was over when the patient came
EARLIER = _set(
    "pre prior previous prev before baseline history hx anamnese antecedent antecedents vor "
    "family fam famhist familial father mother parent parents sibling spouse preop preicu"
)
DIAGNOSIS = re.compile(r"d(x|iag\w*)\d*$")  # of a score's form: what the patient came with
READMISSION = re.compile(r"readmi|rehosp|reingres|wiederauf|rientro|heropname")
BEFORE_READMISSION = ("stay", "discharge", "cost", "decision", "score", "forecast")


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
    whole = "".join(p for p in parts if not p.isdigit())
    if any(p in EARLIER for p in parts):
        return ""
    openings = _openings(parts)
    for family in FAMILIES:
        if family.code == "score" and DIAGNOSIS.search(whole):
            continue
        if whole in family.names or family.words.intersection(parts):
            return family.code
        if any(opening.startswith(family.starts) for opening in openings):
            return family.code
        if any(len(start) > 7 and start in whole for start in family.starts):
            return family.code
    return ""


def _openings(parts: list[str]) -> list[str]:
    """Each word of the name, and the words from there on written as one.

    With their numbers too, or news2 and mrs90 would not be known.
    """
    words = [p for p in parts if not p.isdigit()]
    tails = ["".join(some[i:]) for some in (words, parts) for i in range(len(some))]
    return [*parts, *tails]


def _parts(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    return [p.lower() for p in _PARTS.findall(plain)]


def _bare(text: str) -> str:
    return "".join(_parts(text))
