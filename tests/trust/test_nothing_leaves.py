"""S2, S3, S9: what the tour's looks find, and what the app itself does to keep patients in."""

import os
import socket
import subprocess
import sys

import pytest

from benchmarks import leaving_traces as traces
from benchmarks import nothing_leaves
from benchmarks.leaving_tour import Seen, is_local
from tests.browser.chromium import find
from tests.conftest import ROOT

TRACE = """\
7 execve("/usr/bin/python", ["python", "-m", "cacviz"], ["HOME=/x"]) = 0
7 connect(3, {sa_family=AF_UNIX, sun_path="/run/nscd"}, 110) = -1 ENOENT
7 connect(3, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("127.0.0.1")}, 16) = 0
8 sendto(4, "x", 1, 0, {sa_family=AF_INET, sin_addr=inet_addr("8.8.8.8")}, 16) = 1
8 connect(5, {sa_family=AF_INET6, inet_pton(AF_INET6, "2001:db8::1", &sin6_addr)}, 28 <unfinished
9 bind(5, {sa_family=AF_INET, sin_port=htons(0), sin_addr=inet_addr("0.0.0.0")}, 16) = 0
"""
PRINT = "from cacviz.report.pdf import as_pdf; assert as_pdf('<p>x</p>').startswith(b'%PDF')"


def alone(*command):
    """Run a command where loopback is all there is; skip where no such place can be made."""
    fence = ["unshare", "-rnm", "sh", "-c", nothing_leaves.ALONE, "sh"]
    try:
        subprocess.run([*fence, "strace", "-V"], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no network of its own, or no strace, on this machine")
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run([*fence, *command], env=env, capture_output=True, text=True, check=False)


def test_places_beyond_this_computer_are_read_from_a_trace(tmp_path):
    trace = tmp_path / "trace"
    trace.write_text(TRACE)
    assert traces.beyond(trace) == ["8.8.8.8", "2001:db8::1"]
    assert len(traces.started(trace)) == 1


@pytest.mark.parametrize(
    ("place", "here"),
    [("127.0.0.53", True), ("::1", True), ("::ffff:127.0.0.1", True), ("10.0.0.1", False)],
)
def test_only_loopback_is_here(place, here):
    assert traces.is_here(place) is here


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:8501/x", True),
        ("ws://127.0.0.1:8501/_stcore/stream", True),
        ("data:image/png;base64,xx", True),
        ("http://127.0.0.1.evil.example/", False),
        ("file:///etc/passwd", False),
    ],
)
def test_a_request_to_another_place_is_told_by_its_host(url, local):
    assert is_local(url) is local


def test_a_word_in_an_address_is_found_though_it_is_encoded(tmp_path):
    seen = Seen(tmp_path)
    seen.note("http://127.0.0.1/?name=%43ANARYx")
    seen.note("http://127.0.0.1/?run=1")
    assert len(seen.told) == 1


def test_words_in_files_and_names_and_rights_too_wide_are_found(tmp_path):
    (tmp_path / "a.log").write_text("KeyError: CANARYcell")
    (tmp_path / "CANARYfile").write_text("x")
    (tmp_path / "plain").write_text("x")
    assert traces.holding([tmp_path]) == ["CANARYfile", "a.log"]
    assert traces.named_with(tmp_path) == ["CANARYfile"]
    for name in ("a.log", "CANARYfile"):
        (tmp_path / name).chmod(0o600)
    tmp_path.chmod(0o700)
    (tmp_path / "plain").chmod(0o640)
    assert traces.not_private(tmp_path) == (4, ["plain 640"])


def test_the_tour_ends_in_a_sentence_where_no_network_can_be_made(monkeypatch, capsys):
    monkeypatch.setattr(nothing_leaves, "TOOLS", ("unshare", "no-such-tool"))
    assert nothing_leaves.in_own_network([]) == 2
    said = capsys.readouterr().err
    assert said.startswith("No network of its own can be made here")
    assert "no-such-tool cannot be found" in said


def test_a_call_that_would_leave_is_caught_where_there_is_no_network(tmp_path):
    trace = tmp_path / "trace"
    call = "import socket; socket.socket(type=socket.SOCK_DGRAM).connect(('192.0.2.7', 53))"
    done = alone(*nothing_leaves.STRACE, "-o", str(trace), sys.executable, "-c", call)
    assert "unreachable" in done.stderr
    assert traces.beyond(trace) == ["192.0.2.7"]


@pytest.mark.browser
def test_printing_a_report_looks_for_no_service_of_the_browser(tmp_path):
    if find() is None:
        pytest.skip("no Chromium on this machine")
    trace = tmp_path / "trace"
    done = alone(*nothing_leaves.STRACE, "-o", str(trace), sys.executable, "-c", PRINT)
    assert done.returncode == 0, done.stderr
    assert [place for place in traces.beyond(trace) if place != traces.PROBE] == []


def test_a_network_with_more_than_loopback_is_told():
    names = {name for _, name in socket.if_nameindex()}
    assert nothing_leaves.only_loopback() is (names == {"lo"})
