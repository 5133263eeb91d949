"""One read-only copy of a cohort or run for all windows that show it, gone with the last of them.

Nothing here keeps anything alive: a window's session does, and lets go when it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import RLock
from typing import TypeVar
from weakref import WeakValueDictionary

from cacviz.store import paths

Found = TypeVar("Found")
_held: WeakValueDictionary[Hashable, object] = WeakValueDictionary()
_lock = RLock()  # two windows that open at once read once


def shared(key: tuple[Hashable, ...], make: Callable[[], Found]) -> Found:
    """What another window holds under this key, or what `make` gives.

    The key says the state of what is stored, so that nobody gets what is no longer so.
    """
    whole = (str(paths.data_dir()), *key)
    with _lock:
        found = _held.get(whole)
        if found is None:
            found = _held[whole] = make()
    return found  # type: ignore[return-value]
