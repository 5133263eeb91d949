"""`make trust` names what is there, and keeps what it found."""

import json

import pytest

from benchmarks import trust
from tests.conftest import ROOT

KEPT = {"R3": {"figure": "20 bombs", "holds": "yes", "date": "2026-01-01", "commit": "abc"}}


@pytest.mark.parametrize("name", trust.LINES)
def test_every_line_runs_something_that_is_there(name):
    for command in (trust.LINES[name].long, trust.LINES[name].short):
        words = command.split()
        files = [w for w in words if w.startswith(("tests/", "benchmarks/"))]
        if "-m" in words:
            files.append(words[words.index("-m") + 1].replace(".", "/") + ".py")
        assert files
        assert [f for f in files if not (ROOT / f).exists()] == []


def test_a_line_that_does_not_hold_says_so():
    found = {"figure": "19 of 20", "holds": "no", "date": "2026-01-01", "commit": "abc"}
    assert "19 of 20 **does not hold**" in trust.row("C1", found)


def test_figures_of_other_lines_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(trust, "KEPT", tmp_path / "trust.json")
    pages = tmp_path / "trust.md", tmp_path / "README.md"
    monkeypatch.setattr(trust, "PAGES", pages)
    monkeypatch.setattr(trust, "run", lambda command: (True, "2 of 2"))
    monkeypatch.setattr("sys.argv", ["trust", "C1"])
    trust.KEPT.write_text(json.dumps(KEPT))
    for path in pages:
        path.write_text(f"above\n{trust.START}\nold\n{trust.END}\nbelow\n")
    assert trust.main() == 0
    for page in (path.read_text() for path in pages):
        assert page.startswith("above\n")
        assert page.endswith("below\n")
        assert "old" not in page
        assert "| R3 | 20 bombs |" in page
        assert "| 2 of 2 |" in page


def test_readme_and_docs_show_the_table_that_is_kept():
    kept = json.loads(trust.KEPT.read_text())
    for path in trust.PAGES:
        assert trust.table(kept) in path.read_text()


@pytest.mark.heavy
def test_a_command_that_fails_does_not_hold():
    assert trust.run("pytest -q no_such_file.py")[0] is False
