"""A wheel that works: the dashboard's entry and pages travel in it, and everything is declared."""

import ast
import os
import re
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.browser.conftest import free_port

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def packages():
    return sorted(
        ".".join(init.parent.relative_to(ROOT).parts) for init in ROOT.glob("cacviz/**/__init__.py")
    )


def test_every_package_is_in_the_list():
    listed = PROJECT["tool"]["setuptools"]["packages"]
    assert sorted(listed) == sorted([*packages(), "cacviz.served", "cacviz.served.pages"])


def imported():
    """Distributions that the package imports anywhere, inside functions too."""
    of, found = packages_distributions(), set()
    for path in [*ROOT.glob("cacviz/**/*.py"), *ROOT.glob("pages/*.py"), ROOT / "app.py"]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            found |= {d for n in names for d in of.get(n.split(".")[0], [])}
    return {_bare(name) for name in found} - {"cacviz"}


def _bare(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(lines):
    return {_bare(re.split(r"[<>=!~\[; ]", line, maxsplit=1)[0]) for line in lines}


def test_what_is_imported_is_declared_and_what_is_declared_is_imported():
    needed = declared(PROJECT["project"]["dependencies"])
    extras = declared(PROJECT["project"]["optional-dependencies"]["cluster"])
    assert imported() - extras <= needed
    assert needed - imported() == {"skops"}  # loaded by name, with a door shut: store/models.py


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(out), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (found,) = out.glob("cacviz-*.whl")
    return found


def test_the_wheel_serves_a_page(wheel, tmp_path):
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    port = free_port()
    env = {**os.environ, "PYTHONPATH": str(site), "CACVIZ_DATA_DIR": str(tmp_path / "data")}
    command = [sys.executable, "-P", "-m", "cacviz", "app", "--port", str(port)]
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.DEVNULL) as process:
        try:
            assert _answers(f"http://127.0.0.1:{port}/cohort")
            assert Path(f"/proc/{process.pid}/cwd").resolve() == site / "cacviz" / "served"
        finally:
            process.kill()


def _answers(url):
    until = time.monotonic() + 300
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                return answer.status == 200
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.3)
    return False
