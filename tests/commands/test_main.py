"""The command `cacviz`: a wrong call is one line on standard error and code 2."""

import argparse
import subprocess
import sys
from pathlib import Path

import pytest

from cacviz.commands import app
from cacviz.commands.main import main
from cacviz.store import unix
from cacviz.store.runs import list_runs
from tests.commands.conftest import OUTCOME

SETTINGS = [*OUTCOME, "--method", "cac"]


def test_a_command_that_crashes_leaves_no_file_of_its_memory(monkeypatch):
    held = {}
    monkeypatch.setattr(unix.resource, "setrlimit", held.__setitem__)
    with pytest.raises(SystemExit):
        main(["--help"])
    assert held == {unix.resource.RLIMIT_CORE: (0, 0)}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "required"),
        (["fit", "nowhere.csv", "--outcome", "y"], "not found"),
        (["fit", "WARD", "--outcome", "nothing"], "no column"),
        (["fit", "WARD", *SETTINGS, "--method", "magic"], "no method"),
        (["fit", "WARD", *SETTINGS, "--clusters", "0"], "1 or more"),
        (["fit", "WARD", *SETTINGS, "--clusters", "999"], "999 subtypes are too many"),
        (["fit", "WARD", *SETTINGS, "--cut", "a,b"], "list of numbers"),
        (["fit", "WARD", *SETTINGS, "--cut", "nan"], "list of numbers"),
        (["fit", "WARD", *SETTINGS, "--quantiles", "-1"], "0 or more"),
        (["fit", "WARD", *SETTINGS, "--alpha", "nan"], "'nan' is not a number of 0 or more"),
        (["fit", "WARD", *SETTINGS, "--alpha", "1", "--tune-alpha"], "leave out --alpha"),
        (["fit", "WARD", *SETTINGS, "--beta", "-1"], "0 or more"),
        (["fit", "WARD", *SETTINGS, "--expert", "magic"], "invalid choice: 'magic'"),
        (["fit", "WARD", *SETTINGS, "--seed", "-1"], "whole number from 0 to"),
        (["fit", "WARD", *SETTINGS, "--seed", "4294967296"], "whole number from 0 to"),
        (["fit", "WARD", *SETTINGS, "--out", "WARD"], "there already"),
        (["fit", "WARD", *SETTINGS, "--out", "WARD/run"], "is a file"),
        (["fit", "WARD", *SETTINGS, "--data-dir", "WARD"], "ward.csv' cannot be used"),
        (["fit", "WARD", *SETTINGS, "--data-dir", "/proc/nope"], "'/proc/nope' cannot be used"),
        (["compare", "WARD", *OUTCOME, "--data-dir", "/proc/nope"], "cannot be used"),
        (["compare", "WARD", *OUTCOME, "--out", "nowhere/r.csv"], "no folder 'nowhere'"),
        (["app", "--port", "99999999"], "from 1 to 65535"),
        (["app", "--data-dir", "WARD"], "cannot be used"),
    ],
)
def test_a_wrong_call_is_one_line_and_code_2_and_leaves_no_run(
    ward, data_folder, capsys, monkeypatch, arguments, words
):
    monkeypatch.setattr("os.execv", lambda *_: pytest.fail("the app was started"))
    try:
        code = main([a.replace("WARD", str(ward)) for a in arguments])
    except SystemExit as stop:
        code = stop.code
    said = capsys.readouterr()
    assert code == 2
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert words in said.err
    monkeypatch.setenv("CACVIZ_DATA_DIR", str(data_folder))
    assert list_runs() == []


def test_app_hands_over_to_streamlit_on_this_computer_only(capsys, monkeypatch, tmp_path):
    called = []
    monkeypatch.setattr("os.execv", lambda program, command: called.append(command))
    monkeypatch.chdir(tmp_path)
    main(["app", "--port", "8511", "--data-dir", str(tmp_path / "data")])
    (command,) = called
    assert command[:5] == [sys.executable, "-m", "streamlit", "run", "app.py"]
    assert {"--server.address=127.0.0.1", "--server.port=8511"} <= set(command)
    assert "http://127.0.0.1:8511" in capsys.readouterr().out


def test_app_is_started_where_its_pages_and_settings_are(monkeypatch, tmp_path):
    monkeypatch.setattr("os.execv", lambda *_: None)
    monkeypatch.chdir(tmp_path)
    app.run(app_arguments())
    here = Path.cwd()
    assert (here / "app.py").is_file()
    assert (here / "pages" / "cohort.py").is_file()
    assert (here / ".streamlit" / "config.toml").is_file()


def app_arguments():
    parser = argparse.ArgumentParser()
    app.add_options(parser)
    return parser.parse_args([])


def test_python_runs_the_package_as_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "cacviz", "--help"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("usage: cacviz")
