"""Fitted models as bytes that cannot run code: safetensors and JSON, or skops with a fixed list."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any

import numpy as np

from cacviz.engine.running.methods import METHODS
from cacviz.store import atomic

# Which class a stored thing is of, by a name that stays when files move; methods are in METHODS.
KINDS = {"preparation": "cacviz.engine.preparation.preparing:Preparation"}

# what skops loads of scikit-learn without need
DOORS = tuple(f"sklearn.externals.array_api_compat.{name}" for name in ("torch", "dask"))

# Types that skops does not trust by itself. Constant on purpose: what a file asks for is never
# fed back into this list. A Booster's state is xgboost's own binary JSON, read by its parser.
TRUSTED = (
    "numpy.dtype",  # of the values that an imputer was fitted on
    "sklearn.calibration._CalibratedClassifier",
    "sklearn.calibration._SigmoidCalibration",
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    "sklearn.metrics._dist_metrics.EuclideanDistance64",
    "sklearn.neighbors._ball_tree.BallTree",
    "sklearn.neighbors._kd_tree.KDTree",
    "sklearn.tree._tree.Tree",
    "xgboost.core.Booster",
    "xgboost.sklearn.XGBClassifier",
)


def pack(name: str, kind: str, thing: Any) -> dict[str, bytes]:
    """Files that hold a fitted thing: arrays, JSON, and scikit-learn's own estimators in skops."""
    arrays, meta, *others = thing.get_state()
    packed = {
        f"{name}.safetensors": pack_arrays(arrays),
        f"{name}.json": atomic.encode({"kind": kind, "meta": meta}),
    }
    if others and others[0]:
        packed[f"{name}.skops"] = _to_skops(others[0])
    return packed


def unpack(name: str, names: Collection[str], read: Callable[[str], bytes]) -> Any:
    """What `pack` was given, from the files in `names`, each got by `read`."""
    try:
        head = atomic.decode(read(f"{name}.json"))
        state = [unpack_arrays(read(f"{name}.safetensors")), head["meta"]]
        if f"{name}.skops" in names:
            state.append(_from_skops(read(f"{name}.skops")))
        return _class_of(head["kind"]).from_state(*state)
    except atomic.StoreError:
        raise
    except Exception as error:  # whatever a damaged or hostile file makes a parser raise
        raise atomic.StoreError(f"The stored {name} cannot be read. Run it again.") from error


def _class_of(kind: str) -> Any:
    where = KINDS.get(kind) or (METHODS[kind].where if kind in METHODS else None)
    if where is None:
        raise atomic.StoreError("The stored model is of a kind that this version does not know.")
    module, name = where.split(":")
    return getattr(import_module(module), name)


def pack_arrays(arrays: Mapping[str, Any], meta: dict[str, str] | None = None) -> bytes:
    from safetensors.numpy import save

    # not ascontiguousarray, which would give a scalar a dimension
    return save({key: np.asarray(a, order="C") for key, a in arrays.items()}, metadata=meta)


def unpack_arrays(data: bytes) -> dict[str, np.ndarray]:
    from safetensors.numpy import load

    return load(data)


def get_ready() -> None:
    """Load what saving needs now: a worker has time while it waits for a copy of itself."""
    _skops()


def _skops() -> Any:
    """skops.io, without torch and dask: as it loads it walks through all of scikit-learn, which has
    doors to them that cost seconds; a missing module is passed over.
    """
    closed = [door for door in DOORS if door not in sys.modules]
    sys.modules.update(dict.fromkeys(closed))  # type: ignore[arg-type]
    try:
        return import_module("skops.io")
    finally:
        for door in closed:
            del sys.modules[door]


def _to_skops(thing: Any) -> bytes:
    io = _skops()
    data = io.dumps(thing)
    unknown = set(io.get_untrusted_types(data=data)) - set(TRUSTED)
    if unknown:  # better now than when somebody needs the model
        raise TypeError(f"cannot be saved safely: {', '.join(sorted(unknown))}")
    return data


def _from_skops(data: bytes) -> Any:
    io = _skops()
    try:
        return io.loads(data, trusted=list(TRUSTED))
    except io.exceptions.UntrustedTypesFoundException:
        raise atomic.StoreError(
            "The stored model holds types that cacviz does not write; it was not opened."
        ) from None
