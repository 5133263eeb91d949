"""`cacviz report`, `export` and `import`: files come out, and a wrong call is one line."""

import pytest

from cacviz.commands.main import main
from cacviz.store import paths, runs


@pytest.fixture
def kept(kept_run, monkeypatch):
    monkeypatch.setenv(paths.DATA_DIR, str(kept_run[0]))
    # the map alone is not kept, and is not waited for
    monkeypatch.setattr("cacviz.commands.report.wait_for_insights", lambda _: None)
    return kept_run[2]


@pytest.mark.heavy
def test_a_report_is_written_by_the_end_of_its_name(kept, tmp_path, capsys):
    for name, start in (("r.html", b"<!doctype html>"), ("r.docx", b"PK")):
        assert main(["report", kept, "--out", str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_bytes().startswith(start)
    assert main(["report", kept, "--out", str(tmp_path / "r.odt")]) == 2
    assert "none of .html, .docx and .pdf" in capsys.readouterr().err


def test_a_section_that_is_not_there_is_named(kept, tmp_path, capsys):
    out = str(tmp_path / "r.html")
    assert main(["report", kept, "--out", out, "--sections", "short,nonsense"]) == 2
    assert "no section 'nonsense'" in capsys.readouterr().err


def test_a_run_goes_out_and_comes_in_by_the_command_line(kept, tmp_path, capsys):
    runs.export_run(kept, tmp_path / "folder")  # as `fit --out` does
    file, there = str(tmp_path / "run.zip"), str(tmp_path / "there")
    assert main(["export", str(tmp_path / "folder"), "--out", file]) == 0
    assert "No table, no risk" in capsys.readouterr().out
    assert main(["import", file, "--data-dir", there]) == 0
    assert "without its 400 patients" in capsys.readouterr().out
    (row,) = runs.list_runs()
    assert row.card.name == "Kept"


def test_what_is_no_run_is_one_line(data_folder, tmp_path, capsys):
    assert main(["export", str(tmp_path), "--out", str(tmp_path / "x.zip")]) == 2
    assert main(["import", str(tmp_path / "none.zip")]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert "holds no run" in said[0]
