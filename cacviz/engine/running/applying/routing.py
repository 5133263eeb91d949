"""Where a patient belongs, and how clear that is."""

from __future__ import annotations

from typing import Any

import numpy as np

from cacviz.engine.preparation.blocks import in_blocks
from cacviz.engine.running.applying.types import Routed

BETWEEN = 0.2  # of the way from the border to its own centre: then a patient is between two


def routed_by(model: Any, X: Any) -> Routed:
    """Each patient's cluster, the next one, and the margin between the two.

    The margin is 0 on the border and 1 at the centre of its own cluster (or beyond). Where a
    method mixes its clusters by shares, it is the difference of the two largest.
    """
    clusters = np.asarray(model.predict_cluster(X)).astype(np.int64)
    if model.n_clusters < 2:
        return Routed(clusters, clusters, np.ones(len(clusters)))
    shares = model.shares(X)
    gaps = _share_gaps(shares, clusters) if shares is not None else _gaps(model, X, clusters)
    everyone = np.arange(len(clusters))
    gaps[everyone, clusters] = np.inf
    second = gaps.argmin(axis=1)
    return Routed(clusters, second, np.clip(gaps[everyone, second], 0.0, 1.0))


def _share_gaps(shares: np.ndarray, clusters: np.ndarray) -> np.ndarray:
    shares = np.asarray(shares, dtype=np.float64)
    return np.take_along_axis(shares, clusters[:, None], axis=1) - shares


def _gaps(model: Any, X: Any, clusters: np.ndarray) -> np.ndarray:
    """How far from the border to each other cluster, on the line between the two centres.

    With d_j the distance to centre j: (d_j² - d_own²) / |c_j - c_own|².
    """
    space = np.asarray(model.embed(X) if model.embeds else X, dtype=np.float64)
    centres = np.asarray(model.centroids_, dtype=np.float64)
    # |x - c|² less |x|², which all centres share
    away = in_blocks(lambda some: (centres**2).sum(axis=1) - 2 * some @ centres.T, space)
    own = np.take_along_axis(away, clusters[:, None], axis=1)
    between = ((centres[:, None] - centres[None]) ** 2).sum(axis=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        gaps = (away - own) / between[clusters]
    gaps[:, np.isnan(centres).any(axis=1)] = np.inf  # an empty cluster is nobody's neighbour
    return np.where(np.isnan(gaps), 0.0, gaps)
