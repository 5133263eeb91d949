"""GRASP: what alike patients know is added to a patient's embedding (Zhang et al., AAAI 2021)."""

from __future__ import annotations

import math

import torch
from torch import nn
from torch.nn import functional

from cacviz.engine.deep import clustering as stages
from cacviz.engine.deep import losses
from cacviz.engine.deep.baselines.networked import JointStage, Networked
from cacviz.engine.deep.module import autoencoder_of
from cacviz.engine.deep.probes import kmeans_start

MOST_ROUNDS = 20  # of k-means in a batch
NEIGHBOURS = 20


class GraphLayer(nn.Module):
    """ReLU(A C W + b); A is not normalised, as in the original."""

    def __init__(self, width):
        super().__init__()
        bound = 1 / math.sqrt(width)
        self.weight = nn.Parameter(torch.empty(width, width).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(width).uniform_(-bound, bound))

    def forward(self, graph, nodes):
        return functional.relu(graph @ nodes @ self.weight + self.bias)


class GRASPNetwork(nn.Module):
    """Encoder, graph of cluster centres, and the gate between a patient and its cluster."""

    def __init__(self, n_inputs, n_values, s):
        super().__init__()
        self.autoencoder = autoencoder_of(n_inputs, n_values, s)
        self.first, self.second = GraphLayer(s.embedding), GraphLayer(s.embedding)
        self.known, self.own = nn.Linear(s.embedding, 1), nn.Linear(s.embedding, 1)
        self.norm = nn.BatchNorm1d(s.embedding)
        self.head = nn.Sequential(nn.Dropout(s.dropout), nn.Linear(s.embedding, s.n_classes))
        self.register_buffer("centroids", torch.zeros(s.n_clusters, s.embedding))
        self.register_buffer("graph", torch.eye(s.n_clusters))

    def embed(self, inputs):
        return self.autoencoder.encoder(inputs)

    def cluster(self, inputs):
        return losses.squared_distances(self.embed(inputs), self.centroids).argmin(dim=1)

    def proba(self, inputs):
        return self.logits(self.embed(inputs), self.centroids).softmax(dim=1)

    def logits(self, h, centres):
        knowledge = self.second(self.graph, self.first(self.graph, centres))
        u = self._chosen(functional.relu(h @ centres.T)) @ knowledge
        known, own = self.known(u).sigmoid(), self.own(h).sigmoid()
        weight = known / (known + own)
        return self.head(self._normed(weight * u + (1 - weight) * h))

    def _chosen(self, scores):
        """A cluster a patient: by chance while it learns (straight-through), else the likeliest."""
        if self.training:
            return functional.gumbel_softmax(scores, tau=1.0, hard=True)
        return functional.one_hot(scores.argmax(dim=1), scores.shape[1]).to(scores.dtype)

    def _normed(self, x):
        if self.training and len(x) == 1:  # one patient has no spread
            return functional.batch_norm(
                x, self.norm.running_mean, self.norm.running_var, self.norm.weight, self.norm.bias
            )
        return self.norm(x)


def lloyd(h, centres, *, most=MOST_ROUNDS):
    """Rounds of k-means from given centres until no patient moves; an empty cluster stays put.

    The centres carry gradients, as means of the patients in h.
    """
    start, fixed, labels = centres.detach(), h.detach(), None
    current = start
    for _ in range(most):
        nearest = losses.squared_distances(fixed, current).argmin(dim=1)
        if labels is not None and torch.equal(nearest, labels):
            break
        labels = nearest
        current = cluster_means(fixed, labels, start)
    return cluster_means(h, labels, start)


def cluster_means(h, labels, otherwise):
    """The mean of each cluster, or its row of `otherwise` where it has no patients."""
    member = functional.one_hot(labels, len(otherwise)).to(h.dtype)
    sizes = member.sum(dim=0)[:, None]
    return torch.where(sizes > 0, member.T @ h / sizes.clamp_min(1), otherwise)


def neighbour_graph(centres, *, most=NEIGHBOURS):
    """1 where a centre is among the nearest of another; itself only where it is alone."""
    k = len(centres)
    if k == 1:
        return torch.ones(1, 1)
    far = losses.squared_distances(centres, centres) + torch.diag(torch.full((k,), math.inf))
    nearest = far.topk(min(most, k - 1), largest=False).indices
    return torch.zeros(k, k).scatter_(1, nearest, 1.0)


class Grasping(JointStage):
    """End to end; centres are found anew in each batch, from those of all patients."""

    def __init__(self, *parts, epochs, seed):
        super().__init__(*parts, epochs=epochs)
        self.seed = seed

    def parameters(self):
        decoder = {id(p) for p in self.network.autoencoder.decoder.parameters()}
        return [p for p in self.network.parameters() if id(p) not in decoder]

    def begin(self):
        with torch.no_grad():
            h = self.network.embed(self.train.inputs)
            start = kmeans_start(h.numpy(), self.settings.n_clusters, self.seed)
            self.network.centroids.copy_(torch.from_numpy(start))

    def step(self, rows):
        h = self.network.embed(self.train.inputs[rows])
        centres = lloyd(h, self.network.centroids)
        return functional.cross_entropy(self.network.logits(h, centres), self.train.y[rows])

    def check(self, epoch):
        """Centres of all patients and their graph serve prediction: they are what is judged."""
        network = self.network
        network.centroids.copy_(lloyd(network.embed(self.train.inputs), network.centroids))
        network.graph.copy_(neighbour_graph(network.centroids))
        return super().check(epoch)


class GRASP(Networked):
    """Graph of clusters beside each patient's embedding; clusters are the nearest centres.

    Prediction uses centres of all training patients and no chance. (The original clusters the
    batch at hand and draws noise, also when it predicts.) Parameters as in `Networked`.
    """

    network_class = GRASPNetwork
    own_learning_rate, own_dropout = 1e-3, 0.5

    def _stages(self, train, held_out, seed, notes):
        # From scratch unless asked: a pre-trained encoder had .008 less AUC on PhysioNet 2012.
        settings, first = self._settings(len(train.y)), self.pretrain_epochs or 0
        yield stages.Pretraining(self.network_, train, settings, first).stage()
        yield Grasping(
            self.network_, train, held_out, settings, epochs=self.expert_epochs, seed=seed
        ).stage()

    def _proba(self, inputs):
        return self.network_.proba(inputs)
