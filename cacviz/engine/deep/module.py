"""DeepCAC's patients, its settings, and the module that holds all that training changes."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import nn
from torch.nn import functional

from cacviz.engine.deep import losses
from cacviz.engine.deep.networks import Autoencoder, Committee, LocalNetworks
from cacviz.engine.deep.sequences.networks import SeriesAutoencoder, SeriesShape
from cacviz.engine.deep.trees import BoostedTrees

FIRST_COUNT = 100.0  # DCN's start of the centroids' counts


class Patients(NamedTuple):
    """Prepared patients: what is read, what is reconstructed and where, classes and folds."""

    inputs: torch.Tensor
    values: torch.Tensor
    measured: torch.Tensor
    y: torch.Tensor
    fold: torch.Tensor

    def batch(self, rows):
        """Inputs, values, where they were measured, and classes of some patients."""
        return (part[rows] for part in self[:4])


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
    expert_dropout: float
    n_patterns: int  # of the inputs, how many say that something was not measured
    hidden: int
    embedding: int
    expert_hidden: int
    n_features: float  # how many values of a patient are reconstructed
    series: SeriesShape | None = None  # of the hours that follow the static inputs, where some do
    pace: float = 1.0  # of the networks that read them: LSTMs learn slowly, so they take more


def autoencoder_of(n_inputs, n_values, s):
    """The autoencoder of patients with hours, or of patients without."""
    sizes = {"hidden": s.hidden, "embedding": s.embedding, "dropout": s.dropout}
    if s.series is None:
        return Autoencoder(n_inputs, n_values, **sizes)
    return SeriesAutoencoder(n_inputs, s.series, **sizes)


class DeepCACNetwork(nn.Module):
    """All that training changes: networks, centroids and their counts, class vectors, trees.

    `weights` say how much each reading of the shared risk counts.
    """

    n_readings = 2

    def __init__(self, n_inputs, n_values, s):
        super().__init__()
        sizes = {"hidden": s.hidden, "embedding": s.embedding, "dropout": s.dropout}
        self.autoencoder = autoencoder_of(n_inputs, n_values, s)
        self.n_plain = n_inputs, n_values, s.n_patterns
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
            size = (s.n_members, n_inputs, s.n_classes)
            sizes |= {"dropout": s.expert_dropout, "expert": s.expert_hidden}
            self.committee, self.averaged = Committee(*size, **sizes), Committee(*size, **sizes)
            self.averaged.requires_grad_(False).load_state_dict(self.committee.state_dict())
            self.register_buffer("n_averaged", torch.zeros(()))
            self.trees = BoostedTrees(s.n_members, s.n_classes)
            self.register_buffer("weights", torch.eye(self.n_readings)[0])
            # linear paths, one that all share and one a cluster, and the share of what is below
            size = n_values + s.n_patterns + 1, s.n_classes
            for name, copies in (("common", 1), ("own", s.n_clusters)):
                self.register_buffer(name, torch.zeros(copies, *size, dtype=torch.float64))
                self.register_buffer(f"{name}_share", torch.ones((), dtype=torch.float64))

    def embed(self, inputs):
        return self.autoencoder.encoder(inputs)

    def expert_logits(self, z):
        """Logits of every local network for every patient: patients × k × c."""
        logits = self.local.standardised(z, self.shift, self.spread)
        return torch.where(self.is_fixed[:, None], self.fixed, logits)

    def static(self, inputs):
        """What is read of a patient apart from its hours, where there are any."""
        return inputs[..., : self.n_plain[0]]

    def features(self, inputs):
        """The rank-normal static features, 0 where missing."""
        return inputs[:, : self.n_plain[1]]

    def plain(self, inputs):
        """What an expert's own path reads: features, what was not measured, and a constant."""
        n_inputs, n_values, n_patterns = self.n_plain
        absent = inputs[:, n_inputs - n_patterns : n_inputs]
        return torch.hstack([inputs[:, :n_values], absent, inputs.new_ones(len(inputs), 1)])

    def readings(self):
        """Who speaks of the shared risk, trees last: each gives logits, members × patients × c."""
        return self.read_by_networks, self.read_by_trees

    def read_by_networks(self, inputs):
        return self.averaged(self.static(inputs))

    def read_by_trees(self, inputs):
        return self.trees(self.for_trees(inputs))

    def for_trees(self, inputs):
        """Static features and what was not measured; a constant tells a tree nothing."""
        return self.plain(inputs.flatten(0, -2))[:, :-1].unflatten(0, inputs.shape[:-1])

    def shared(self, inputs):
        """Log risk that all patients share, by weight, member by member: each left out one fold."""
        heard = zip(self.weights.tolist(), self.readings(), strict=True)
        return sum(w * read(inputs).log_softmax(dim=-1) for w, read in heard if w > 0)

    def hard_memberships(self, z):
        """1 for the nearest centroid, 0 elsewhere: the paper's routing."""
        nearest = losses.squared_distances(z, self.centroids).argmin(dim=1)
        return functional.one_hot(nearest, len(self.centroids)).to(z.dtype)
