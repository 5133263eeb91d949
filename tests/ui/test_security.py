"""What every answer of the server carries, and what an error may say."""

import logging

import pytest
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from streamlit.testing.v1 import AppTest

from cacviz.engine.exceptions import CohortError, ConfigError
from cacviz.store.atomic import StoreError
from cacviz.ui.shell.security import ROOT_SCRIPT, PageRoot, SecurityHeaders
from cacviz.ui.shell.text import PAGE_FAILED
from tests.ui.asking import settled

PAGE = b"<!doctype html><html><head><title>x</title></head><body></body></html>"
HTML = (b"accept", b"text/html,*/*")
HOST = (b"host", b"127.0.0.1:8501")


def ask(app, path="/", *, kind="http", method="GET", headers=(HOST,)):
    """What an ASGI app answers: status, headers, body; and the scope that it was given."""
    scope = {"type": kind, "method": method, "path": path, "headers": list(headers)}
    scope |= {"query_string": b"", "asgi": {"version": "3.0", "spec_version": "2.4"}}
    sent, seen = [], {}

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    def watched(inner):
        async def watch(scope, receive, send):
            seen.update(scope)
            await inner(scope, receive, send)

        return watch

    settled(app(watched)(scope, receive, send))
    start = next((m for m in sent if m["type"] == "http.response.start"), None)
    body = b"".join(m.get("body", b"") for m in sent if m["type"] == "http.response.body")
    found = {k.decode(): v.decode() for k, v in start["headers"]} if start else {}
    return (start or {}).get("status"), found, body, seen


def headers_of(response, **request):
    return ask(lambda watch: SecurityHeaders(watch(response)), **request)[1]


def policy_of(response, **request):
    found = headers_of(response, **request)["content-security-policy"]
    return {part.split()[0]: part.split()[1:] for part in found.split("; ")}


OK = PlainTextResponse("fine")


def test_every_answer_carries_the_headers():
    for response in (OK, PlainTextResponse("gone", status_code=404), Response(PAGE)):
        found = headers_of(response)
        assert found["x-content-type-options"] == "nosniff"
        assert found["referrer-policy"] == "no-referrer"
        assert found["x-frame-options"] == "SAMEORIGIN"
        assert "content-security-policy" in found


def test_nothing_is_fetched_from_elsewhere():
    policy = policy_of(OK)
    for what, sources in policy.items():
        allowed = {"'self'", "'none'", "'unsafe-inline'", "'unsafe-eval'", "blob:", "data:"}
        if what == "connect-src":
            allowed |= {"ws://127.0.0.1:8501", "wss://127.0.0.1:8501"}
        assert set(sources) <= allowed, what
    assert policy["default-src"] == ["'self'"]
    assert policy["object-src"] == ["'none'"]
    assert policy["form-action"] == ["'self'"]


@pytest.mark.parametrize(
    ("host", "said"),
    [
        (b"localhost:8501", "localhost:8501"),
        (b"[::1]:8501", "[::1]:8501"),
        (b"a; script-src *", "ascript-src"),
        (b"x\r\nSet-Cookie: a=b", "xSet-Cookie:ab"),
        (b"\xff\xfe evil.example *", "evil.example"),
    ],
)
def test_a_hostile_host_adds_nothing_to_the_policy(host, said):
    policy = policy_of(OK, headers=[(b"host", host)])
    assert policy["connect-src"] == ["'self'", f"ws://{said}", f"wss://{said}"]
    assert "'unsafe-inline'" in policy["script-src"]
    assert "*" not in " ".join(policy["connect-src"] + policy["script-src"])


def test_a_request_without_host_gets_a_policy_for_this_computer():
    assert "ws://127.0.0.1" in policy_of(OK, headers=[])["connect-src"]


def test_files_of_patients_are_kept_in_no_cache():
    assert headers_of(OK, path="/media/abc.csv")["cache-control"] == "no-store"
    assert "cache-control" not in headers_of(OK, path="/static/app.js")


def test_sockets_pass_untouched():
    async def socket(scope, receive, send):
        await send({"type": "websocket.accept"})

    for wrap in (SecurityHeaders, PageRoot):
        seen = ask(lambda watch, wrap=wrap: wrap(watch(socket)), kind="websocket")[3]
        assert seen["type"] == "websocket"


def page_root(response, **request):
    return ask(lambda watch: PageRoot(watch(response)), **request)


def test_a_page_is_told_where_the_server_is():
    page = Response(PAGE, media_type="text/html")
    status, found, body, _ = page_root(page, path="/cohort", headers=(HOST, HTML))
    assert status == 200
    assert body == PAGE.replace(b"<head>", b"<head>" + ROOT_SCRIPT)
    assert int(found["content-length"]) == len(body)


def test_a_page_that_comes_in_parts_is_put_together():
    async def parts():
        for i in range(0, len(PAGE), 7):
            yield PAGE[i : i + 7]

    page = StreamingResponse(parts(), media_type="text/html")
    body = page_root(page, headers=(HOST, HTML))[2]
    assert body == PAGE.replace(b"<head>", b"<head>" + ROOT_SCRIPT)


def test_only_the_first_head_is_added_to():
    twice = Response(PAGE + b"<p>&lt;head> <head></p>", media_type="text/html")
    assert page_root(twice, headers=(HOST, HTML))[2].count(ROOT_SCRIPT) == 1


def test_a_page_is_asked_for_uncompressed_or_it_could_not_be_added_to():
    page = Response(PAGE, media_type="text/html")
    asked = (HOST, HTML, (b"accept-encoding", b"gzip"))
    assert b"accept-encoding" not in dict(page_root(page, headers=asked)[3]["headers"])
    plain = (HOST, (b"accept", b"*/*"), (b"accept-encoding", b"gzip"))
    assert b"accept-encoding" in dict(page_root(page, headers=plain)[3]["headers"])


@pytest.mark.parametrize(
    ("response", "request_"),
    [
        (Response(PAGE, media_type="text/html", status_code=404), {"headers": (HOST, HTML)}),
        (Response(PAGE, media_type="text/plain"), {"headers": (HOST, HTML)}),
        (Response(PAGE, media_type="text/html"), {"headers": (HOST,)}),
        (Response(PAGE, media_type="text/html"), {"headers": (HOST, HTML), "method": "POST"}),
    ],
    ids=["an error", "no page", "not asked for as a page", "not a visit"],
)
def test_whatever_is_no_page_passes_untouched(response, request_):
    assert page_root(response, **request_)[2] == PAGE


def raise_in_app(error):
    """What a page shows where `explain_error` is told of this error."""

    def script(error):
        from cacviz.ui.shell.security import explain_error

        try:
            raise error
        except Exception as caught:
            explain_error(caught)

    app = AppTest.from_function(script, args=(error,)).run()
    assert not app.exception
    (box,) = app.error
    return box.value


@pytest.mark.parametrize("kind", [CohortError, ConfigError, StoreError])
def test_an_error_that_we_explain_is_shown_as_it_is_without_markup(kind):
    said = raise_in_app(kind("Column '*x*' is <b>empty</b>."))
    assert said.replace("\\", "") == "Column '*x*' is <b>empty</b>."
    assert r"\*x\*" in said
    assert r"\<b\>" in said


def test_any_other_error_is_one_sentence_that_quotes_nobody(caplog):
    with caplog.at_level(logging.ERROR, "cacviz"):
        said = raise_in_app(ValueError("could not convert string to float: 'Miller, Ann'"))
    assert said == PAGE_FAILED
    (record,) = [r for r in caplog.records if r.name == "cacviz"]
    text = record.getMessage()
    assert text.endswith("ValueError")
    assert "File " in text
    assert "Miller" not in text
