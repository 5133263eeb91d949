"""DeepCAC's module and its first two stages: pre-train, cluster (hard or soft)."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import nn
from torch.nn import functional

from cacviz.engine import losses
from cacviz.engine.metrics import auprc_macro
from cacviz.engine.networks import Autoencoder, ExpertCommittee, LocalNetworks
from cacviz.engine.notes import subtype_name
from cacviz.engine.probes import kmeans_start, linear_probe, silhouette
from cacviz.engine.training import stage_of

FIRST_COUNT = 100.0  # DCN's start of the centroids' counts


class Patients(NamedTuple):
    """Prepared patients: what is read, what is reconstructed and where, the class codes."""

    inputs: torch.Tensor
    values: torch.Tensor
    measured: torch.Tensor
    y: torch.Tensor


class Settings(NamedTuple):
    """The numbers of a fit that the stages share."""

    n_clusters: int
    n_classes: int
    alpha: float
    beta: float
    margin: float
    scale: float
    batch_size: int
    learning_rate: float
    dropout: float
    n_members: int  # 0: no committee, the paper's local networks on the embedding
    hidden: int
    embedding: int
    expert_hidden: int


class DeepCACNetwork(nn.Module):
    """All that training changes: networks, centroids and their counts, class vectors."""

    def __init__(self, n_inputs, n_values, s):
        super().__init__()
        sizes = {"hidden": s.hidden, "embedding": s.embedding, "dropout": s.dropout}
        self.autoencoder = Autoencoder(n_inputs, n_values, **sizes)
        self.local = LocalNetworks(
            s.n_clusters, s.n_classes, embedding=s.embedding, hidden=s.expert_hidden
        )
        self.class_vectors = nn.Parameter(torch.randn(s.n_classes, s.embedding))
        self.centroids = nn.Parameter(torch.zeros(s.n_clusters, s.embedding))
        self.register_buffer("counts", torch.full((s.n_clusters,), FIRST_COUNT))
        # where and how wide each cluster lies: what its local network reads is standardised by it
        self.register_buffer("shift", torch.zeros(s.n_clusters, s.embedding))
        self.register_buffer("spread", torch.ones(s.n_clusters, s.embedding))
        # log odds of a cluster with one outcome or none: what its expert says instead
        self.register_buffer("fixed", torch.zeros(s.n_clusters, s.n_classes))
        self.register_buffer("is_fixed", torch.zeros(s.n_clusters, dtype=torch.bool))
        if s.n_members:
            size = (s.n_members, n_inputs, s.n_clusters, s.n_classes)
            self.committee = ExpertCommittee(*size, expert=s.expert_hidden, **sizes)
            self.averaged = ExpertCommittee(*size, expert=s.expert_hidden, **sizes)
            self.averaged.requires_grad_(False).load_state_dict(self.committee.state_dict())
            self.register_buffer("n_averaged", torch.zeros(()))

    def embed(self, inputs):
        return self.autoencoder.encoder(inputs)

    def expert_logits(self, z):
        """Logits of every local network for every patient: patients × k × c."""
        logits = self.local.standardised(z, self.shift, self.spread)
        return torch.where(self.is_fixed[:, None], self.fixed, logits)

    def hard_memberships(self, z):
        """1 for the nearest centroid, 0 elsewhere: the paper's routing."""
        nearest = losses.squared_distances(z, self.centroids).argmin(dim=1)
        return functional.one_hot(nearest, len(self.centroids)).to(z.dtype)


class Pretraining:
    """Stage 1: the autoencoder alone."""

    def __init__(self, network, train, settings, epochs):
        self.network, self.train, self.settings, self.epochs = network, train, settings, epochs

    def stage(self):
        return stage_of(self, "pretrain", self.network.autoencoder.parameters())

    def step(self, rows):
        x, values, measured, _ = (part[rows] for part in self.train)
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
            note = f"{subtype_name(j)} lost all its patients and was started anew"
            if not any(known.startswith(note) for known in self.notes):
                self.notes.append(f"{note} (first in epoch {epoch}).")
        return labels, sizes

    def _stage(self, parameters, **more):
        more |= {"watch": "validation_auprc", "min_epochs": self.epochs // 2}
        return stage_of(self, "cluster", parameters, **more)


class HardClustering(Clustering):
    """The paper's stage 2: network step, nearest centroid, online update of the centroids."""

    # The paper's beta = 20 stands before an unsquared norm in its authors' code. Before the squared
    # one it drowns the reconstruction (three quarters of the variance lost on CIC, and experts
    # with little left to read); a quarter of it keeps clusters apart and the patients in them.
    COMPACT = 0.25

    def stage(self):
        network = self.network
        parameters = [*network.autoencoder.parameters(), network.class_vectors]
        return self._stage(parameters, after_step=self.move_centroids)

    def step(self, rows):
        s = self.settings
        x, values, measured, y = (part[rows] for part in self.train)
        z, rebuilt = self.network.autoencoder(x)
        centroids = self.network.centroids.detach()
        labels = losses.squared_distances(z.detach(), centroids).argmin(dim=1)
        weights = losses.cluster_weights(labels, s.n_clusters)
        apart = losses.separation(z, y, self.network.class_vectors, margin=s.margin, scale=s.scale)
        terms = torch.stack(
            [
                losses.reconstruction(values, rebuilt, measured).mean(),
                (weights * losses.compactness(z, centroids, labels)).sum(),
                (weights * apart).sum(),
            ]
        )
        self.sums += terms.detach() * len(rows)
        self.batch = z.detach(), labels
        return self.total(terms, s.alpha, s.beta)

    @classmethod
    def total(cls, terms, alpha, beta):
        """Eq. 2: reconstruction, compactness and separation with their weights."""
        return terms[0] + cls.COMPACT * beta * terms[1] + alpha * terms[2]

    def move_centroids(self, rows):
        self.move(self.network, *self.batch)

    @staticmethod
    def move(network, z, labels):
        """Each centroid towards its new patients, by cumulative counts (DCN, closed form)."""
        member = functional.one_hot(labels, len(network.counts)).to(z.dtype)
        new = network.counts + member.sum(dim=0)
        total = torch.addmm(network.centroids * network.counts[:, None], member.T, z)
        network.centroids.copy_(total / new[:, None])
        network.counts.copy_(new)

    def validate(self, z, labels):
        """AUPRC of a linear probe per cluster: the local networks are not trained yet."""
        at = self.network.embed(self.validation.inputs)
        nearest = losses.squared_distances(at, self.network.centroids).argmin(dim=1)
        target = functional.one_hot(self.train.y, self.settings.n_classes).float()
        scores = linear_probe(z, target, labels, at, nearest, self.settings.n_clusters)
        return auprc_macro(self.validation.y.numpy(), scores.numpy())


class SoftClustering(Clustering):
    """Our stage 2: memberships and experts trained together, the experts' loss reaching z."""

    COMPACT, APART, BALANCE = 0.1, 0.02, 0.5  # beta = 20 gives 2, alpha = 5 gives 0.1

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
        s, network = self.settings, self.network
        x, values, measured, y = (part[rows] for part in self.train)
        z, rebuilt = network.autoencoder(x)
        member = losses.memberships(z, network.centroids)
        apart = losses.separation(z, y, network.class_vectors, margin=s.margin, scale=s.scale)
        terms = torch.stack(
            [
                losses.reconstruction(values, rebuilt, measured).mean() / values.shape[1],
                losses.divergence(losses.sharpened(member), member).mean(),
                apart.mean(),
            ]
        )
        self.sums += terms.detach() * len(rows)
        experts = losses.expert_loss(network.local(z), y, member).mean()
        balance = self.BALANCE * losses.imbalance(member)
        return self.total(terms, s.alpha, s.beta) + experts + balance

    @classmethod
    def total(cls, terms, alpha, beta):
        """Reconstruction, sharpness of memberships and separation with their weights."""
        return terms[0] + cls.COMPACT * beta * terms[1] + cls.APART * alpha * terms[2]

    def validate(self, z, labels):
        at = self.network.embed(self.validation.inputs)
        member = losses.memberships(at, self.network.centroids)
        proba = losses.mixture(self.network.local(at), member)
        return auprc_macro(self.validation.y.numpy(), proba.numpy())
