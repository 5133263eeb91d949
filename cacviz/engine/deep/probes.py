"""Quick looks at an embedding while it is trained: a k-means start, a linear probe, silhouette."""

from __future__ import annotations

import warnings

import numpy as np
import torch
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

SILHOUETTE_PATIENTS = 500
RIDGE = 1.0


def kmeans_start(z, n_clusters, seed, *, n_init=10):
    """Centroids of the best of several k-means runs.

    One thread: with more, scikit-learn adds partial sums in the order in which threads end, and
    the same seed would not give the same bits.
    """
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # fewer distinct patients than clusters
        model = KMeans(n_clusters, n_init=n_init, random_state=seed).fit(z)
    return model.cluster_centers_.astype(z.dtype)


def silhouette(z, labels, *, n_patients=SILHOUETTE_PATIENTS):
    """Mean silhouette of evenly picked patients; 0 with a single cluster."""
    pick = torch.linspace(0, len(z) - 1, min(n_patients, len(z))).long()
    z, labels = z[pick], labels[pick]
    present, labels = labels.unique(return_inverse=True)
    if len(present) < 2:
        return 0.0
    member = torch.nn.functional.one_hot(labels, len(present)).to(z.dtype)
    sizes = member.sum(dim=0)
    sums = torch.cdist(z, z) @ member
    own = sums.gather(1, labels[:, None]).squeeze(1) / (sizes[labels] - 1).clamp_min(1)
    other = (sums / sizes).masked_fill(member.bool(), np.inf).amin(dim=1)
    value = (other - own) / torch.maximum(own, other).clamp_min(1e-12)
    return value[sizes[labels] > 1].sum().item() / len(z)


def linear_probe(z, target, labels, z_new, labels_new, n_clusters):
    """Scores of new patients by a ridge regression of the one-hot outcome in each cluster."""
    shift, spread = z.mean(dim=0), z.std(dim=0).clamp_min(1e-6)
    z, z_new = ((part - shift) / spread for part in (z, z_new))
    z, z_new = (torch.hstack([part, torch.ones(len(part), 1)]) for part in (z, z_new))
    member = torch.nn.functional.one_hot(labels, n_clusters).to(z.dtype)
    weighted = member.T[:, :, None] * z
    gram = weighted.transpose(1, 2) @ z + RIDGE * torch.eye(z.shape[1])
    weights = torch.linalg.solve(gram, weighted.transpose(1, 2) @ target)
    return torch.einsum("nd,ndc->nc", z_new, weights[labels_new])
