"""Many small files as one: the members of a folder or a zip, within limits."""

from __future__ import annotations

import io
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.kinds import shorten
from cacviz.engine.reading.raw import MAX_BYTES

MAX_MEMBERS = 100_000
MAX_RATIO = 100  # honest records shrink 5 to 30 times
_SMALL = 10 * 2**20  # of which no ratio does harm
_DEEP = 4  # folders inside each other
_DAMAGED = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError)


class Member(NamedTuple):
    """A file of a folder or zip: its name without folders, and how to have its bytes."""

    name: str
    size: int
    load: Callable[[], bytes]

    @property
    def stem(self) -> str:
        return PurePosixPath(self.name).stem

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.name).suffix.lower()


def is_archive(source: str | Path | bytes) -> bool:
    """Whether it is a folder, or a zip that is no spreadsheet."""
    if not isinstance(source, (str, Path)):
        return bytes(source[:2]) == b"PK" and not _is_book(io.BytesIO(source))
    path = Path(source)
    if path.is_dir():
        return True
    return path.is_file() and zipfile.is_zipfile(path) and not _is_book(path)


def members_of(source: str | Path | bytes, name: str) -> list[Member]:
    """The files of a folder or zip by name; what is hidden is passed over."""
    if isinstance(source, (str, Path)) and Path(source).is_dir():
        members = list(_of_folder(Path(source), name))
    else:
        members = _of_zip(source, name)
    total = sum(m.size for m in members)
    if total > MAX_BYTES:
        raise CohortError(
            f"{name} holds {total / 2**20:,.0f} MB of files; the limit is {MAX_BYTES // 2**20} MB. "
            "Read it in parts, or save all records as one Parquet table."
        )
    return sorted(members, key=lambda m: m.name)


def _is_book(file: Path | io.BytesIO) -> bool:
    try:
        with zipfile.ZipFile(file) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except _DAMAGED:
        return False


def _of_folder(root: Path, name: str) -> Iterator[Member]:
    """Files at most four folders deep; a folder that points elsewhere is not entered."""
    n = 0
    for folder, inner, files in os.walk(root):
        inner[:] = sorted(f for f in inner if not f.startswith((".", "__")))
        if len(Path(folder).relative_to(root).parts) >= _DEEP:
            inner.clear()
        n += len(files)
        _check_number(n, name)
        for file in files:
            path = Path(folder) / file
            if not file.startswith(".") and path.is_file():
                yield Member(file, path.stat().st_size, _loader(path))


def _loader(path: Path) -> Callable[[], bytes]:
    def load() -> bytes:
        try:
            return path.read_bytes()
        except OSError as error:
            raise CohortError(
                f"{shorten(path.name)} could not be opened ({error.strerror}). Check that you may "
                "read it."
            ) from error

    return load


def _of_zip(source: str | Path | bytes, name: str) -> list[Member]:
    """Names, numbers and sizes are checked in the zip's own list, before anything is unpacked."""
    file = Path(source) if isinstance(source, (str, Path)) else io.BytesIO(source)
    try:
        archive = zipfile.ZipFile(file)
    except _DAMAGED as error:
        raise CohortError(f"{name} is damaged: it cannot be unpacked. Copy it again.") from error
    infos = [i for i in archive.infolist() if not i.filename.endswith("/")]
    _check_number(len(infos), name)
    packed = sum(i.compress_size for i in infos)
    total = sum(i.file_size for i in infos)
    if total > max(_SMALL, MAX_RATIO * packed):
        raise CohortError(
            f"{name} would unpack from {packed / 2**20:.1f} to {total / 2**20:,.0f} MB, as no "
            "records of patients do. Zip the files themselves again."
        )
    for info in infos:
        _check_name(info.filename, name)
    return [
        Member(PurePosixPath(i.filename).name, i.file_size, _unpacker(archive, i, name))
        for i in infos
        if not any(p.startswith((".", "__")) for p in PurePosixPath(i.filename).parts)
    ]


def _unpacker(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> Callable[[], bytes]:
    def load() -> bytes:
        if info.flag_bits & 1:
            raise CohortError(f"{name} is locked with a password. Unpack it first.")
        try:
            return archive.read(info)
        except (*_DAMAGED, ValueError, zlib.error) as error:
            raise CohortError(
                f"{shorten(info.filename)} in {name} is damaged: it cannot be unpacked. Copy the "
                "zip again."
            ) from error

    return load


def _check_number(n: int, name: str) -> None:
    if n > MAX_MEMBERS:
        raise CohortError(
            f"{name} holds more than {MAX_MEMBERS:,} files. Read it in parts, or save all records "
            "as one Parquet table."
        )


def _check_name(member: str, name: str) -> None:
    path = PurePosixPath(member.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or (path.parts and ":" in path.parts[0]):
        raise CohortError(
            f"{name} holds a file that points outside of it ('{shorten(member)}'), so it is not "
            "opened. Zip the files themselves again."
        )
