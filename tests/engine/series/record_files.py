"""Small files of records that a pencil can follow: three patients, three variables."""

import io
import zipfile

import pandas as pd

from cacviz.engine.series.records import read_records
from cacviz.engine.series.rows import as_written
from cacviz.engine.types import Layout

ROWS = [  # patient, hours, variable, value
    (1, 0.5, "HR", 80),
    (1, 0.9, "HR", 90),
    (1, 3.0, "HR", 100),
    (1, 2.0, "Lactate", 4.5),
    (2, 1.25, "HR", 60),
    (2, 23.5, "GCS", 9),
    (2, 30.0, "GCS", 3),
    (3, 5.0, "Lactate", 1.5),
]
LONG = pd.DataFrame(ROWS, columns=["patient", "hours", "variable", "value"])
WIDE = pd.DataFrame(
    {
        "patient": [7, 7, 7, 8, 8, 9, 9, 9],
        "hour": [1, 2, 3, 4, 5, 1, 2, 3],
        "HR": [80, None, 90, 60, 61, None, None, 70],
        "Lactate": [None, 4.5, None, None, None, None, None, None],
        "Age": [54, 54, 54, 76, 76, 44, 44, 44],
        "Unit": [1, 1, 1, None, None, 0, 0, 0],
        "sick": [0, 0, 1, 0, 0, 0, 0, 0],
    }
)
OUTCOMES_2012 = (
    "RecordID,SAPS-I,SOFA,Length_of_stay,Survival,In-hospital_death\n"
    "101,6,1,5,-1,0\n102,16,-1,8,-1,0\n103,21,11,19,9,1\n"
)
STAYS_2012 = {
    "101.txt": (
        "Time,Parameter,Value\n00:00,RecordID,101\n00:00,Age,54\n00:00,Gender,0\n00:00,Height,-1\n"
        "00:00,ICUType,4\n00:00,Weight,-1\n00:07,GCS,15\n00:07,HR,73\n00:37,HR,77\n"
        "47:37,Urine,280\n48:00,HR,86\n"
    ),
    "102.txt": (
        "Time,Parameter,Value\n00:00,RecordID,102\n00:00,Age,76\n00:00,Gender,1\n00:00,Height,1.75\n"
        "00:00,ICUType,2\n00:00,Weight,76\n01:00,Weight,80.6\n01:11,MechVent,1\n07:11,MechVent,1\n"
        "02:00,Urine,100\n02:00,Urine,60\n03:00,Temp,2.4\n04:00,Temp,-17.8\n05:00,pH,735\n"
    ),
    "103.txt": (
        "Time,Parameter,Value\n00:00,RecordID,103\n00:00,Age,44\n00:00,Gender,-1\n"
        "00:00,Height,180.3\n00:00,ICUType,3\n00:00,Weight,56\n"
    ),
}
_COLUMNS_2019 = "HR|Lactate|Age|Unit1|ICULOS|SepsisLabel\n"
STAYS_2019 = {
    "p000001.psv": _COLUMNS_2019 + "80|NaN|54|NaN|3|0\nNaN|4.5|54|NaN|4|0\n90|NaN|54|NaN|5|1\n",
    "p000002.psv": _COLUMNS_2019 + "60|NaN|76|1|1|0\n61|NaN|76|1|2|0\n",
    "p000003.psv": _COLUMNS_2019 + "NaN|NaN|44|0|1|0\n70|1.5|44|0|2|0\n71|NaN|44|0|3|0\n",
}
SET_A = {f"set-a/{n}": t for n, t in STAYS_2012.items()} | {"Outcomes-a.txt": OUTCOMES_2012}


def as_csv(frame):
    return frame.to_csv(index=False).encode()


def as_parquet(frame):
    out = io.BytesIO()
    frame.to_parquet(out)
    return out.getvalue()


def as_zip(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


def as_folder(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def records_of(frame, **layout):
    return read_records(as_csv(frame), "records.csv", layout=Layout(**layout))


def entries_of(records):
    """The records as (patient, hours, variable, value), in their order."""
    names = [records.variables[v] for v in records.variable]
    ids = [records.ids[p] for p in records.patient]
    hours, values = as_written(records.hours).tolist(), as_written(records.values).tolist()
    return list(zip(ids, hours, names, values, strict=True))
