"""The versions that were tested with the hashes of their files: .lock/app.txt and .lock/test.txt.

    python -m tests.trust.lock      # needs uv on the path; asks the package index, installs nothing

`make setup` installs from them with pip's --require-hashes, which takes no other file. Versions are
those of constraints.txt; hashes are of the files for every system, but of torch it is the build
for processors alone that pip takes here. Where pip finds another, the lock does not fit, and the
Makefile says so and installs by version.
"""

import json
import subprocess
import sys

from tests.conftest import ROOT
from tests.trust import sbom

FOLDER = ROOT / ".lock"


def entries(text):
    """A lock as it is written: the hashes of each name==version."""
    found, hashes = {}, []
    for line in map(str.strip, text.splitlines()):
        if line.startswith("--hash="):
            hashes.append(line.removeprefix("--hash=").removesuffix("\\").strip())
        elif "==" in line and not line.startswith("#"):
            named = line.split(";")[0].removesuffix("\\").strip()
            hashes = found.setdefault(named, [])
    return found


def lines(found):
    """The other way round, sorted, so that a change shows as one."""
    for named, hashes in sorted(found.items()):
        yield " \\\n    ".join([named, *(f"--hash={h}" for h in sorted(set(hashes)))])


def read(name):
    return entries((FOLDER / f"{name}.txt").read_text())


def hashed(pins):
    """What the index says of all pins, for every system."""
    asked = ["uv", "pip", "compile", "-", "--no-deps", "--generate-hashes", "--universal"]
    more = ["--python-version", "3.11", "--no-header", "--no-annotate", "--quiet"]
    said = subprocess.run(
        [*asked, *more], input="\n".join(pins), capture_output=True, text=True, check=True
    )
    return entries(said.stdout)


def taken_here(pin):
    """The hash of the file that pip takes on this machine."""
    asked = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed"]
    said = subprocess.run(
        [*asked, "--no-deps", "--quiet", "--report", "-", pin],
        capture_output=True,
        text=True,
        check=True,
    )
    file = json.loads(said.stdout)["install"][0]["download_info"]["archive_info"]
    return f"sha256:{file['hashes']['sha256']}"


def main():
    pins = (ROOT / "constraints.txt").read_text().split()
    known = hashed(pins)
    torch = next(named for named in known if named.startswith("torch=="))
    known[torch] = [taken_here(torch)]  # beside its hash pip would prefer the index's build
    wanted = sbom.installed()
    app = {n: h for n, h in known.items() if sbom.normal(n.split("==")[0]) in wanted}
    FOLDER.mkdir(exist_ok=True)
    for name, found in (("app", app), ("test", known)):
        (FOLDER / f"{name}.txt").write_text("\n".join(lines(found)) + "\n")


if __name__ == "__main__":
    main()
