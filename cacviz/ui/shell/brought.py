"""What a request brings to a door: a cookie, or a token in its address that becomes one."""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse
from starlette.types import Scope

TOKEN = "token"


def cookie_of(scope: Scope, name: str) -> str:
    """The cookie of that name; empty where there is none or it cannot be read."""
    try:
        found = SimpleCookie(Headers(scope=scope).get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found else ""


def token_of(scope: Scope) -> str:
    """The token in the address; empty without one."""
    return dict(_asked(scope)).get(TOKEN, "")


def without_token(scope: Scope) -> RedirectResponse:
    """The way to the same address without its token, which would stay in the browser's history."""
    rest = urlencode([(key, value) for key, value in _asked(scope) if key != TOKEN])
    path = "/" + scope["path"].lstrip("/")  # //elsewhere would lead elsewhere
    return RedirectResponse(path + (f"?{rest}" if rest else ""), status_code=303)


def _asked(scope: Scope) -> list[tuple[str, str]]:
    return parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
