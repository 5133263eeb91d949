"""Words by which a name tells of something known late: a family a kind, in several languages."""

from __future__ import annotations

from typing import NamedTuple


class Family(NamedTuple):
    """Names of one kind: whole names, words in a name, beginnings and ends of words, and pairs."""

    code: str
    names: frozenset[str] = frozenset()  # the whole name, without what stands between its words
    words: frozenset[str] = frozenset()
    starts: tuple[str, ...] = ()  # of a word, or within a name written as one word
    ends: tuple[str, ...] = ()  # of a word
    pairs: tuple[tuple[frozenset[str], frozenset[str]], ...] = ()  # a name has one of each


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


FAMILIES = (
    Family(
        "decision",
        names=word_set("code codestatus fullcode adcode"),
        words=word_set("dnr dnar dni nrb cmo polst molst cpr rcp lata lte wlst eol ejhlr"),
        starts=(
            *("dnr", "resuscit", "comfortcare", "comfort", "palliat", "hospice"),
            *("withdraw", "withhold", "codestatus", "therapiebegrenz", "therapieziel"),
            *("terminal", "endoflife", "noreanim", "nichtreanim", "nietreanim", "ejhlr"),
            *("pasreanim", "naoreanim", "nonrianim", "therapielimit", "limitacionesf"),
            *("limitaciontrat", "limitacionter", "adecuacionesf", "behandelbeperk"),
            *("behandlingsniveau", "behandlingsbegr", "behandelverbod", "intetgenopliv"),
            *("limitationdest", "limitationth", "treatmentlimit"),
            *("cuidadospal", "curepall"),
        ),
    ),
    Family(
        "forecast",
        words=word_set("prg prognosis prognose pronostic pronostico forecast predicted prediction"),
        starts=(
            *("prognos", "pronosti", "forecast", "predict", "vorhersag", "prognost"),
            *("previsi", "expectedmort", "expectedsurv", "expecteddeath", "probdeath"),
            *("probsurv", "probmort", "riskofdeath", "deathrisk", "mortalityrisk"),
            *("deathprob", "estimatedrisk", "riskpred", "predrisk", "physicianest"),
            *("survivalprob", "survivalest", "mortprob", "morbprob", "predmort"),
            *("predvent", "predicu", "predhosp", "predlos", "predsurv", "preddeath"),
            *("predich", "vorhergesagt", "voorspel", "prevision", "forudsig"),
        ),
        names=word_set("pdeath pmort psurv probability prob risk riskpct"),
        pairs=(
            (
                word_set(
                    "prob probability risk risiko riesgo risque rischio risico chance expected pred"
                ),
                word_set(
                    "death dying mort morb mortality morbidity died surv survival deces muerte tod "
                    "mortalidad mortalite mortalitat decesso obito sterben readmission"
                ),
            ),
            (
                word_set("xgb rf lr nn ml ai model"),
                word_set("prob score risk pred"),
            ),
            (
                word_set("surgeon physician clinician doctor nurse arzt medico medecin"),
                word_set("estimate estimated risk guess"),
            ),
        ),
    ),
    Family(
        "score",
        words=word_set(
            "aps sps igs igsii lods pelod mpm prism pim crib snap snappe grace timi "
            "hasbled chads mews"
        ),
        starts=(
            *("apache", "saps", "sofa", "qsofa", "meld", "euroscore", "framingham"),
            *("qrisk", "riskscore", "mortalityscore", "severityscore", "prognosticscore"),
            *("risikoscore", "scorerisk", "scorederisque", "oasis", "news2", "curb65"),
            *("possum", "sapsii", "newsscore", "psiclass", "psiscore", "physiologyscore"),
            *("physiologicscore", "physiologicalscore"),
        ),
    ),
    Family(
        "cost",
        words=word_set(
            "cost costs cst tcost charge charges chg chrg bill billing billed price payment "
            "payments paid reimbursement tariff expenditure expense expenses kosten erlos "
            "cout couts depense depenses tarif costo costos coste costes gasto gastos importe "
            "costi spesa spese custo custos despesa despesas tiss tisst "
            "kostnad kostnader udgift udgifter utgifter"
        ),
        starts=(
            *("totcst", "totmcst", "totcost", "totalcost", "totalcharg", "hospcost"),
            *("hospcharg", "avtiss", "reimburs", "gesamtkosten", "behandlungskosten"),
            *("rechnung", "expenditur", "totchg", "factur", "faktur", "valoris"),
            *("amountpaid", "amountbill", "amountcharg"),
        ),
        ends=("kosten", "charges", "erlos", "kostninger", "kostnad", "kostnader"),
    ),
    Family(
        "stay",
        names=word_set("stay hours nhours ndays staydays daysinicu"),
        words=word_set("los slos iculos hlos hoslos icustaylength estancia degenza ligduur dms"),
        starts=(
            *("lengthofstay", "lengthstay", "lenstay", "staylength", "stayduration"),
            *("timeinhosp", "timeinicu", "durationofstay", "hospitaldays", "hospdays"),
            *("icudays", "beddays", "daysinhosp", "daysinicu", "dayshosp"),
            *("verweildauer", "liegedauer", "liegetage", "aufenthaltsdauer"),
            *("behandlungsdauer", "dureedesejour", "dureesejour", "sejourduree"),
            *("joursdhosp", "diasestancia", "diasdeestancia", "diashosp", "diasinternac"),
            *("tempointernac", "tempodeinternac", "giornididegenza", "opnameduur"),
            *("verblijfsduur", "intensivtage", "itstage", "krankenhaustage"),
            *("beatmungstage", "beademingsd", "aufenthaltstage", "liegezeit", "liggetid"),
            *("vardtid", "varddagar", "indlaeggelsestid", "opholdstid", "permanencia"),
            *("icuduration", "ventilationduration", "durationofvent", "durationofhosp"),
            *("losday", "loshour", "losicu", "loshosp", "nhours", "ventilatorfreedays"),
            *("ventfreedays", "icufreedays"),
        ),
        ends=(
            "iculos",
            "unitlos",
            "hosplos",
            "hospitallos",
            "totlos",
            "tothlos",
            "wardlos",
            "ventdays",
        ),
        pairs=(
            (
                word_set(
                    "days hours tage stunden dauer jours heures duree dias horas duracion "
                    "giorni ore durata duracao duur dagen uren dage timer varighed dygn"
                ),
                word_set(
                    "icu picu nicu ccu hosp hospital stay mv hospitali ward vent ventil "
                    "ecmo its intensiv "
                    "beatmung "
                    "krankenhaus rea reanim uci uti vm vmi ingreso internac ricover degenza ti ic "
                    "beadem opname indlaeg sejour intub"
                ),
            ),
        ),
    ),
    Family(
        "discharge",
        words=word_set(
            "disposition dispo alta dest destination disch dispuniform dcdate dcto dcdest entl "
            "outtime saida salida"
        ),
        starts=(
            *("disch", "discharge", "entlass", "sortie", "dimission", "dimess"),
            *("ontslag", "egreso", "verlegt", "transferredto", "dsch", "udskriv"),
            *("udskrev", "utskriv", "utskrev", "wypis", "lastcareunit", "lastward"),
        ),
    ),
    Family(
        "survival",
        names=word_set(
            "status stat event events time times days day months outcome outcomes endpoint os pfs "
            "dfs efs rfs ttp tte futime ftime dtime stime survtime obstime lastcontact vital fu "
            "fup fate exit pstat dstat rstat lstat ereignis evento evenement esito desenlace"
        ),
        words=word_set(
            "death dead died dies deaths dod deceased expired fatal alive vitalstatus surv cens "
            "censor censored censoring cod autopsy necropsy tod tot deces decede decedee mort "
            "morte muerte muerto fallecido fallecida obito decesso deceduto overleden sterfte "
            "letal verstorben gestorben lebt vivant vivo survie exitus morto morta "
            "readm ucod dood avliden "
            "avled zgon zgonu"
        ),
        starts=(
            *("hospdead", "hospitaldeath", "hospdeath", "inhospitaldeath"),
            *("inhospitalmort", "mortal", "mortality", "mortd", "expire", "estadovital"),
            *("surviv", "survtime", "vitalstat", "deathdate", "dateofdeath", "deathtime"),
            *("causeofdeath", "deathcause", "timetodeath", "daystodeath", "deathday"),
            *("timetoevent", "timetofail", "daystoevent", "timeto", "daysto", "monthsto"),
            *("hoursto", "followup", "followedup", "lastfollow", "daysfu", "futime"),
            *("fustat", "fustatus", "uberleb", "sterbe", "verstorb", "gestorb"),
            *("superviv", "sobreviv", "fallec", "defunc", "sopravviv", "overlev"),
            *("overlijd", "nachbeobacht", "suivi", "seguimiento", "seguimento"),
            *("nachsorge", "readmi", "rehosp", "wiederaufnahme", "reingreso", "relapse"),
            *("recurren", "rezidiv", "recidiv", "progressionfree", "diseasefree"),
            *("eventfree", "rezidivfrei", "osmonth", "osdays", "osstat", "osevent"),
            *("pfsmonth", "pfsdays", "pfsstat", "dfsmonth", "dfsstat", "finalstatus"),
            *("exitstatus", "todesurs", "todesdat", "todeszeit", "todestag", "todesfall"),
            *("todesart", "doodsoorz", "dodsdat", "dodsars", "dodsaars", "dodsfal"),
            *("dth", "mortstat", "daymort", "monthmort", "vitstat", "etatvital"),
            *("statutvital", "estadofinal", "evolucionfinal", "sobrevida", "sterfdat"),
            *("eventtime", "lastcontact", "lstct", "permth", "personmonth", "personyear"),
            *("persontime", "opfolg", "oppfolg", "uppfolj", "genindlaeg", "reinternac"),
            *("heropname", "aterinlagg", "readmission", "recur", "reospedal", "fechadef"),
            *("fechafall", "patientstatus", "lifestatus", "survstatus"),
            *("dischargestatus", "outcomeat"),
        ),
        pairs=(
            (
                word_set("os pfs dfs rfs efs dss dfi pfi css mfs dmfs lrfs bcss ttf"),
                word_set("time months month mo days years yrs status stat event cens censored"),
            ),
            (
                word_set("fu followup"),
                word_set("years months days yrs date"),
            ),
            (
                word_set(
                    "last ultimo ultima letzter letzte dernier derniere dernieres laatste sidste"
                ),
                word_set("fu contact contacto contatto kontakt alive nouvelles news"),
            ),
        ),
    ),
    Family(
        "later",
        words=word_set("postop pod"),
        starts=(
            *("postop", "postsurg", "complica", "komplik", "reoperat", "reinterv"),
            *("adverseevent", "afterdischarge", "afteradmission", "atdischarge"),
            *("post30", "functionaloutcome", "mrs90", "mrs3m", "gose", "dischargediag"),
            *("finaldiag", "offtr", "stoppedtreat", "crossover", "losttofollow"),
            *("lostfu", "dropout", "returnor", "returntoor"),
            *("returntothe", "stillinhosp"),
        ),
        pairs=(
            (
                word_set("mrs rankin gos gose cpc barthel eq5d"),
                word_set("months month mo m weeks days d mois monate meses mesi maanden maneder"),
            ),
        ),
    ),
)
