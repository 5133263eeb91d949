"""What must be so before anything is served; the rest is refused by name."""

from __future__ import annotations

import sys
from typing import Any

from streamlit import config

from cacviz.store import unix, wards
from cacviz.wording.serving import unsafe_options

REQUIRED: dict[str, Any] = {
    "server.enableCORS": True,
    "server.enableXsrfProtection": True,
    "server.enableStaticServing": False,
    "server.enableAgentApi": False,
    "browser.gatherUsageStats": False,
    "client.showErrorDetails": "none",
    "client.showErrorLinks": False,
    "global.developmentMode": False,
}
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def prepare() -> None:
    """Refuse what is unsafe; a crash of the app or of what it starts leaves no file of memory."""
    refuse_unsafe()
    unix.no_core_dump()


def unsafe() -> list[str]:
    """Settings under which data could leave, each with its value."""
    found = {name: config.get_option(name) for name in REQUIRED}
    wrong = {name: value for name, value in found.items() if value != REQUIRED[name]}
    address = config.get_option("server.address")
    if address not in LOOPBACK and wards.ward() is None:
        wrong["server.address"] = address
    hosts = config.get_option("server.allowedHosts")
    if not hosts or any("*" in host for host in hosts):
        wrong["server.allowedHosts"] = hosts
    return [f"{name} is {value}" for name, value in wrong.items()]


def refuse_unsafe() -> None:
    """End before anything is served, where a setting is unsafe."""
    wrong = unsafe()
    if wrong:
        sys.exit(unsafe_options(wrong))
