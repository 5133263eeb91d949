"""A ward's server behind a proxy that says who somebody is; and whom it trusts."""

import os
import subprocess

import pytest
from starlette.responses import Response

from cacviz.store import wards
from cacviz.store.wards import Ward
from cacviz.ui.shell import identity
from cacviz.ui.shell.ward_door import WardDoor
from tests.browser.test_door import NOBODY
from tests.trust.ward import WardServer
from tests.ui.asking import settled

ME = os.getuid()
HEADER = "X-Remote-User"


def scope(host="10.0.0.2", names=("ann",), kind="http", path="/", **more):
    headers = [(HEADER.lower().encode(), name.encode()) for name in names]
    asked = {"type": kind, "method": "GET", "path": path, "headers": headers, "query_string": b""}
    return asked | {"client": (host, 40000), "server": ("10.0.0.9", 8501)} | more


@pytest.fixture
def behind(tmp_path):
    """A server that trusts a proxy on another machine."""
    return Ward(str(tmp_path / "ward"), HEADER, ("10.0.0.2/32", "::1/128"))


def is_refused(found):
    return isinstance(found, Response) and found.status_code == 403


def test_the_proxy_names_a_person_who_gets_a_folder(behind):
    assert identity.who(scope(), behind) == wards.owner_of("ann")
    assert wards.folder_of(behind.root, wards.owner_of("ann")).is_dir()
    assert identity.who(scope(host="::ffff:10.0.0.2"), behind) == wards.owner_of("ann")


@pytest.mark.parametrize("host", ["10.0.0.3", "127.0.0.1", "192.168.1.5", "", "nonsense"])
def test_whoever_is_not_the_proxy_is_refused_whatever_they_say(behind, host):
    assert is_refused(identity.who(scope(host=host), behind))


@pytest.mark.parametrize(
    "names", [(), ("",), ("  ",), ("ann", "ben"), ("a" * 201,), ("a\x01b",)], ids=repr
)
def test_a_proxy_that_names_nobody_or_several_lets_nobody_in(behind, names):
    assert is_refused(identity.who(scope(names=names), behind))


@pytest.mark.parametrize(("uid", "comes_in"), [(ME, True), (0, True), (NOBODY, False)])
def test_on_this_computer_the_proxys_account_counts(behind, monkeypatch, uid, comes_in):
    monkeypatch.setattr(identity, "peer_uid", lambda client, server: uid)
    found = identity.who(scope(host="::1"), behind)
    assert (found == wards.owner_of("ann")) == comes_in


def test_names_that_look_like_paths_are_folders_like_any_other(behind):
    for name in ("../../etc", "/root", "..", "a/b", "CON", "ä" * 150):
        owner = identity.who(scope(names=(name,)), behind)
        assert owner == wards.owner_of(name)
        assert wards.folder_of(behind.root, owner).parent == wards.Path(behind.root) / "owners"


def test_a_folder_of_no_person_is_refused(behind):
    for owner in ("", "..", "../../etc", "A" * 32, "0" * 31):
        with pytest.raises(wards.atomic.StoreError):
            wards.folder_of(behind.root, owner)


def test_what_is_marked_further_in_is_ours(behind, monkeypatch):
    seen = {}

    async def inside(scope, receive, send):
        seen.update(scope)

    monkeypatch.setenv("CACVIZ_SERVER", wards.atomic.encode(wards.to_plain(behind)).decode())
    forged = [(b"X-Cacviz-Owner", b"0" * 32), (b"sec-websocket-protocol", b"streamlit, a, b")]
    asked = scope(kind="websocket", path="/_stcore/stream")
    asked["headers"] += forged
    settled(WardDoor(inside)(asked, None, None))
    said = [v for k, v in seen["headers"] if k.lower() == b"x-cacviz-owner"]
    assert said == [wards.owner_of("ann").encode()]
    assert dict(seen["headers"])[b"sec-websocket-protocol"] == b"streamlit, a"


@pytest.mark.worker
@pytest.mark.skipif(ME != 0, reason="only root can speak as another account")
def test_another_account_cannot_play_the_proxy(tmp_path):
    flags = ("--user-header", HEADER, "--trusted-proxy", "127.0.0.1")
    server = WardServer(tmp_path / "ward", *flags).start()
    try:
        assert server.visitor(X_Remote_User="ann").ask("/")[0] == 200
        assert server.visitor().ask("/")[0] == 403
        lines = r"GET / HTTP/1.0\r\nX-Remote-User: ann\r\n\r\n"
        ask = f'exec 3<>/dev/tcp/127.0.0.1/{server.port}; printf "{lines}" >&3; cat <&3'
        command = ["/bin/bash", "-c", ask]
        said = subprocess.run(command, user=NOBODY, cwd="/", capture_output=True, text=True).stdout
        assert said.splitlines()[0].split()[1] == "403"
    finally:
        server.close()
