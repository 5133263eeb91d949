"""The patient map: UMAP of the embedding or of the prepared features, in the worker only."""

from __future__ import annotations

import warnings

import numpy as np

from cacviz.engine.insights.material import Material
from cacviz.engine.insights.types import PatientMap
from cacviz.engine.types import UNUSED

MOST = 10_000
NEIGHBOURS = 15
EPOCHS = 200


def map_run(material: Material) -> PatientMap:
    """The map of a run: of its embedding, or of the prepared features."""
    fitted, y = material.fitted, material.cohort.y
    return map_patients(
        material.space, material.space_kind, fitted.clusters, y, fitted.part, seed=material.seed
    )


def map_patients(space, kind, clusters, y, part, *, seed=0) -> PatientMap:
    """Positions of all patients with an outcome, or of a stratified sample of 10,000."""
    rows = np.flatnonzero(part != UNUSED)
    drawn = stratified_sample(rows, _strata(clusters[rows], y[rows]), MOST, seed)
    return PatientMap(drawn, umap_positions(space[drawn], seed=seed), kind, len(rows))


def stratified_sample(rows, strata, most, seed=0) -> np.ndarray:
    """At most so many rows, each stratum by its share and by at least one."""
    if len(rows) <= most:
        return rows
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(rows))
    order = order[np.argsort(strata[order], kind="stable")]  # shuffled within each stratum
    # evenly spaced along patients that are sorted by stratum: every share is kept
    places = np.linspace(0, len(rows) - 1, most).round().astype(int)
    return np.sort(rows[order[places]])


def _strata(clusters, y):
    return clusters * (y.max() + 1) + y


def umap_positions(space, *, seed=0) -> np.ndarray:
    """UMAP in two dimensions, the same for the same seed.

    Exact neighbours take a second and spare pynndescent, which compiles for half a minute in each
    new process; umap's three own kernels are cached on disk, which umap does not ask for itself.
    """
    if len(space) <= 3 * NEIGHBOURS or space.shape[1] < 2:
        return _flat(space)
    umap = _umap_with_cached_kernels()
    index, distance = _neighbours(space)
    rng = np.random.RandomState(seed)
    graph, _, _ = umap.fuzzy_simplicial_set(
        space, NEIGHBOURS, rng, "euclidean", knn_indices=index, knn_dists=distance
    )
    a, b = umap.find_ab_params(1.0, 0.1)
    positions, _ = umap.simplicial_set_embedding(
        *(space, graph, 2, 1.0, a, b, 1.0, 5, EPOCHS, "pca", rng, "euclidean", {}),
        *(False, {}, False),
        parallel=False,
    )
    return positions.astype(np.float32)


def _umap_with_cached_kernels():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ImportWarning)  # a part of it misses tensorflow
        from umap import layouts, umap_

    kernels = (
        umap_.smooth_knn_dist,
        umap_.compute_membership_strengths,
        layouts._nb_optimize_layout_euclidean_single_epoch,
    )
    for kernel in kernels:
        if not kernel.signatures:  # what is compiled already cannot be cached any more
            kernel.enable_caching()
    return umap_


def _neighbours(space):
    from sklearn.neighbors import NearestNeighbors

    search = NearestNeighbors(n_neighbors=NEIGHBOURS, algorithm="brute").fit(space)
    distance, index = search.kneighbors(space)
    return index.astype(np.int32), distance.astype(np.float32)


def _flat(space) -> np.ndarray:
    """Too few patients for neighbourhoods: principal components."""
    centred = np.column_stack([space - space.mean(axis=0), np.zeros((len(space), 2))])
    u, s, _ = np.linalg.svd(centred, full_matrices=False)
    flat = (u * s)[:, :2]
    missing = 2 - flat.shape[1]
    return np.pad(flat, ((0, 0), (0, missing))).astype(np.float32)


def place(map_: PatientMap, space, new) -> np.ndarray:
    """New patients on the map, each among its nearest mapped neighbours; needs no UMAP.

    `space` has the mapped patients (map_.rows) and `new` the new ones, both in the method's space.
    """
    near = min(NEIGHBOURS, len(space))
    squared = ((new**2).sum(1)[:, None] + (space**2).sum(1) - 2 * new @ space.T).clip(0)
    index = np.argpartition(squared, near - 1, axis=1)[:, :near]
    distance = np.sqrt(np.take_along_axis(squared, index, axis=1))
    # as UMAP places them first: the nearest counts fully, others by their extra distance
    extra = distance - distance.min(axis=1, keepdims=True)
    scale = np.maximum(extra.mean(axis=1, keepdims=True), 1e-9)
    weight = np.exp(-extra / scale)
    weight /= weight.sum(axis=1, keepdims=True)
    return np.einsum("ij,ijk->ik", weight, map_.positions[index]).astype(np.float32)
