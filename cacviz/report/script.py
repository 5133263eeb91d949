"""The script that gives the same run again with `cacviz.engine` alone, and the notebook of it."""

from __future__ import annotations

import json
from typing import Any

from cacviz.report.material import Material
from cacviz.wording.methods import method_title

TOLERANCE = 1e-6
METRICS = ("auprc_macro", "auprc_positive", "auc", "f1_macro")


def script_of(m: Material) -> str:
    """One Python file: `python reproduce.py COHORT.csv` prints figures beside those expected."""
    return "\n\n".join(code for _, code in _cells(m)) + "\n"


def notebook_of(m: Material) -> str:
    """The same as a notebook: words, then code."""
    cells: list[dict[str, Any]] = []
    for number, (words, code) in enumerate(_cells(m)):
        body = {"metadata": {}, "source": words.splitlines(keepends=True)}
        cells.append({"cell_type": "markdown", "id": f"words-{number}", **body})
        body = {"metadata": {}, "source": code.splitlines(keepends=True)}
        more: dict[str, Any] = {"execution_count": None, "outputs": [], "id": f"code-{number}"}
        cells.append({"cell_type": "code", **body, **more})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    head = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}}
    return json.dumps({"cells": cells, **head}, indent=1)


def _cells(m: Material) -> list[tuple[str, str]]:
    return [
        (f"# {_title(m)}\n\nLoad cacviz, with the threads of the run.", _head(m)),
        ("What was decided about the columns of the file.", _choices(m)),
        ("Read the patients; the fingerprint tells whether they are the same.", _reading(m)),
        ("Find the subtypes again.", _fitting(m)),
        ("Compare with the figures of the run.", _comparing(m)),
    ]


def _title(m: Material) -> str:
    asked = m.run.asked
    method = f"{method_title(asked.config.method)}, k = {asked.config.n_clusters}"
    return " ".join(f"Reproduces a run of {asked.cohort_name}: {method}".split())


def _head(m: Material) -> str:
    around = m.run.environment
    made = f"cacviz {around.get('cacviz')}, Python {around.get('python')}"
    title = _title(m).replace("\\", "/").replace('"', "'")
    threads = around.get("threads", 1)
    return (
        f'"""{title}.\n\nMade with {made}. Research use only.\n"""\n\n'
        "import os\nimport sys\n\n"
        f'for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", '
        f'"NUMBA_NUM_THREADS"):\n    os.environ.setdefault(name, "{threads}")\n\n'
        "from cacviz.engine import fit_run, split_cohort\n"
        "from cacviz.engine.cohorts.demo import make_demo\n"
        "from cacviz.engine.cohorts.making import cohort_of\n"
        "from cacviz.engine.reading.tables import read_table\n"
        "from cacviz.engine.types import Choices, Column, Condition, Outcome, RunConfig"
    )


def _choices(m: Material) -> str:
    choices = m.run.asked.choices
    columns = "".join(f"        {column!r},\n" for column in choices.columns)
    return (
        f"CHOICES = Choices(\n    columns=(\n{columns}    ),\n"
        f"    outcome={choices.outcome!r},\n    subset={choices.subset!r},\n"
        f"    kept={choices.kept!r},\n)"
    )


def _reading(m: Material) -> str:
    asked = m.run.asked
    if asked.origin == "synthetic":
        table = f"table = make_demo({len(m.run.part) or asked.n_patients}).table"
    else:
        name = repr(asked.cohort_name)
        table = (
            f"path = sys.argv[1] if len(sys.argv) > 1 else {name}\ntable = read_table(path, {name})"
        )
    return (
        f"{table}\ncohort = cohort_of({asked.cohort_name!r}, table, CHOICES)\n"
        f"same = cohort.fingerprint == {asked.fingerprint!r}\n"
        'print("The patients are those of the run." if same else '
        '"These are other patients, or read in another way.")'
    )


def _fitting(m: Material) -> str:
    config = m.run.asked.config
    settings = "".join(f", {name}={value!r}" for name, value in config.settings)
    return (
        f"config = RunConfig({config.method!r}, {config.n_clusters}, {config.seed}{settings})\n"
        "fitted = fit_run(split_cohort(cohort, config.seed), config)\nsummary = fitted.summary"
    )


def _comparing(m: Material) -> str:
    summary = m.summary
    scores = {name: summary.test[name].value for name in METRICS if name in summary.test}
    scores = {name: value for name, value in scores.items() if value == value}
    sizes = [c.n for c in summary.clusters]
    return (
        f"EXPECTED = {scores!r}\nSIZES = {sizes!r}\n"
        "found = {name: summary.test[name].value for name in EXPECTED}\n"
        "for name, value in EXPECTED.items():\n"
        '    print(f"{name}: {found[name]:.6f}, expected {value:.6f}")\n'
        'print(f"sizes: {[c.n for c in summary.clusters]}, expected {SIZES}")\n'
        f"equal = all(abs(found[name] - value) < {TOLERANCE} for name, value in EXPECTED.items())\n"
        "equal = equal and [c.n for c in summary.clusters] == SIZES\n"
        'print("Reproduced." if equal else "Not the same: compare versions and the file.")'
    )
