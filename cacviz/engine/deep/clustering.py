"""DeepCAC's first two stages: pre-train, cluster (hard or soft)."""

from __future__ import annotations

import torch
from torch.nn import functional

from cacviz.engine.deep import losses
from cacviz.engine.deep.module import FIRST_COUNT
from cacviz.engine.deep.probes import kmeans_start, linear_probe, silhouette
from cacviz.engine.deep.training import stage_of
from cacviz.engine.metrics import auprc_macro
from cacviz.engine.types import Note


class Pretraining:
    """Stage 1: the autoencoder alone."""

    def __init__(self, network, train, settings, epochs):
        self.network, self.train, self.settings, self.epochs = network, train, settings, epochs

    def stage(self):
        return stage_of(self, "pretrain", self.network.autoencoder.parameters())

    def step(self, rows):
        x, values, measured, _ = self.train.batch(rows)
        _, rebuilt = self.network.autoencoder(x)
        return losses.reconstruction(values, rebuilt, measured).mean()


def described(z, labels, y, settings):
    """What a history row says of the clusters: silhouette, sizes, shares of the classes."""
    k, c = settings.n_clusters, settings.n_classes
    counts = torch.bincount(labels * c + y, minlength=k * c).view(k, c)
    sizes = counts.sum(dim=1)
    ratios = counts / sizes.clamp_min(1)[:, None]
    row = {"silhouette": silhouette(z, labels), "sizes": sizes.tolist()}
    return row | {"ratios": ratios.tolist()}


class Clustering:
    """Stage 2, what both routings share: the k-means start, the history and the dead clusters."""

    terms: tuple[str, ...] = ("reconstruction", "compactness", "separation")

    def __init__(self, network, train, validation, settings, *, epochs, seed, notes):
        self.network, self.train, self.validation = network, train, validation
        self.settings, self.epochs, self.seed, self.notes = settings, epochs, seed, notes
        self.sums = torch.zeros(len(self.terms))

    def begin(self):
        z = self.network.embed(self.train.inputs).detach()
        start = kmeans_start(z.numpy(), self.settings.n_clusters, self.seed)
        with torch.no_grad():
            self.network.centroids.copy_(torch.from_numpy(start))

    def check(self, epoch):
        z = self.network.embed(self.train.inputs)
        labels = losses.squared_distances(z, self.network.centroids).argmin(dim=1)
        sizes = torch.bincount(labels, minlength=self.settings.n_clusters)
        labels, sizes = self._revive(z, labels, sizes, epoch)
        row = dict(zip(self.terms, (self.sums / len(z)).tolist(), strict=True))
        self.sums.zero_()
        row |= described(z, labels, self.train.y, self.settings)
        row["validation_auprc"] = self.validate(z, labels)
        return row

    def _revive(self, z, labels, sizes, epoch):
        """Put the centroid of an empty cluster on the patient farthest from its own (2.4)."""
        for j in torch.nonzero(sizes == 0).flatten().tolist():
            far = losses.compactness(z, self.network.centroids, labels).argmax()
            self.network.centroids[j] = z[far]
            self.network.counts[j] = FIRST_COUNT
            labels = losses.squared_distances(z, self.network.centroids).argmin(dim=1)
            sizes = torch.bincount(labels, minlength=len(sizes))
            if not any(n.code == "revived" and n.values["cluster"] == j for n in self.notes):
                self.notes.append(Note("revived", "hint", {"cluster": j, "epoch": epoch}))
        return labels, sizes

    def _stage(self, parameters, **more):
        more |= {"watch": "validation_auprc", "min_epochs": self.epochs // 2}
        return stage_of(self, "cluster", parameters, **more)


def paper_loss(terms, alpha, beta):
    """Eq. 2: what the decoder missed + beta · compactness + alpha · separation, as typed."""
    return terms[0] + beta * terms[1] + alpha * terms[2]


class OutcomeClustering(Clustering):
    """Stage 2 of DeepCAC: starts from k-means of the features; Eq. 2 by memberships."""

    def begin(self):
        """Centroids are the embedding's means in k-means clusters of the patients' features.

        Distances in a fresh embedding are arbitrary: k-means there missed planted subtypes.
        """
        features = self.network.features(self.train.inputs).contiguous()
        k, seed = self.settings.n_clusters, self.seed
        start = torch.from_numpy(kmeans_start(features.numpy(), k, seed))
        labels = losses.squared_distances(features, start).argmin(dim=1)
        member = functional.one_hot(labels, len(start)).float()
        with torch.no_grad():
            z = self.network.embed(self.train.inputs)
            means = member.T @ z / member.sum(dim=0).clamp_min(1)[:, None]
            self.network.centroids.copy_(means)

    def terms_of(self, z, rebuilt, batch, member, tight):
        """The three terms of Eq. 2; the separation is the sum over clusters of its mean in each."""
        s, (_, values, measured, y) = self.settings, batch
        apart = losses.separation(z, y, self.network.class_vectors, margin=s.margin, scale=s.scale)
        missed = losses.reconstruction(values, rebuilt, measured).mean()
        terms = missed, tight, losses.cluster_means(apart, member)
        self.sums += torch.stack([term.detach() for term in terms]) * len(y)
        return terms


class HardClustering(OutcomeClustering):
    """The paper's stage 2: network step, nearest centroid, online update of the centroids.

    An online update moves centroids by the embedding from before the step, and they lag behind an
    embedding that contracts: after each epoch they are put on their patients' means.
    """

    def stage(self):
        network = self.network
        parameters = [*network.autoencoder.parameters(), network.class_vectors]
        return self._stage(parameters, after_step=self.move_centroids)

    def step(self, rows):
        s, batch = self.settings, tuple(self.train.batch(rows))
        z, rebuilt = self.network.autoencoder(batch[0])
        distances = losses.squared_distances(z, self.network.centroids.detach())
        labels = distances.detach().argmin(dim=1)
        member = functional.one_hot(labels, s.n_clusters).to(z.dtype)
        self.batch = z.detach(), labels
        tight = losses.cluster_means(distances, member)
        return paper_loss(self.terms_of(z, rebuilt, batch, member, tight), s.alpha, s.beta)

    def check(self, epoch):
        self.renew()
        return super().check(epoch)

    def renew(self):
        """Each centroid to the mean of its patients; an empty cluster's stays."""
        z = self.network.embed(self.train.inputs)
        member = self.network.hard_memberships(z)
        sizes = member.sum(dim=0)[:, None]
        means = member.T @ z / sizes.clamp_min(1)
        self.network.centroids.copy_(torch.where(sizes > 0, means, self.network.centroids))

    def move_centroids(self, rows):
        move(self.network, *self.batch)

    def validate(self, z, labels):
        return probe(self, z, labels)


def move(network, z, labels):
    """Each centroid towards its new patients, by cumulative counts (DCN, closed form)."""
    member = functional.one_hot(labels, len(network.counts)).to(z.dtype)
    new = network.counts + member.sum(dim=0)
    total = torch.addmm(network.centroids * network.counts[:, None], member.T, z)
    network.centroids.copy_(total / new[:, None])
    network.counts.copy_(new)


def probe(part, z, labels):
    """AUPRC of a linear probe per cluster: the local networks are not trained yet."""
    at = part.network.embed(part.validation.inputs)
    nearest = losses.squared_distances(at, part.network.centroids).argmin(dim=1)
    target = functional.one_hot(part.train.y, part.settings.n_classes).float()
    scores = linear_probe(z, target, labels, at, nearest, part.settings.n_clusters)
    return auprc_macro(part.validation.y.numpy(), scores.numpy())


class SoftClustering(OutcomeClustering):
    """Our stage 2: memberships and experts trained together, the experts' loss reaching z.

    Eq. 2 by membership and divided by the number of features; in place of the squared distance
    stands, for each feature, the divergence of memberships from sharper ones. (By distance, soft
    memberships shrink the embedding to a point and planted subtypes are lost.) Ours adds clusters
    that stay balanced and local networks whose loss shapes the embedding.
    """

    BALANCE = 0.5

    def stage(self):
        network = self.network
        parameters = [
            *network.autoencoder.parameters(),
            *network.local.parameters(),
            network.class_vectors,
            network.centroids,
        ]
        return self._stage(parameters, weight_decay=1e-3)

    def step(self, rows):
        s, network, batch = self.settings, self.network, tuple(self.train.batch(rows))
        z, rebuilt = network.autoencoder(batch[0])
        member = losses.memberships(z, network.centroids)
        tight = s.n_features * losses.divergence(losses.sharpened(member), member).mean()
        terms = self.terms_of(z, rebuilt, batch, member.detach(), tight)
        experts = losses.expert_loss(network.local(z), batch[3], member).mean()
        ours = experts + self.BALANCE * losses.imbalance(member)
        return paper_loss(terms, s.alpha, s.beta) / s.n_features + ours

    def validate(self, z, labels):
        at = self.network.embed(self.validation.inputs)
        member = losses.memberships(at, self.network.centroids)
        proba = losses.mixture(self.network.local(at), member)
        return auprc_macro(self.validation.y.numpy(), proba.numpy())
