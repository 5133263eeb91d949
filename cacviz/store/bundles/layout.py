"""What a run's zip may hold, and how large: everything else is refused by name.

bundle.json               the cacviz that made it, whether patients are in it, each file's sha256
run.json card.json names.json risks.json
result/…  insights/PART/…  the sealed folders of a run, as in the store
cohort/…                  the table and how it was read: only where patients were asked for
"""

from __future__ import annotations

import re
from typing import NamedTuple

FORMAT = 1
BUNDLE, HOLD = "bundle.json", "cohort"
TABLE, SERIES, RECORD = (f"{HOLD}/{n}" for n in ("table.parquet", "table.series", "cohort.json"))
MOST_FILES = 400
LARGEST = 2 * 2**30  # bytes of all files together, unpacked
FLATTEST = 400  # times that a file may grow when it is unpacked, beyond its first megabyte
SMALL = 2**20
ALLOWED = re.compile(
    r"(bundle|run|card|names|risks)\.json"
    r"|result/(manifest|summary|environment|preparation|model)\.json"
    r"|result/(arrays|preparation|model)\.safetensors"
    r"|result/(preparation|model)\.skops"
    r"|insights/[a-z_]{1,40}/(manifest|part)\.json"
    r"|insights/[a-z_]{1,40}/arrays\.safetensors"
    r"|cohort/(cohort\.json|table\.parquet|table\.series)"
)
NEEDED = ("bundle.json", "run.json", "result/manifest.json", "result/summary.json")


class Imported(NamedTuple):
    """What was taken in, and whether its patients came along."""

    run_id: str
    cohort_id: str  # empty without patients
    n_patients: int
    version: str  # of the cacviz that packed it
