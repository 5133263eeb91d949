"""The page Report: what is chosen stays, the job makes the files, and they can be taken."""

import io
import time
import zipfile

import pytest

from cacviz.jobs import handover
from cacviz.store import reports
from cacviz.store.reports import Handover


def test_without_a_run_the_page_says_what_to_do(show):
    app = show("report")
    assert not app.exception
    assert app.info


@pytest.mark.worker
def test_documents_are_chosen_made_and_taken(with_run, show):
    _, run_id = with_run
    app = show("report", run=run_id)
    assert not app.exception
    app.multiselect(key=f"report_documents_{run_id}").set_value(["script", "run"]).run()
    app.multiselect(key="report_sections").set_value(["limits", "short"]).run()
    assert not app.exception
    again = show("report", run=run_id)  # another window, later
    assert again.multiselect(key=f"report_documents_{run_id}").value == ["script", "run"]
    assert reports.read_sections() == ("limits", "short")
    again.button(key="make_report").click().run()
    deadline = time.monotonic() + 120
    while not reports.made_files(run_id):
        assert time.monotonic() < deadline, handover.report_progress(run_id)
        time.sleep(0.2)
    assert set(reports.made_files(run_id)) == {"reproduce.py", "run.zip"}
    with zipfile.ZipFile(io.BytesIO(reports.read_made(run_id, "run.zip"))) as packed:
        assert "bundle.json" in packed.namelist()
    done = show("report", run=run_id)
    assert not done.exception
    assert "Ready to download" in [s.value for s in done.subheader]
    reports.change_sections(())


def test_what_was_asked_for_is_kept_as_it_was(with_kept):
    wanted = Handover(("html",), ("short",), hide=False)
    assert reports.read_asked(reports.ask(with_kept[1], wanted)) == wanted
