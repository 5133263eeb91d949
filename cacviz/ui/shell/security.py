"""What every answer of the server carries, and what an error may say."""

from __future__ import annotations

import logging
import traceback

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cacviz.engine.exceptions import CohortError, ConfigError
from cacviz.store.atomic import StoreError
from cacviz.ui.shell.text import PAGE_FAILED, plain

POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "worker-src 'self' blob:",
        "connect-src 'self' {socket}",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    )
)
ROOT_SCRIPT = b"<script>window.__streamlit={BACKEND_BASE_URL:location.origin}</script>"
logger = logging.getLogger("cacviz")


class SecurityHeaders:
    """Adds the Content-Security-Policy and its companions to each response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add(MutableHeaders(scope=message), scope)
            await send(message)

        await self.app(scope, receive, send_with_headers)


class PageRoot:
    """Tells each page where the server is.

    Opened by a deep link, Streamlit's page would look for the server below its own address first
    and log two errors in the browser's console before it tries the root.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        headers = [(k, v) for k, v in scope["headers"] if k != b"accept-encoding"]
        if b"text/html" not in dict(headers).get(b"accept", b""):
            await self.app(scope, receive, send)
            return
        scope = {**scope, "headers": headers}  # a compressed page could not be added to
        start: Message | None = None
        body = b""

        async def send_page(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start" and _is_page(message):
                start = message
            elif start is None:
                await send(message)
            else:
                body += message.get("body", b"")
                if not message.get("more_body"):
                    page = body.replace(b"<head>", b"<head>" + ROOT_SCRIPT, 1)
                    MutableHeaders(scope=start)["Content-Length"] = str(len(page))
                    await send(start)
                    await send({"type": "http.response.body", "body": page})

        await self.app(scope, receive, send_page)


def _is_page(start: Message) -> bool:
    headers = MutableHeaders(scope=start)
    return start["status"] == 200 and headers.get("content-type", "").startswith("text/html")


def _add(headers: MutableHeaders, scope: Scope) -> None:
    host = dict(scope["headers"]).get(b"host", b"127.0.0.1").decode("latin-1")
    safe = "".join(c for c in host if c.isascii() and (c.isalnum() or c in ".:-[]"))
    headers["Content-Security-Policy"] = POLICY.format(socket=f"ws://{safe} wss://{safe}")
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "no-referrer"
    headers["X-Frame-Options"] = "SAMEORIGIN"
    if scope["path"].startswith("/media"):
        headers["Cache-Control"] = "no-store"


def explain_error(error: Exception) -> bool:
    """Show one sentence instead of a traceback; log where it was, not what it quoted."""
    if isinstance(error, (CohortError, ConfigError, StoreError)):
        st.error(plain(error))
        return True
    where = "".join(traceback.format_tb(error.__traceback__))
    logger.error("%s%s", where, type(error).__qualname__)
    st.error(PAGE_FAILED)
    return True
