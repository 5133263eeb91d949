"""The long form of every promise that this machine can check, as a table: `make trust`.

    python -m benchmarks.trust                # all, hours
    python -m benchmarks.trust R3 C1          # these lines alone
    python -m benchmarks.trust --short        # every line in its short form, minutes

The numbers of the lines are those of section 2 of TRUST.md. A line prints its figure when it is
done; the table (test, figure, date, commit) is written to benchmarks/results/trust.json, in which
lines that were not run keep the figure, date and commit that they had, and shown by docs/trust.md
and the README.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "benchmarks" / "results" / "trust.json"
PAGES = (ROOT / "docs" / "trust.md", ROOT / "README.md")
START, END = "<!-- trust -->", "<!-- /trust -->"


class Line(NamedTuple):
    """A promise: what is tried, what is aimed at, and the two commands that try it."""

    what: str
    aim: str
    long: str
    short: str


def tests(*files: str) -> str:
    return f"pytest -q -n 0 {' '.join(files)}"


def both(what: str, aim: str, command: str) -> Line:
    return Line(what, aim, command, command)


def toured(promise: str, what: str, aim: str) -> Line:
    command = f"-m benchmarks.nothing_leaves {promise}"
    return Line(what, aim, command, f"{command} --short")


RELIABLE = "benchmarks/reliability.py"
FUZZ = "benchmarks/fuzz_files.py --files"
LINES = {
    "R1": Line(
        "damaged files through the public reader",
        "0 deaths, 0 tracebacks, p99 < 2 s",
        f"{FUZZ} 20000",
        f"{FUZZ} 200",
    ),
    "R2": Line(
        "the worst of damaged files through the page Cohort",
        "0 faults, each a table or words",
        "-m benchmarks.worst_files_shown --files 100 --from 1000",
        "-m benchmarks.worst_files_shown --files 10 --from 100",
    ),
    "R3": both("20 bombs", "grows by <= 300 MB", "-m benchmarks.bombs"),
    "R4": Line(
        "kill -9 of a worker, and at each write of a save",
        "0 half, 0 lost",
        f"{RELIABLE} kills saves --small",
        f"{RELIABLE} kills saves --short",
    ),
    "R5": Line(
        "less and less room on the disk",
        "0 damaged, one clear sentence",
        f"{RELIABLE} disk --small",
        f"{RELIABLE} disk --short",
    ),
    "R6": Line(
        "workers killed at random moments while somebody watches",
        "said within 5 s, 0 stuck",
        "-m benchmarks.deaths_told --kills 50",
        "-m benchmarks.deaths_told --kills 3",
    ),
    "R7": Line(
        "killed, resumed, compared bit for bit",
        "20 of 20 equal",
        f"{RELIABLE} resumes --small",
        f"{RELIABLE} resumes --short",
    ),
    "R8": Line(
        "stops at random moments",
        "p95 <= 2 s, 0 orphans",
        f"{RELIABLE} stops --small",
        f"{RELIABLE} stops --short",
    ),
    "R9": Line(
        "10 browser sessions, each with 5 runs begun at once",
        "0 lost, 0 clashes, rerun p95 < 1 s",
        "-m benchmarks.contexts --contexts 10 --runs 5",
        "-m benchmarks.contexts --contexts 3 --runs 1 --reruns 3",
    ),
    "S1": Line(
        "a ward's people with a canary each: frames, lists, files",
        "0 seen by others",
        "-m benchmarks.ward_people --people 20",
        "-m benchmarks.ward_people --people 3",
    ),
    "S2": toured("S2", "a tour of everything without a network: calls, requests", "0 elsewhere"),
    "S3": toured("S3", "the same tour: fonts, icons, faults, exported HTML", "0 missing, 0 asked"),
    "S4": both(
        "60 hostile names in every label, page by page",
        "0 links, images, scripts",
        tests("tests/pages/test_hostile_names.py"),
    ),
    "S5": both(
        "formulas in files for spreadsheets",
        "0",
        tests("tests/ui/test_downloads.py", "tests/report/test_handed_over.py"),
    ),
    "S6": both(
        "names and bundles that lead out of the store",
        "0 files outside",
        tests("tests/store/bundles", "tests/store/test_paths.py"),
    ),
    "S7": both(
        "hostile models, bundles and kernels",
        "0 run, all refused",
        tests("tests/store/test_models.py", "tests/store/test_kernels.py"),
    ),
    "S8": both(
        "unsafe settings and strangers at the door",
        "all refused by name",
        tests("tests/ui/test_posture.py", "tests/ui/test_door.py", "tests/trust/test_proxy.py"),
    ),
    "S9": toured(
        "S9",
        "the same tour: patients' words outside the store, rights of its files",
        "0 words, 0 open to others",
    ),
    "S10": both("what cacviz is made of", "listed and pinned", tests("tests/trust/test_supply.py")),
    "C1": Line(
        "the same seed in processes of their own",
        "20 of 20 equal",
        "-m benchmarks.same_bits --times 20",
        "-m benchmarks.same_bits --times 2",
    ),
    "C2": both(
        "scikit-learn's contract",
        "all checks",
        tests("tests/engine/cac/test_cac.py", "tests/engine/deep/test_deepcac.py"),
    ),
    "C3": both(
        "44 tables and settings that break programs which compute",
        "0 faults, 0 NaN shown, each in words",
        tests("tests/trust/test_edge_cases.py"),
    ),
    "C4": both("planted leaks", "all flagged, <= 5 % false", "-m benchmarks.leaks"),
    "C5": both(
        "changed test patients change nothing that was fitted",
        "0 bits",
        tests("tests/engine/preparation", "tests/engine/running/test_fitting.py"),
    ),
    "C6": Line(
        "pure noise: anything called significant",
        "<= 6 %",
        "-m benchmarks.noise --cohorts 1000",
        "-m benchmarks.noise --cohorts 5",
    ),
    "C7": both(
        "small counts, also by subtraction",
        "0 shown",
        tests("tests/engine/insights/test_profiles.py", "tests/report/test_report.py"),
    ),
    "P1": Line(
        "memory of the app and waiting, 100,000 x 50",
        "<= 6 x data + 600 MB",
        "-m benchmarks.app_speed",
        "-m benchmarks.app_speed --rows 2000 --columns 10 --visits 5 --tabs 2",
    ),
}
# of a command's output the lines that hold its figures
FIGURES = re.compile(
    r"passed|failed|bombs:|kill -9|kill at each|disk full|resume:|stop:|equal|p99|longest|^files"
    r"|died|traceback|false alarms|called significant|seen by others|visits in fresh"
    r"|tabs open|missed|worst files shown|killed while watched|sessions x|rerun (in|drawn)"
    r"|^(nothing leaves|offline|patients' words|private):",
    re.IGNORECASE,
)


def run(command: str) -> tuple[bool, str]:
    """Whether a line holds, and its figures."""
    words = command.split()
    if words[0] == "pytest":
        words = ["-m", *words]
    done = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    said = [line.strip() for line in done.stdout.splitlines() if FIGURES.search(line)]
    figure = "; ".join(said[-4:])[:400] or f"ended with code {done.returncode}"
    return done.returncode == 0, figure.replace("|", "/")


def commit() -> str:
    asked = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    return subprocess.run(asked, capture_output=True, text=True).stdout.strip()


def row(name: str, found: dict[str, str]) -> str:
    line = LINES[name]
    mark = "" if found["holds"] == "yes" else " **does not hold**"
    said = f"{found['figure']}{mark}"
    return f"| {name} | {line.what} | {line.aim} | {said} | {found['date']} | {found['commit']} |"


def table(kept: dict[str, dict[str, str]]) -> str:
    head = "| | test | aimed at | figure | date | commit |\n|---|---|---|---|---|---|"
    return "\n".join([head, *(row(name, kept[name]) for name in LINES if name in kept)])


def show(kept: dict[str, dict[str, str]]) -> None:
    """Keep the figures and put the table into its pages."""
    KEPT.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")
    for path in PAGES:
        before, rest = path.read_text().split(START)
        path.write_text(f"{before}{START}\n{table(kept)}\n{END}{rest.split(END)[1]}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lines", nargs="*", help=", ".join(LINES))
    parser.add_argument("--short", action="store_true")
    asked = parser.parse_args()
    unknown = set(asked.lines) - set(LINES)
    if unknown:
        parser.error(f"no such line: {', '.join(sorted(unknown))}")
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    held = True
    for name in asked.lines or LINES:
        holds, figure = run(LINES[name].short if asked.short else LINES[name].long)
        form = " (short form)" if asked.short and LINES[name].short != LINES[name].long else ""
        found = {"figure": figure + form, "holds": "yes" if holds else "no"}
        found |= {"date": time.strftime("%Y-%m-%d"), "commit": commit()}
        print(row(name, found), flush=True)
        kept[name], held = found, held and holds
        show(kept)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
