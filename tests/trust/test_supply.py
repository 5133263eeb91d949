"""S10: what cacviz is made of is listed, pinned and of no version with a known hole."""

import tomllib

from tests.conftest import ROOT
from tests.trust import lock, sbom

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


def test_the_lock_has_the_tested_versions_each_with_a_hash():
    locked = {name: lock.read(name) for name in ("app", "test")}
    exact = pinned()
    for found in locked.values():
        versions = {sbom.normal(n): v for n, _, v in (e.partition("==") for e in found)}
        assert versions == {n: exact[n] for n in versions}
        assert all(h.startswith("sha256:") and len(h) == 71 for hs in found.values() for h in hs)
        assert all(found.values())
    assert {sbom.normal(e.split("==")[0]) for e in locked["test"]} == set(exact)
    assert locked["app"].keys() <= locked["test"].keys()


def test_everything_that_the_app_needs_is_locked():
    locked = {sbom.normal(e.split("==")[0]) for e in lock.read("app")}
    assert sbom.installed().keys() - {sbom.ROOT} <= locked


def test_a_lock_is_read_as_it_is_written():
    found = {"b==1": ["sha256:1", "sha256:2"], "a==2.0": ["sha256:3"]}
    assert lock.entries("\n".join(lock.lines(found))) == found
