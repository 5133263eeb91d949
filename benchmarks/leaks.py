"""Do the checks find columns that leak, and leave clean ones alone?

    python -m benchmarks.leaks            # prints both lists and the two shares

Leaks are planted into real cohorts (each pattern in several cohorts) or are there by nature (the
challenge's own outcome columns). Clean columns are all others of the shared cohorts; columns that
were recorded late by the cohorts' own codebooks are listed as such and count for neither share.
Names alone are judged apart: a planted column has either a telling name or a telling behaviour.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from benchmarks.leak_names import CLEAN
from benchmarks.leak_names import LATE as LATE_NAMES
from benchmarks.shared_cohorts import COHORTS, Case
from cacviz.engine.cohorts.choosing import with_roles
from cacviz.engine.cohorts.late_names import late_family
from cacviz.engine.cohorts.leaks import suspicions
from cacviz.engine.cohorts.making import changed, make_cohort
from cacviz.engine.types import Cohort, Column

# leaks that the cohorts themselves have, and columns of theirs that are known late
OWN_LEAKS = {
    "cic": ("Survival", "Length_of_stay"),
    "cic_los": ("Survival", "In-hospital_death"),
    "sepsis": ("n_hours",),
    "gbsg2": ("time", "cens"),
    "actg175": ("days", "cens"),
    "nwtco": ("rel", "edrel"),
    "diabetes": ("discharge_disposition_id",),
}
LATE = {"actg175": ("offtrt", "cd420", "cd496", "cd820", "r"), "cic": (), "cic_los": ()}
SCORES = {"cic": ("SAPS-I", "SOFA"), "cic_los": ("SAPS-I", "SOFA")}  # named, and not wrong


class Planted(NamedTuple):
    name: str
    values: pd.Series
    kind: str


# of a readmission, the first stay with its length, cost and end is known before: no leaks
BEFORE_READMISSION = {"stay", "discharge", "cost", "decision", "score", "forecast"}


def planted(cohort: Cohort, rng: np.random.Generator) -> list[Planted]:
    """A column of each pattern that the issue names, and more; names of behaviour tell nothing."""
    n, event = cohort.n_patients, cohort.y == len(cohort.classes) - 1
    noise = rng.normal(size=n)
    day = rng.exponential(8, n).round(1) + 1
    cause = np.where(event, rng.choice(["cardiac", "sepsis", "other"], n), None)
    seen = np.where(event, "not seen", rng.choice(["well", "ill"], n))
    some = np.where(
        event & (rng.random(n) < 0.97),
        "worst",
        rng.choice(["good", "fair", "worst"], n, p=[0.5, 0.4, 0.1]),
    )
    ward = np.where(event & (rng.random(n) < 0.5), "M", rng.choice(["A", "B", "C"], n))
    rare = np.where(~event & (rng.random(n) < 0.4), "Z", rng.choice(["P", "Q"], n))
    behave = {
        "K1 copy": (event.astype(int), "yesno"),
        "K2 other code": (np.where(event, "b", "a"), "category"),
        "K3 nearly": (event * 4 + noise, "number"),
        "K4 reversed": (-4.5 * event + noise, "number"),
        "K5 cause": (cause, "category"),
        "K6 seen again": (seen, "category"),
        "K7 function": (some, "category"),
        "K8 unit": (ward, "category"),
        "K9 state": (rare, "category"),
        "K10 only if event": (np.where(event, day, np.nan), "number"),
        "K11 only if none": (np.where(event, np.nan, day), "number"),
        "K12 minus one": (np.where(event, day, -1.0), "number"),
        "K13 when": (np.where(event, pd.Timestamp("2020-01-05"), pd.NaT), "date"),
        "K14 steps": (np.where(event, rng.integers(0, 3, n), rng.integers(2, 9, n)), "number"),
        "K15 bits": (np.where(event, 1, rng.random(n) < 0.05).astype(int), "yesno"),
    }
    named = {
        "total_charges": day * 900,
        "hospital_cost": day * 700,
        "Behandlungskosten": day * 10,
        "length_of_stay": day,
        "LOS_hours": day * 24,
        "Verweildauer": day,
        "duree_de_sejour": day,
        "discharge_disposition": noise,
        "Entlassungsart": noise,
        "days_to_death": day,
        "vital_status": noise,
        "follow_up_days": day * 30,
        "PFS_months": day,
        "cause_of_death": noise,
        "predicted_mortality": noise,
        "prognosis_2m": noise,
        "APACHE_II": noise,
        "risk_score": noise,
        "DNR": noise,
        "comfort_care": noise,
        "code_status": noise,
        "hospice": noise,
        "date_of_death": noise,
        "time_to_event": day,
        "censored": noise,
        "postop_complications": noise,
        "días_estancia": day,
        "fallecido": noise,
        "giorni_di_degenza": day,
        "overleden": noise,
        "dischtime": noise,
        "hospital_expire_flag": noise,
        "icu_los": day,
        "mort_28d": noise,
    }
    found = [Planted(k, pd.Series(v, name=k), kind) for k, (v, kind) in behave.items()]
    return found + [Planted(k, pd.Series(v, name=k), "number") for k, v in named.items()]


def with_columns(cohort: Cohort, more: list[Planted]) -> Cohort:
    frame = pd.concat([cohort.frame, *(p.values for p in more)], axis=1)
    columns = [*cohort.columns, *(Column(p.name, p.kind) for p in more)]  # type: ignore[arg-type]
    return make_cohort(cohort.name, frame, columns, cohort.outcome)


def found_in(cohort: Cohort) -> dict[str, str]:
    return {s.column: f"{s.code} ({s.severity})" for s in suspicions(cohort)}


def judge(case: Case, rng: np.random.Generator) -> tuple[list, list]:
    """(leak, found how) of each leak of a cohort, and (clean column, false alarm) of the others."""
    cohort = case.read(keep_leaks=True)
    own = OWN_LEAKS.get(case.name, ())
    leaks = [(case.name, name, found_in(cohort).get(name, "")) for name in own]
    clean = changed(cohort, with_roles, dict.fromkeys(own, "left out")) if own else cohort
    more = planted(clean, rng)
    alarms = found_in(with_columns(clean, more))
    if case.name == "diabetes":
        more = [p for p in more if late_family(p.name) not in BEFORE_READMISSION]
    leaks += [(case.name, p.name, alarms.get(p.name, "")) for p in more]
    spared = {*LATE.get(case.name, ()), *SCORES.get(case.name, ())}
    quiet = found_in(clean)
    others = [n for n in clean.names("feature") if n not in spared]
    return leaks, [(case.name, name, quiet.get(name, "")) for name in others]


def say_names() -> None:
    """Names alone, as they are elsewhere: known late by family, and look-alikes."""
    late = [name for names in LATE_NAMES.values() for name in names]
    missed = [name for name in late if not late_family(name)]
    alarms = [name for name in CLEAN if late_family(name)]
    print(f"{len(late)} late names: {1 - len(missed) / len(late):.1%} known; missed: {missed}")
    print(f"{len(CLEAN)} look-alikes: {len(alarms) / len(CLEAN):.1%} false alarms: {alarms}")


def main() -> None:
    rng = np.random.default_rng(0)
    leaks, clean = [], []
    for case in COHORTS:
        one, other = judge(case, rng)
        leaks, clean = leaks + one, clean + other
    missed = [row for row in leaks if not row[2]]
    alarms = [row for row in clean if row[2]]
    for cohort, name, how in leaks:
        print(f"leak   {cohort:10s} {name:26s} {how or 'MISSED'}")
    for cohort, name, how in clean:
        print(f"clean  {cohort:10s} {name:26s} {how or '-'}")
    kinds = {name for _, name, _ in leaks}
    print(
        f"\n{len(leaks)} leaking columns of {len(kinds)} kinds: "
        f"{1 - len(missed) / len(leaks):.1%} found; missed: {missed}"
    )
    print(f"{len(clean)} clean columns: {len(alarms) / len(clean):.1%} false alarms: {alarms}")
    say_names()


if __name__ == "__main__":
    main()
