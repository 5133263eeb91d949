"""S10: what cacviz is made of is listed, pinned and of no version with a known hole."""

import tomllib

from tests.conftest import ROOT
from tests.trust import sbom

# the first versions without a known hole (TRUST.md, 22)
FLOORS = {"streamlit": (1, 54), "starlette": (1, 1), "pyarrow": (14,), "torch": (2, 10)}
FLOORS |= {"skops": (0, 13)}


def version(text):
    return tuple(int(part) for part in text.split("+")[0].split(".")[:2])


def pinned():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    return {sbom.normal(n): v for n, _, v in (line.partition("==") for line in lines) if v}


def test_the_bill_lists_everything_that_is_needed():
    bill = sbom.bill()
    named = {part["name"] for part in bill["components"]}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = {sbom.normal(line.split(">")[0].split("=")[0]) for line in project["dependencies"]}
    assert wanted <= named
    assert all(
        part["version"] and part["purl"].startswith("pkg:pypi/") for part in bill["components"]
    )
    refs = {bill["metadata"]["component"]["bom-ref"], *(p["bom-ref"] for p in bill["components"])}
    assert {ref for line in bill["dependencies"] for ref in line["dependsOn"]} <= refs


def test_every_part_of_the_bill_is_pinned_in_the_version_that_was_tested():
    exact = pinned()
    loose = [p["name"] for p in sbom.bill()["components"] if p["name"] not in exact]
    assert [name for name in loose if name not in ("setuptools", "pip", "wheel")] == []


def test_no_part_is_older_than_its_first_safe_version():
    exact = pinned()
    assert {n: exact[n] for n, floor in FLOORS.items() if version(exact[n]) < floor} == {}
