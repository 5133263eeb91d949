"""What every result has to stand beside: which controls, each a method of the registry."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from cacviz.engine.running.methods import method_named
from cacviz.engine.types import RunConfig

# with one subtype everyone has the same risk: nothing to be better than
IDLE_ALONE = ("actpc", "actpc_ts")


class Beside(NamedTuple):
    """A control to fit: its key, and how it is configured."""

    key: str
    config: RunConfig


def control_configs(config: RunConfig) -> list[Beside]:
    """The plain models that a run is set beside."""
    method, found = method_named(config.method), []
    one = replace(config, n_clusters=1).having(tune_alpha=None)
    clusters = method.clusters and config.n_clusters > 1
    if clusters and has_one(config.method):
        found.append(Beside("k=1", one))
    if clusters and config.method == "cac":
        found.append(
            Beside("kmeans", replace(config, method="kmeans").having(alpha=None, tune_alpha=None))
        )
    found.append(Beside("lr", replace(one, method="lr").having(alpha=None)))
    found.append(Beside("gbm", replace(one, method="gbm").having(alpha=None)))
    return [c for c in found if c.key != config.method]


def has_one(method: str) -> bool:
    """Whether the method says anything with one subtype."""
    return method not in IDLE_ALONE
