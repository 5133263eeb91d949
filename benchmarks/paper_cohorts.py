"""The paper's cohorts as plain arrays, read from the challenges' files, and their splits."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data"
DEATH_OR_HOSPICE = (11, 13, 14, 19, 20, 21)  # such a stay cannot be followed by a readmission
RARE = 0.005  # a category with a smaller share of the encounters is pooled


class Table(NamedTuple):
    """A cohort as arrays: features (NaN = not measured), class codes, the patient of each row."""

    X: np.ndarray
    y: np.ndarray
    groups: np.ndarray


def load(name, data=DATA):
    """The cohort `cic`, `cic_los`, `sepsis` or `diabetes`."""
    return COHORTS[name](Path(data))


def split(table, seed):
    """Row numbers of train, validation and test (57/18/25), stratified, whole patients together."""
    patients = np.unique(table.groups)
    outcome = pd.Series(table.y).groupby(table.groups).max().loc[patients].to_numpy()
    rest, test = train_test_split(
        np.arange(len(patients)), test_size=0.25, stratify=outcome, random_state=seed
    )
    train, validation = train_test_split(
        rest, test_size=0.25, stratify=outcome[rest], random_state=seed
    )
    return tuple(
        np.flatnonzero(np.isin(table.groups, patients[part])) for part in (train, validation, test)
    )


def _cic(data, *, outcome):
    files = [data / "physionet2012" / f"p12_set-{s}_static.csv.gz" for s in "ab"]
    frame = pd.concat([pd.read_csv(f) for f in files], ignore_index=True)
    if outcome == "los":
        frame = frame[frame["Length_of_stay"].notna() & (frame["Length_of_stay"] >= 0)]
        y = np.digitize(frame["Length_of_stay"], [7, 13], right=True)
    else:
        y = frame["In-hospital_death"].to_numpy()
    outcomes = ["RecordID", "Length_of_stay", "Survival", "In-hospital_death"]
    icu = pd.get_dummies(frame["ICUType"], prefix="ICU", dtype=float)
    X = pd.concat([frame.drop(columns=[*outcomes, "ICUType", "CCU", "CSRU", "SICU"]), icu], axis=1)
    return Table(X.to_numpy(np.float64), y.astype(int), np.arange(len(y)))


def _sepsis(data):
    frame = pd.read_csv(data / "sepsis2019" / "p19_setA_static24h.csv.gz")
    y = frame["sepsis"].to_numpy(int)
    X = frame.drop(columns=["patient", "n_hours", "sepsis"]).dropna(axis=1, how="all")
    return Table(X.to_numpy(np.float64), y, np.arange(len(y)))


def _diabetes(data):
    path = data / "diabetes130" / "diabetic_data.csv.gz"
    frame = pd.read_csv(path, na_values="?", keep_default_na=False, low_memory=False)
    frame = frame[~frame["discharge_disposition_id"].isin(DEATH_OR_HOSPICE)]
    y = (frame["readmitted"] != "NO").to_numpy(int)
    groups = frame["patient_nbr"].to_numpy()
    X = frame.drop(columns=["encounter_id", "patient_nbr", "readmitted"])
    X["age"] = X["age"].str.extract(r"(\d+)", expand=False).astype(float)
    for column in ("diag_1", "diag_2", "diag_3"):
        X[column] = X[column].str.split(".").str[0]
    for column in ("admission_type_id", "discharge_disposition_id", "admission_source_id"):
        X[column] = X[column].astype(str)
    numbers = X.select_dtypes("number").astype(float)
    words = X.drop(columns=numbers.columns).apply(_pool_rare)
    X = pd.concat([numbers, pd.get_dummies(words, dtype=float)], axis=1)
    return Table(X.loc[:, X.nunique() > 1].to_numpy(np.float64), y, groups)


def _pool_rare(column):
    share = column.map(column.value_counts(normalize=True))
    return column.where(share.isna() | (share >= RARE), "rare")


COHORTS = {
    "cic": lambda data: _cic(data, outcome="death"),
    "cic_los": lambda data: _cic(data, outcome="los"),
    "sepsis": _sepsis,
    "diabetes": _diabetes,
}
