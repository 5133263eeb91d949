"""The short forms of benchmarks/reliability.py: each figure must hold here too."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.worker
SCRIPT = Path(__file__).parents[2] / "benchmarks" / "reliability.py"


def may_mount():
    command = ["unshare", "-rm", "true"]
    return (
        bool(shutil.which("unshare"))
        and not subprocess.run(command, capture_output=True).returncode
    )


@pytest.mark.parametrize("check", ["kills", "saves", "stops", "resumes", "disk"])
def test_the_figure_holds(check):
    if check == "disk" and not may_mount():
        pytest.skip("a small disk needs the right to mount one")
    command = [sys.executable, str(SCRIPT), check, "--short"]
    out = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert out.returncode == 0, out.stdout + out.stderr
