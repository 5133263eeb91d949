"""Separation scores by patient, and what plain k-means reaches in the same space."""

from __future__ import annotations

import numpy as np
from sklearn.cluster import KMeans

from cacviz.engine.insights.material import Material
from cacviz.engine.insights.types import Silhouettes
from cacviz.engine.scoring.silhouettes import sample_rows, silhouette_samples


def separate_run(material: Material) -> Silhouettes | None:
    """Separation scores of a run's training patients in the space of its method."""
    return silhouettes_by_patient(
        material.space,
        material.fitted.clusters,
        material.train,
        material.n_clusters,
        seed=material.seed,
    )


def silhouettes_by_patient(space, clusters, train, n_clusters, *, seed=0) -> Silhouettes | None:
    """Silhouette of each training patient, exact up to 10,000, a seeded sample above.

    None where there is one subtype only.
    """
    present = len(np.unique(clusters[train]))
    if n_clusters < 2 or present < 2:
        return None
    rows = train[sample_rows(len(train), seed)]
    inside = np.ascontiguousarray(space[rows], dtype=np.float64)
    found = clusters[rows].astype(np.int64)
    plain = KMeans(n_clusters, n_init=10, random_state=seed).fit_predict(inside).astype(np.int64)
    values, kmeans = silhouette_samples(inside, [found, plain], n_clusters)
    return Silhouettes(
        rows=rows,
        clusters=found,
        values=values.astype(np.float32),
        mean=float(values.mean()),
        kmeans=float(kmeans.mean()),
        n=len(train),
    )
