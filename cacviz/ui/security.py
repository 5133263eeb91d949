"""What every answer of the server carries, and what an error may say."""

from __future__ import annotations

import logging
import traceback

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cacviz.engine.exceptions import CohortError, ConfigError
from cacviz.runs import StoreError
from cacviz.ui.text import PAGE_FAILED, plain

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


def _add(headers: MutableHeaders, scope: Scope) -> None:
    host = dict(scope["headers"]).get(b"host", b"127.0.0.1").decode("latin-1")
    safe = "".join(c for c in host if c.isalnum() or c in ".:-[]")
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
