"""DMNN: a mixture of experts on an autoencoder's embedding (Li, Zhu, Levy, AMIA 2020)."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from cacviz.engine.deep import clustering as stages
from cacviz.engine.deep import losses
from cacviz.engine.deep.baselines.networked import JointStage, Networked
from cacviz.engine.deep.networks import Autoencoder, LocalNetworks
from cacviz.engine.deep.probes import kmeans_start
from cacviz.engine.deep.training import stage_of

NOISE = 0.05  # standard deviation, on the inputs of the denoising autoencoder


class DMNNNetwork(nn.Module):
    """Autoencoder, a gate and k experts; `centroids` are the clusters' means, once found."""

    def __init__(self, n_inputs, n_values, s):
        super().__init__()
        sizes = {"hidden": s.hidden, "embedding": s.embedding}
        self.autoencoder = Autoencoder(n_inputs, n_values, dropout=s.dropout, **sizes)
        self.gate = nn.Linear(s.embedding, s.n_clusters)
        self.local = LocalNetworks(
            s.n_clusters, s.n_classes, embedding=s.embedding, hidden=s.expert_hidden
        )
        self.register_buffer("centroids", torch.zeros(s.n_clusters, s.embedding))

    def embed(self, inputs):
        return self.autoencoder.encoder(inputs)

    def memberships(self, z):
        return self.gate(z).softmax(dim=1)

    def proba(self, inputs):
        """The mixture of the experts' probabilities: sum over k of g_k(z) p_k(y | z)."""
        z = self.embed(inputs)
        return losses.mixture(self.local(z), self.memberships(z))

    def cluster(self, inputs):
        return self.gate(self.embed(inputs)).argmax(dim=1)


class Denoising(stages.Pretraining):
    """Stage 1: rebuild patients from inputs with a little noise."""

    def step(self, rows):
        x, values, measured, _ = self.train.batch(rows)
        _, rebuilt = self.network.autoencoder(x + NOISE * torch.randn_like(x))
        return losses.reconstruction(values, rebuilt, measured).mean()


class GateStart:
    """Stage 2: the gate learns the k-means clusters of the embedding, which is held still."""

    def __init__(self, network, train, settings, *, epochs, seed):
        self.network, self.train, self.settings = network, train, settings
        self.epochs, self.seed = epochs, seed

    def stage(self):
        with torch.no_grad():
            self.z = self.network.eval().embed(self.train.inputs)
        start = kmeans_start(self.z.numpy(), self.settings.n_clusters, self.seed)
        self.start = losses.squared_distances(self.z, torch.from_numpy(start)).argmin(dim=1)
        return stage_of(self, "cluster", self.network.gate.parameters())

    def step(self, rows):
        return functional.cross_entropy(self.network.gate(self.z[rows]), self.start[rows])

    def check(self, epoch):
        labels = self.network.gate(self.z).argmax(dim=1)
        agreement = (labels == self.start).float().mean().item()
        row = stages.described(self.z, labels, self.train.y, self.settings)
        return row | {"gate_agreement": agreement}


class Mixture(JointStage):
    """Stage 3: everything end to end, on the mixture's probability of the true class."""

    def parameters(self):
        network = self.network
        parts = (network.autoencoder.encoder, network.gate, network.local)
        return [p for part in parts for p in part.parameters()]

    def step(self, rows):
        proba = self.network.proba(self.train.inputs[rows])
        return functional.nll_loss(proba.clamp_min(losses.TINY).log(), self.train.y[rows])

    def check(self, epoch):
        row = super().check(epoch)
        z = self.network.embed(self.train.inputs)
        member = functional.one_hot(self.network.gate(z).argmax(dim=1), self.settings.n_clusters)
        member = member.to(z.dtype)
        means = member.T @ z / member.sum(dim=0).clamp_min(1)[:, None]
        self.network.centroids.copy_(means)
        return row


class DMNN(Networked):
    """Deep mixture neural network: softmax gate over experts; clusters are the gate's argmax.

    Denoising autoencoder, gate started on k-means clusters, then all of it end to end on the
    mixture of probabilities. (The authors' code shows the experts the first rows only and mixes
    logits; finding 4.) Parameters as in `Networked`.
    """

    network_class = DMNNNetwork
    own_learning_rate, own_dropout = 1e-3, 0.3

    def membership(self, X):
        """The gate: how far each patient belongs to each cluster; rows sum to 1."""
        return self._by_chunk(X, lambda x: self.network_.memberships(self.network_.embed(x)))

    def shares(self, X):
        """The same: the largest decides."""
        return self.membership(X)

    def _stages(self, train, held_out, seed, notes):
        settings, (first, second) = self._settings(len(train.y)), self._epochs(len(train.y))
        yield Denoising(self.network_, train, settings, first).stage()
        yield GateStart(self.network_, train, settings, epochs=second, seed=seed).stage()
        yield Mixture(self.network_, train, held_out, settings, epochs=self.expert_epochs).stage()

    def _proba(self, inputs):
        return self.network_.proba(inputs)

    def _cluster(self, inputs):
        return self.network_.cluster(inputs)
