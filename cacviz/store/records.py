"""Frozen types as JSON and back, by their own type hints."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from cacviz.store import atomic

SCALARS = {int: (int, float), float: (int, float), bool: bool, str: (str, int, float)}


def read_record(kind: type, path: Path) -> Any:
    """The record in a JSON file, parsed once for each state of the file.

    What it holds is frozen and names no patient, so that several windows may share it; raises
    OSError or ValueError where there is none.
    """
    told = path.stat()
    if told.st_size > atomic.MOST_JSON:
        raise ValueError("too large to be a record")
    return _parsed(kind, path, told.st_mtime_ns, told.st_size, told.st_ino)


@lru_cache(maxsize=512)
def _parsed(kind: type, path: Path, *_: int) -> Any:
    return from_plain(kind, atomic.decode(path.read_bytes()))


def to_plain(value: Any) -> Any:
    """Dataclasses, mappings, tuples and NumPy scalars as what JSON can hold."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list, np.ndarray)):
        return [to_plain(item) for item in value]
    return value.item() if isinstance(value, np.generic) else value


def from_plain(kind: Any, value: Any) -> Any:
    """The value that `to_plain` was given, of type `kind`; ValueError where it is none.

    Fields that an older version did not write take their default, where they have one; unknown
    ones are left out.
    """
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _record(kind, value)
    origin, inside = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return None if value is None else from_plain(_other_than_none(inside), value)
    if origin is tuple:
        return _tuple(inside, value)
    if origin is not None and origin is not Literal and issubclass(origin, Mapping):
        _check(value, Mapping)
        return {key: from_plain(inside[1], item) for key, item in value.items()}
    if kind in SCALARS:
        _check(value, SCALARS[kind])
    return float(value) if kind is float else value


def _check(value: Any, kinds: Any) -> None:
    if not isinstance(value, kinds):
        raise ValueError(f"a {type(value).__name__} is not what was written here")


def _record(kind: type, value: Any) -> Any:
    _check(value, Mapping)
    hints = _hints(kind)
    fields = {name: from_plain(hints[name], v) for name, v in value.items() if name in hints}
    try:
        return kind(**fields)
    except TypeError as error:
        raise ValueError(f"fields of {kind.__name__} are missing") from error


def _tuple(inside: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    _check(value, (list, tuple))
    if inside[-1] is Ellipsis:
        return tuple(from_plain(inside[0], item) for item in value)
    return tuple(from_plain(kind, item) for kind, item in zip(inside, value, strict=True))


def _other_than_none(inside: tuple[Any, ...]) -> Any:
    kinds = [kind for kind in inside if kind is not types.NoneType]
    return kinds[0] if len(kinds) == 1 else Any


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)
