"""Who may come in: this account's own browser, or whoever brings the token.

The app listens on this computer only, but other accounts share the computer. Where the system
tells whose connection it is, another account's is refused; where it does not, a token in the
address (as Jupyter's) becomes a cookie that scripts cannot read.
"""

from __future__ import annotations

import hmac
import os
import secrets
import sys
from functools import cache

from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from cacviz.store import paths, wards
from cacviz.store.peers import TOKEN, peer_uid, tells_owners
from cacviz.ui.shell import identity
from cacviz.ui.shell.brought import cookie_of, token_of, without_token
from cacviz.ui.shell.ward_door import WardDoor

COOKIE = "cacviz_token"
ANOTHER = (
    "This cacviz belongs to another account of this computer. Start your own with `cacviz app "
    "--port` and another number."
)
NO_TOKEN = (
    "This cacviz asks for its token. Open the whole address that it printed when it was started."
)


def entrance() -> type[Door] | type[WardDoor]:
    """The door of one's own computer, or that of a ward's server, where every page asks whose it
    is.
    """
    if wards.ward() is None:
        return Door
    paths.ask_for_folder(identity.folder_of_page)
    return WardDoor


class Door:
    """Lets connections of this account in, and those that bring the token."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refusal = _refusal(scope)
        if refusal is None:
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await refusal(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})


def _refusal(scope: Scope) -> Response | None:
    """What a stranger gets; None for those who may come in."""
    wanted = token()
    if wanted is None:
        owner = peer_uid(scope.get("client"), scope.get("server"))
        return None if owner in (os.getuid(), 0) else PlainTextResponse(ANOTHER, status_code=403)
    if _same(cookie_of(scope, COOKIE), wanted):
        return None
    if not _same(token_of(scope), wanted) or scope["type"] != "http":
        return PlainTextResponse(NO_TOKEN, status_code=403)
    away = without_token(scope)
    away.set_cookie(COOKIE, wanted, httponly=True, samesite="strict", path="/")
    return away


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


@cache
def token() -> str | None:
    """The token that is asked for; None where the system tells whose a connection is."""
    chosen = os.environ.get(TOKEN, "")
    if chosen or tells_owners():
        return chosen or None
    made = secrets.token_urlsafe(24)
    sys.stderr.write(f"Open cacviz by its address with ?token={made} behind it.\n")
    return made
