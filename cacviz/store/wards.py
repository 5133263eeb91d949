"""A server for a ward: one folder for all, and in it a data folder for each person.

DIR/people.json          who may come in by a token, where no proxy tells who somebody is
DIR/owners/<id>/         the data folder of a person: cohorts, runs, preferences, all of it
DIR/owners/<id>/owner.json    whose it is, for those who look after the server
DIR/lock                 held by whoever starts what is queued, whosever it is
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cacviz.engine.exceptions import ConfigError
from cacviz.store import atomic, paths, unix
from cacviz.store.records import from_plain, to_plain

OWNERS, OWNER = "owners", "owner.json"
NOT_ON_A_SERVER = "On a ward's server {what} is switched off. Ask those who look after it."


@dataclass(frozen=True, slots=True)
class Ward:
    """How a server for several people is run; the environment carries it to workers."""

    root: str
    header: str = ""  # in which a trusted proxy says who somebody is; empty: people have tokens
    proxies: tuple[str, ...] = ()  # networks that a proxy may speak from; empty: this computer
    account: str = ""  # of a proxy on this computer, where it is neither ours nor root's


def ward() -> Ward | None:
    """The server that this process belongs to; None on one's own computer."""
    said = os.environ.get(paths.SERVER)
    return _ward(said) if said else None


@lru_cache(maxsize=4)
def _ward(said: str) -> Ward:
    return from_plain(Ward, atomic.decode(said))


def use_ward(wanted: Ward) -> None:
    """Make this process, and those that it starts, belong to a server."""
    paths.private(Path(wanted.root))
    paths.private(Path(wanted.root) / OWNERS)
    os.environ[paths.SERVER] = atomic.encode(to_plain(wanted)).decode()
    os.environ.pop(paths.DATA_DIR, None)  # nobody's folder


def owner_of(name: str) -> str:
    """The word for a person in folders and headers: any name gives a safe one."""
    return hashlib.sha256(name.encode()).hexdigest()[:32]


def folder_of(root: str | Path, owner: str) -> Path:
    """A person's data folder."""
    if len(owner) != 32 or set(owner) - set("0123456789abcdef"):
        raise atomic.StoreError(paths.NOBODY)
    return Path(root) / OWNERS / owner


def welcome(root: str | Path, name: str) -> str:
    """Make a person's folder where there is none yet; the word for them."""
    owner = owner_of(name)
    for place in (Path(root), Path(root) / OWNERS):
        paths.private(place)
    folder = paths.private(folder_of(root, owner))
    if not (folder / OWNER).exists():
        atomic.write_json(folder / OWNER, {"name": name})
    return owner


def data_dirs() -> list[Path]:
    """Every data folder whose jobs share this machine: one's own, or each person's."""
    here = ward()
    if here is None:
        return [paths.data_dir()]
    found = (Path(here.root) / OWNERS).iterdir()
    return sorted(f for f in found if f.is_dir() and not f.name.startswith("."))


def queue_lock() -> Path:
    """Held while queued jobs are started; on one's own computer it is the store's lock."""
    here = ward()
    return paths.lock_file() if here is None else Path(here.root) / "lock"


@contextmanager
def turn_of(folder: Path) -> Iterator[None]:
    """Work on the queue of one data folder; the caller holds `queue_lock`."""
    if ward() is None:
        yield  # that lock is the folder's own
        return
    with paths.within(folder), unix.locked(paths.lock_file()):
        yield


def only_at_home(what: str) -> None:
    """Refuse what reaches beyond a person's own folder, where several people share a server."""
    if ward() is not None:
        raise ConfigError(NOT_ON_A_SERVER.format(what=what))
