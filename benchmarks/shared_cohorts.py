"""The real cohorts beside the project, as a clinician would open each of them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from cacviz.engine.cohorts.making import read_cohort
from cacviz.engine.types import Cohort

DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data"
P12 = "physionet2012/p12_set-a_static.csv.gz"


class Case(NamedTuple):
    """A file, its outcome, and what has to be left out."""

    name: str
    path: str
    outcome: str
    id: str | None = None
    drop: tuple[str, ...] = ()
    cuts: tuple[float, ...] = ()

    def read(self, *, keep_leaks: bool = False) -> Cohort:
        """The cohort; with `keep_leaks`, as it is before anybody has looked at it."""
        return read_cohort(
            DATA / self.path,
            outcome=self.outcome,
            id=self.id,
            drop=() if keep_leaks else self.drop,
            cuts=self.cuts,
        )


COHORTS = (
    Case("heart", "cohorts/uci_heart.csv.gz", "y"),
    Case("pima", "cohorts/uci_pima.csv.gz", "y"),
    Case("saheart", "cohorts/uci_saheart.csv.gz", "y"),
    Case("gbsg2", "cohorts/gbsg2.csv.gz", "y_730", drop=("time", "cens")),
    Case("actg175", "cohorts/actg175.csv.gz", "y_730", "pidnum", ("cens", "days")),
    Case("nwtco", "cohorts/nwtco.csv.gz", "y_730", "seqno", ("rel", "edrel")),
    Case("cic", P12, "In-hospital_death", "RecordID", ("Length_of_stay", "Survival")),
    Case("cic_los", P12, "Length_of_stay", "RecordID", ("In-hospital_death", "Survival"), (7, 13)),
    Case("sepsis", "sepsis2019/p19_setA_static24h.csv.gz", "sepsis", "patient", ("n_hours",)),
    Case("diabetes", "diabetes130/diabetic_data.csv.gz", "readmitted", "patient_nbr"),
)
