"""What a tour left behind: calls to the network, words in logs and folders, rights of files."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

CANARY = "CANARY"
# Each Chromium asks the kernel once whether there is a way there, and sends nothing.
PROBE = "2001:4860:4860::8888"
_CALL = re.compile(r"\b(connect|sendto|sendmsg|sendmmsg)\(")
_PLACES = re.compile(r'inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"')


def beyond(trace: Path) -> list[str]:
    """Of a trace by strace: the places beyond this computer that a call named."""
    found = []
    for line in _lines(trace):
        if _CALL.search(line):
            found += [four or six for four, six in _PLACES.findall(line)]
    return [place for place in found if not is_here(place)]


def is_here(place: str) -> bool:
    """Whether an address is of this computer alone."""
    address = ipaddress.ip_address(place)
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def started(trace: Path) -> list[str]:
    """Every program that was started, with its words and its environment."""
    return [line for line in _lines(trace) if "execve(" in line]


def _lines(trace: Path) -> Iterator[str]:
    with trace.open(encoding="utf-8", errors="replace") as lines:
        yield from lines


def holding(places: Iterable[Path]) -> list[str]:
    """Files here and below that hold the word, in their name or in what they say."""
    files = [f for p in places for f in ([p] if p.is_file() else sorted(p.rglob("*")))]
    word = CANARY.encode()
    return [f.name for f in files if CANARY in f.name or (f.is_file() and word in f.read_bytes())]


def named_with(folder: Path) -> list[str]:
    """Files and folders with the word in their name."""
    return [path.name for path in folder.rglob("*") if CANARY in path.name]


def not_private(folder: Path) -> tuple[int, list[str]]:
    """How many files and folders, and those that others than the owner may use."""
    found = [folder, *sorted(folder.rglob("*"))]
    wide = [p for p in found if p.lstat().st_mode & 0o777 != (0o700 if p.is_dir() else 0o600)]
    return len(found), [f"{p.name} {p.lstat().st_mode & 0o777:o}" for p in wide]


def may_dump(pid: int) -> bool:
    """Whether a process would leave its memory in a file if it crashed."""
    try:
        limits = Path(f"/proc/{pid}/limits").read_text()
    except OSError:
        return False
    said = re.search(r"Max core file size\s+(\S+)", limits)
    return said is not None and said[1] != "0"
