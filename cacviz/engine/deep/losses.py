"""The terms of DeepCAC's loss (Eq. 2): one value per patient; the caller weighs and sums."""

from __future__ import annotations

import torch
from torch.nn import functional

TINY = 1e-12  # keeps the logarithm of a share finite


def reconstruction(x, rebuilt, measured):
    """Squared norm of what the decoder missed, over the features that were measured."""
    return ((x - rebuilt).square() * measured).sum(dim=1)


def squared_distances(z, centroids):
    """Squared Euclidean distance of every patient to every centroid: patients × k."""
    cross = torch.addmm(centroids.square().sum(dim=1), z, centroids.T, alpha=-2)
    return (cross + z.square().sum(dim=1, keepdim=True)).clamp_min(0)


def compactness(z, centroids, labels):
    """Squared distance of a patient to the centroid of its own cluster."""
    return (z - centroids[labels]).square().sum(dim=1)


def separation(z, y, class_vectors, *, margin, scale):
    """Additive-margin softmax (third term of Eq. 2): z must win its own class by `margin`."""
    cosine = functional.normalize(z) @ functional.normalize(class_vectors).T
    cosine = cosine - (margin * torch.eye(len(class_vectors)))[y]
    return functional.cross_entropy(scale * cosine, y, reduction="none")


def cluster_means(values, member):
    """Sum over clusters of a term's mean in each: SSE_j/(n_j - 1 + delta), delta = 1 (Eq. 2).

    `member` (patients × k) says who belongs; `values` are a number a patient, or one a cluster.
    """
    if values.dim() == 1:
        values = values[:, None]
    return ((member * values).sum(dim=0) / member.sum(dim=0).clamp_min(TINY)).sum()


def memberships(z, centroids):
    """Student-t memberships of every patient in every cluster: patients × k, rows sum to 1."""
    closeness = (1 + squared_distances(z, centroids)).reciprocal()
    return closeness / closeness.sum(dim=1, keepdim=True)


def routed(membership):
    """Memberships sharp enough to route by: to the fourth power, rows sum to 1."""
    power = membership.square().square()
    return power / power.sum(dim=1, keepdim=True)


@torch.no_grad()
def sharpened(membership):
    """The target of DEC: confident memberships gain, large clusters lose."""
    power = membership.square() / membership.sum(dim=0)
    return power / power.sum(dim=1, keepdim=True)


def divergence(target, membership):
    """KL divergence of a patient's memberships from their target."""
    return (target * (target.clamp_min(TINY).log() - membership.clamp_min(TINY).log())).sum(dim=1)


def imbalance(membership):
    """KL divergence of the mean membership from equal clusters: 0 when none dominates."""
    share = membership.mean(dim=0)
    return (share * (share * len(share)).clamp_min(TINY).log()).sum()


def expert_loss(logits, y, weights):
    """Cross-entropy of each expert, weighted by the patient's memberships; logits n × k × c."""
    n, k, _ = logits.shape
    each = functional.cross_entropy(
        logits.flatten(0, 1), y.repeat_interleave(k), reduction="none"
    ).view(n, k)
    return (each * weights).sum(dim=1)


def mixture(logits, weights):
    """Class probabilities of the experts' mixture; softmax first, so experts are comparable."""
    return torch.einsum("...nkc,nk->...nc", logits.softmax(dim=-1), weights)
