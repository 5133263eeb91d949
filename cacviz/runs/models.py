"""Fitted models as bytes that cannot run code: safetensors and JSON, or skops with a fixed list."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any

import numpy as np

from cacviz.runs import files

HOME = "cacviz.engine."  # classes from anywhere else are refused

# Types that skops does not trust by itself. Constant on purpose: what a file asks for is never
# fed back into this list. A Booster's state is xgboost's own binary JSON, read by its parser.
TRUSTED = (
    "cacviz.engine.cac.CAC",
    "cacviz.engine.cac.KMeansExperts",
    "cacviz.engine.controls.GradientBoosting",
    "cacviz.engine.experts.Expert",
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


def pack(name: str, thing: Any) -> dict[str, bytes]:
    """Files that hold a fitted model: `get_state()` where it has one, else skops."""
    if not hasattr(thing, "get_state"):
        return {f"{name}.skops": _to_skops(thing)}
    arrays, meta = thing.get_state()
    head = {"module": type(thing).__module__, "class": type(thing).__qualname__, "meta": meta}
    return {f"{name}.safetensors": pack_arrays(arrays), f"{name}.json": files.encode(head)}


def unpack(name: str, names: Collection[str], read: Callable[[str], bytes]) -> Any:
    """The model that `pack` was given, from the files in `names`, each got by `read`."""
    try:
        if f"{name}.skops" in names:
            return _from_skops(read(f"{name}.skops"))
        head = json.loads(read(f"{name}.json"))
        kind = _class_named(head["module"], head["class"])
        return kind.from_state(unpack_arrays(read(f"{name}.safetensors")), head["meta"])
    except files.StoreError:
        raise
    except Exception as error:  # whatever a damaged or hostile file makes a parser raise
        raise files.StoreError(f"The stored {name} cannot be read. Run it again.") from error


def _class_named(module: str, name: str) -> Any:
    if not module.startswith(HOME):
        raise files.StoreError("The stored model names a class that is not part of cacviz.")
    return getattr(import_module(module), name)


def pack_arrays(arrays: Mapping[str, Any], meta: dict[str, str] | None = None) -> bytes:
    from safetensors.numpy import save

    # not ascontiguousarray, which would give a scalar a dimension
    return save({key: np.asarray(a, order="C") for key, a in arrays.items()}, metadata=meta)


def unpack_arrays(data: bytes) -> dict[str, np.ndarray]:
    from safetensors.numpy import load

    return load(data)


def _skops() -> Any:
    """skops.io, without torch: as it loads it walks through all of scikit-learn, which has a door
    to torch that costs seconds; a missing module is passed over.
    """
    door = "sklearn.externals.array_api_compat.torch"
    closed = door not in sys.modules
    if closed:
        sys.modules[door] = None  # type: ignore[assignment]
    try:
        return import_module("skops.io")
    finally:
        if closed:
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
        return _with_defaults(io.loads(data, trusted=list(TRUSTED)))
    except io.exceptions.UntrustedTypesFoundException:
        raise files.StoreError(
            "The stored model holds types that cacviz does not write; it was not opened."
        ) from None


def _with_defaults(model: Any) -> Any:
    """The model with settings that the version which saved it did not have yet."""
    if hasattr(model, "get_params"):
        for name, setting in inspect.signature(type(model)).parameters.items():
            if setting.default is not setting.empty and not hasattr(model, name):
                setattr(model, name, setting.default)
    return model
