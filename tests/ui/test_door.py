"""Who may come in: this account, or whoever brings the token."""

import os

import pytest
from starlette.responses import PlainTextResponse

from cacviz.ui.shell import door
from tests.ui.asking import settled

ME = os.getuid()


@pytest.fixture(autouse=True)
def forget_the_token():
    door.token.cache_clear()
    yield
    door.token.cache_clear()


def ask(scope):
    """What the door answers: status, headers and body; "closed" for a socket that is shut."""
    sent = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    async def inside(scope, receive, send):
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
        else:
            await PlainTextResponse("inside")(scope, receive, send)

    settled(door.Door(inside)(scope, receive, send))
    if scope["type"] == "websocket":
        return sent[0]["type"].removeprefix("websocket.")
    headers = {k.decode(): v.decode() for k, v in sent[0]["headers"]}
    return sent[0]["status"], headers, b"".join(m.get("body", b"") for m in sent[1:]).decode()


def scope(kind="http", query=b"", cookie="", client=("127.0.0.1", 40000)):
    headers = [(b"cookie", cookie.encode())] if cookie else []
    asked = {"type": kind, "method": "GET", "path": "/cohort", "headers": headers}
    return asked | {"query_string": query, "client": client, "server": ("127.0.0.1", 8501)}


@pytest.mark.parametrize(("owner", "status"), [(ME, 200), (0, 200), (ME + 7, 403), (None, 403)])
def test_only_this_account_comes_in(monkeypatch, owner, status):
    monkeypatch.setattr(door, "peer_uid", lambda client, server: owner)
    assert ask(scope())[0] == status
    assert ask(scope("websocket")) == ("accept" if status == 200 else "close")


def test_a_stranger_is_told_what_to_do_and_nothing_else(monkeypatch):
    monkeypatch.setattr(door, "peer_uid", lambda client, server: ME + 7)
    assert ask(scope())[2] == door.ANOTHER


def test_the_token_in_the_address_becomes_a_cookie_that_scripts_cannot_read(monkeypatch):
    monkeypatch.setenv(door.TOKEN, "s3cret")
    status, headers, _ = ask(scope(query=b"token=s3cret&run=7"))
    assert (status, headers["location"]) == (303, "/cohort?run=7")
    cookie = headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert ask(scope(cookie=cookie.split(";")[0]))[2] == "inside"
    assert ask(scope("websocket", cookie=cookie.split(";")[0])) == "accept"


def test_the_way_back_never_leads_to_another_server(monkeypatch):
    monkeypatch.setenv(door.TOKEN, "s3cret")
    asked = scope(query=b"token=s3cret") | {"path": "//elsewhere/cohort"}
    assert ask(asked)[1]["location"] == "/elsewhere/cohort"


@pytest.mark.parametrize(
    "wrong",
    [{}, {"query": b"token=other"}, {"cookie": "cacviz_token=other"}, {"cookie": "a=\x01;;=,"}],
)
def test_without_the_token_nobody_comes_in_not_even_this_account(monkeypatch, wrong):
    monkeypatch.setenv(door.TOKEN, "s3cret")
    status, headers, said = ask(scope(**wrong))
    assert (status, said) == (403, door.NO_TOKEN)
    assert "set-cookie" not in headers
    assert ask(scope("websocket", **wrong)) == "close"


def test_where_the_system_does_not_tell_a_token_is_made_and_printed(monkeypatch, capsys):
    monkeypatch.delenv(door.TOKEN, raising=False)
    monkeypatch.setattr(door, "tells_owners", lambda: False)
    made = door.token()
    assert len(made) >= 32
    assert made in capsys.readouterr().err
    assert ask(scope())[0] == 403
    assert ask(scope(query=f"token={made}".encode()))[0] == 303
