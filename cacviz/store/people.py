"""Who may come in by a token: names, and of the tokens no more than their sha256."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cacviz.store import atomic, paths, unix, wards
from cacviz.store.records import read_record, to_plain

FILE = "people.json"
LONGEST = 200  # characters of a name


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who may come in."""

    name: str
    owner: str
    token: str  # its sha256
    since: float


@dataclass(frozen=True, slots=True)
class People:
    people: tuple[Person, ...] = ()


def people_of(root: str | Path) -> tuple[Person, ...]:
    """Everybody; nobody where the file is absent or damaged."""
    try:
        return read_record(People, Path(root) / FILE).people
    except (OSError, ValueError):
        return ()


def add_person(root: str | Path, name: str) -> str:
    """Let somebody in; their token, which is not kept. One that they had before is void."""
    name = name.strip()
    if not name or len(name) > LONGEST or not name.isprintable():
        said = f"A name has 1 to {LONGEST} printable characters."
        raise atomic.StoreError(said)
    token = secrets.token_urlsafe(32)
    with _changing(Path(root)) as others:
        owner = wards.welcome(root, name)
        new = Person(name, owner, _digest(token), time.time())
        _write(root, (*(p for p in others if p.owner != owner), new))
    return token


def remove_person(root: str | Path, name: str, *, with_data: bool = False) -> None:
    """Let somebody in no more; their data stay unless they shall go for good."""
    owner = wards.owner_of(name.strip())
    with _changing(Path(root)) as others:
        if owner not in [p.owner for p in others]:
            raise atomic.StoreError(f"Nobody is called '{name}' here. See `cacviz people list`.")
        _write(root, tuple(p for p in others if p.owner != owner))
    if with_data:
        atomic.remove(wards.folder_of(root, owner))


def holder_of(root: str | Path, token: str) -> str | None:
    """Whose token this is."""
    digest = _digest(token)
    same = (p.owner for p in people_of(root) if secrets.compare_digest(p.token, digest))
    return next(same, None)


@contextmanager
def _changing(root: Path) -> Iterator[tuple[Person, ...]]:
    """The people, while nobody else changes them."""
    with unix.locked(paths.private(root) / "people.lock"):
        found = people_of(root)
        if not found and (root / FILE).exists() and atomic.read_json(root / FILE) is None:
            raise atomic.StoreError(f"'{root / FILE}' is damaged. Put it back, or take it away.")
        yield found


def _write(root: str | Path, people: tuple[Person, ...]) -> None:
    atomic.write_json(Path(root) / FILE, to_plain(People(people)))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
