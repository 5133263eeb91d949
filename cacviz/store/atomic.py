"""Files that are whole or not there: atomic files, sealed folders, and sweeping what a crash left.

Every byte of the store goes through `write`, `sync` and `rename` below, so that a test can fail or
kill at each of them.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from cacviz.store.unix import Mark, alive, my_mark

MANIFEST = "manifest.json"
FORMAT = 1
HIDDEN = ".tmp-"
MOST_JSON = 64_000_000  # bytes: more is no record of ours


class StoreError(Exception):
    """Something stored is missing, damaged or in use; the text can be shown as it stands."""


class Manifest(NamedTuple):
    """What a sealed folder says of itself, and each file's sha256 and size."""

    about: dict[str, Any]
    files: dict[str, tuple[str, int]]


def explain(error: OSError, place: str = "The data folder") -> str:
    """What the disk refuses, for a clinician: what, why, and what to do."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "The disk is full. Free some space and try again; finished runs are intact."
    reason = os.strerror(error.errno or errno.EIO)
    return f"{place} cannot be read or written ({reason}). Check the disk and try again."


@contextmanager
def explained(place: str = "The data folder") -> Iterator[None]:
    """Turn what the disk refuses into a StoreError that says so."""
    try:
        yield
    except OSError as error:
        raise StoreError(explain(error, place)) from error


def write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def sync(descriptor: int) -> None:
    os.fsync(descriptor)


def rename(source: Path, target: Path) -> None:
    os.replace(source, target)  # noqa: PTH105 - a test replaces this one call


def write_file(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Replace `path` by `data`: readers see the old bytes or the new ones, never a mixture.

    `durable=False` skips the wait for the disk, for reports that the next one overwrites.
    """
    hidden = _hidden_beside(path)
    try:
        _write_new(hidden, data, durable=durable)
        rename(hidden, path)
    except BaseException:
        hidden.unlink(missing_ok=True)
        raise
    if durable:
        _sync_folder(path.parent)


def write_json(path: Path, value: Any, *, durable: bool = True) -> None:
    write_file(path, encode(value), durable=durable)


def encode(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def decode(data: bytes | str) -> Any:
    """What JSON holds; ValueError where it is none, or deeper than anything that we write."""
    try:
        return json.loads(data)
    except RecursionError:
        raise ValueError("nested too deeply to be one of our files") from None


def read_json(path: Path) -> Any:
    """What the file holds, or None where there is none or it is not JSON."""
    try:
        if path.stat().st_size > MOST_JSON:
            return None
        return decode(path.read_bytes())
    except (OSError, ValueError):
        return None


def make_folder(target: Path, files: Mapping[str, bytes]) -> None:
    """Make `target` with these files, in one step for every reader; it must not exist yet.

    A name may hold folders ("result/summary.json").
    """
    hidden = _hidden_beside(target)
    inner = {parent for name in files for parent in PurePosixPath(name).parents}
    folders = sorted(hidden / folder for folder in inner | {PurePosixPath()})
    try:
        for folder in folders:
            folder.mkdir(mode=0o700)
        for name, data in files.items():
            _write_new(hidden / name, data)
        for folder in reversed(folders):
            _sync_folder(folder)
        rename(hidden, target)
    except BaseException:
        shutil.rmtree(hidden, ignore_errors=True)
        raise
    _sync_folder(target.parent)


def seal_folder(target: Path, files: Mapping[str, bytes], about: Mapping[str, Any]) -> None:
    """`make_folder` with a manifest written last; whatever stood there before is put away."""
    if target.exists():
        remove(target)
    make_folder(target, sealed(files, about))


def sealed(files: Mapping[str, bytes], about: Mapping[str, Any]) -> dict[str, bytes]:
    """The files of a folder with the manifest that seals them."""
    digests = {name: [sha256(data), len(data)] for name, data in files.items()}
    body = {"format": FORMAT, "about": dict(about), "files": digests}
    return {**files, MANIFEST: encode(body | {"seal": sha256(encode(body))})}


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest if it is intact and each file it names is there in full size, else None."""
    manifest = manifest_of(read_json(folder / MANIFEST))
    if manifest is None:
        return None
    whole = all(_size(folder / name) == size for name, (_, size) in manifest.files.items())
    return manifest if whole else None


def manifest_of(body: Any) -> Manifest | None:
    """What a manifest says, if its own seal is intact."""
    if not isinstance(body, dict) or body.get("format") != FORMAT:
        return None
    if body.pop("seal", None) != sha256(encode(body)):
        return None
    files = {name: (digest, size) for name, (digest, size) in body["files"].items()}
    return Manifest(body["about"], files)


def read_sealed(folder: Path, name: str) -> bytes:
    """The bytes of one file of a sealed folder, checked against the manifest."""
    manifest = read_manifest(folder)
    if manifest is None or name not in manifest.files:
        raise StoreError(f"'{folder.name}/{name}' is not there or incomplete. Run it again.")
    data = (folder / name).read_bytes()
    if sha256(data) != manifest.files[name][0]:
        raise StoreError(f"'{folder.name}/{name}' was changed after it was saved. Run it again.")
    return data


def remove(path: Path) -> None:
    """Delete a file or folder for good: out of sight in one step, then off the disk."""
    hidden = _hidden_beside(path)
    with suppress(FileNotFoundError):
        rename(path, hidden)
        _sync_folder(path.parent)
    if hidden.is_dir():
        shutil.rmtree(hidden, ignore_errors=True)
    else:
        hidden.unlink(missing_ok=True)


def sweep(folder: Path) -> int:
    """Remove what dead processes left half-written in `folder`; how many things that were."""
    left = [p for p in folder.glob(f"{HIDDEN}*") if not alive(_owner(p.name))]
    for path in left:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    return len(left)


@contextmanager
def scratch(home: Path) -> Iterator[Path]:
    """A folder in `home` for as long as it is needed; should we die first, `sweep` takes it."""
    folder = _hidden_beside(home / "scratch")
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _write_new(path: Path, data: bytes, *, durable: bool = True) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        write(descriptor, data)
        if durable:
            sync(descriptor)
    finally:
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)


def _hidden_beside(path: Path) -> Path:
    """A name that says which process is at work, so that `sweep` can tell a dead one's."""
    mark = my_mark()
    return path.parent / f"{HIDDEN}{mark.pid}-{mark.start}-{secrets.token_hex(4)}"


def _owner(name: str) -> Mark:
    pid, start, *_ = [*name.removeprefix(HIDDEN).split("-"), "", ""]
    return Mark(int(pid) if pid.isdigit() else 0, start)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1
