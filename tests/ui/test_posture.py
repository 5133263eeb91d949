"""S8: the app does not start with a setting under which patients' data could leave."""

import subprocess
import sys

import pytest
from streamlit import config

from cacviz.store import unix
from cacviz.ui.shell import posture
from tests.conftest import ROOT


@pytest.fixture
def option(monkeypatch):
    """Let Streamlit say something else of an option."""
    real = config.get_option
    said = {"server.address": "127.0.0.1"}
    monkeypatch.setattr(config, "get_option", lambda name: said.get(name, real(name)))
    return said


@pytest.fixture(autouse=True)
def as_shipped(monkeypatch):
    """The settings of .streamlit/config.toml, whatever other tests did to Streamlit's."""
    monkeypatch.chdir(ROOT)
    config.get_config_options(force_reparse=True)


def test_the_settings_that_come_with_the_app_are_safe(option):
    assert posture.unsafe() == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("server.enableCORS", False),
        ("server.enableXsrfProtection", False),
        ("browser.gatherUsageStats", True),
        ("client.showErrorDetails", "full"),
        ("client.showErrorLinks", True),
        ("server.enableStaticServing", True),
        ("server.address", None),
        ("server.address", "0.0.0.0"),
        ("server.allowedHosts", []),
        ("server.allowedHosts", ["*.example"]),
    ],
)
def test_an_unsafe_setting_is_refused_by_name(option, name, value):
    option[name] = value
    assert [said for said in posture.unsafe() if said.startswith(f"{name} is")]
    with pytest.raises(SystemExit, match=name):
        posture.refuse_unsafe()


def test_an_app_that_starts_leaves_no_file_of_its_memory(monkeypatch):
    held = {}
    monkeypatch.setattr(posture, "unsafe", list)
    monkeypatch.setattr(unix.resource, "setrlimit", held.__setitem__)
    posture.prepare()
    assert held == {unix.resource.RLIMIT_CORE: (0, 0)}


def test_the_app_itself_does_not_start(tmp_path):
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port=0"]
    wrong = ["--server.enableXsrfProtection=false"]
    ended = subprocess.run(
        [*command, *wrong], cwd=ROOT, capture_output=True, text=True, timeout=600
    )
    assert ended.returncode != 0
    assert "server.enableXsrfProtection is False" in ended.stderr + ended.stdout
