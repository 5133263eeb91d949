"""Whose a connection within this computer is, as far as the system tells."""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Iterable
from pathlib import Path

TOKEN = "CACVIZ_TOKEN"  # asked for where it is set, or where nobody tells whose a connection is
TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))


def tells_owners() -> bool:
    """Whether this system says whose a connection is."""
    return hasattr(os, "getuid") and TABLES[0].is_file()


def peer_uid(client: Iterable | None, server: Iterable | None) -> int | None:
    """The account at the other end of a connection within this computer."""
    if client is None or server is None:
        return None
    (host, port), (_, own) = tuple(client)[:2], tuple(server)[:2]
    for table in TABLES:
        try:
            found = _owner(table.read_text("ascii").splitlines()[1:], host, port, own)
        except OSError:
            continue
        if found is not None:
            return found
    return None


def _owner(lines: Iterable[str], host: str, port: int, own: int) -> int | None:
    """The account of the socket that sits at host and port and speaks to our port."""
    here = {f"{address}:{port:04X}" for address in _as_written(host)}
    for line in lines:
        words = line.split()
        if words[1] in here and words[2].endswith(f":{own:04X}"):
            return int(words[7])
    return None


def _as_written(host: str) -> list[str]:
    """An address as the kernel's tables write it: words of the processor's order, in hex."""
    try:
        if ":" in host:
            return [_words(socket.inet_pton(socket.AF_INET6, host))]
        plain = socket.inet_pton(socket.AF_INET, host)
    except OSError:
        return []
    return [_words(plain), _words(b"\0" * 10 + b"\xff\xff" + plain)]


def _words(packed: bytes) -> str:
    return "".join(f"{word:08X}" for word in struct.unpack(f"={len(packed) // 4}I", packed))
