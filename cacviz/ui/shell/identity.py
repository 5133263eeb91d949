"""Who is it? On a ward's server every request says so, by a cookie or by a trusted proxy.

What comes in with a name of ours is taken away first: the header `x-cacviz-owner` further in is
always ours, so that pages, downloads and uploads can rely on it.
"""

from __future__ import annotations

import ipaddress
import os
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import Scope
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from cacviz.store import people, wards
from cacviz.store.peers import peer_uid, tells_owners
from cacviz.store.unix import account_uid
from cacviz.store.wards import Ward
from cacviz.ui.shell.brought import cookie_of, token_of, without_token
from cacviz.wording import serving

COOKIE = "cacviz_person"
OWNER = "x-cacviz-owner"


def who(scope: Scope, ward: Ward) -> str | Response:
    """The word for the person who asks; else what a stranger gets."""
    if not _from_where_it_may(scope, ward):
        return PlainTextResponse(serving.NOT_BY_THE_PROXY, status_code=403)
    return _named(scope, ward) if ward.header else _by_token(scope, ward)


def _from_where_it_may(scope: Scope, ward: Ward) -> bool:
    """Whether the connection comes from the proxy; without one, from this computer."""
    try:
        host = ipaddress.ip_address((scope.get("client") or ("",))[0])
    except ValueError:
        return False
    if isinstance(host, ipaddress.IPv6Address) and host.ipv4_mapped:
        host = host.ipv4_mapped
    known = [ipaddress.ip_network(network) for network in ward.proxies]
    if not (any(host in network for network in known) if known else host.is_loopback):
        return False
    if not (ward.header and host.is_loopback and tells_owners()):
        return True  # a token says who it is, or another machine's network does
    trusted = {os.getuid(), 0, account_uid(ward.account)}
    return peer_uid(scope.get("client"), scope.get("server")) in trusted


def _named(scope: Scope, ward: Ward) -> str | Response:
    """By the proxy's header, which must be there once."""
    said = [_letters(name).strip() for name in Headers(scope=scope).getlist(ward.header)]
    fine = len(said) == 1 and 0 < len(said[0]) <= people.LONGEST and said[0].isprintable()
    if not fine:
        return PlainTextResponse(serving.PROXY_NAMES_NOBODY, status_code=403)
    return wards.welcome(ward.root, said[0])


def _letters(name: str) -> str:
    """A name whose letters a proxy wrote as UTF-8; headers are read byte by byte."""
    try:
        return name.encode("latin-1").decode()
    except UnicodeError:
        return name


def _by_token(scope: Scope, ward: Ward) -> str | Response:
    """By the cookie; a token in the address becomes one."""
    owner = people.holder_of(ward.root, cookie_of(scope, COOKIE))
    if owner is not None:
        return owner
    token = token_of(scope)
    if scope["type"] != "http" or people.holder_of(ward.root, token) is None:
        return PlainTextResponse(serving.NO_PERSON, status_code=403)
    away = without_token(scope)
    # lax: a link in a message must find its way; nothing is changed by following one
    secure = bool(ward.proxies) and Headers(scope=scope).get("x-forwarded-proto") == "https"
    away.set_cookie(COOKIE, token, httponly=True, samesite="lax", path="/", secure=secure)
    return away


def marked(scope: Scope, owner: str) -> Scope:
    """The request with its owner, as everything further in sees it.

    A socket starts a session of its own: taking up another one's by its number is left out.
    """
    names = (OWNER.encode(), b"sec-websocket-protocol")
    headers = [(k, v) for k, v in scope["headers"] if k.lower() not in names]
    for key, value in scope["headers"]:
        if key.lower() == names[1]:
            headers.append((key, b",".join(value.split(b",")[:2])))
    return {**scope, "headers": [*headers, (names[0], owner.encode())]}


def session_owner(session: str) -> str | None:
    """Whose a session of Streamlit is: as its socket was marked when it was opened."""
    if not runtime.exists():
        return None
    client = runtime.get_instance().get_client(session)
    context = client.client_context if client is not None else None
    said = dict(context.headers) if context is not None else {}
    return said.get(OWNER)


def folder_of_page() -> Path | None:
    """The data folder of the person whose page is being made; None where none is, or where they
    may come in no more.
    """
    ward, context = wards.ward(), get_script_run_ctx(suppress_warning=True)
    owner = session_owner(context.session_id) if context is not None else None
    if ward is None or owner is None:
        return None
    if not ward.header and owner not in [p.owner for p in people.people_of(ward.root)]:
        return None
    return wards.folder_of(ward.root, owner)
