"""AC-TPC: actor-critic predictive clustering (ICML 2020)."""

from __future__ import annotations

import math
from numbers import Real

import numpy as np
import torch
from torch import nn
from torch.func import functional_call
from torch.nn import functional

from cacviz.engine.deep import losses
from cacviz.engine.deep.baselines.networked import JointStage, Networked
from cacviz.engine.deep.probes import kmeans_start
from cacviz.engine.deep.sequences.networks import SeriesEncoder
from cacviz.engine.deep.training import stage_of
from cacviz.engine.metrics import auprc_macro
from cacviz.engine.protocol import at_least, one_of
from cacviz.engine.types import Note

WIDE = 64  # hidden units of selector and predictor
COLLAPSED = 0.99  # of the training patients in one cluster
INSIDE = 0.999  # embeddings start within the open interval that tanh reaches


def _network(n_in, wide, n_out, dropout):
    layers = [nn.Linear(n_in, wide), nn.ReLU(), nn.Dropout(dropout)]
    layers += [nn.Linear(wide, wide), nn.ReLU(), nn.Dropout(dropout)]
    return nn.Sequential(*layers, nn.Linear(wide, n_out))


def _encoder(n_inputs, s):
    if s.series is not None:  # its embedding is within (-1, 1) by itself
        sizes = {"hidden": s.hidden, "embedding": s.embedding, "dropout": s.dropout}
        return SeriesEncoder(n_inputs, s.series, **sizes)
    layers = [nn.Linear(n_inputs, s.hidden), nn.ReLU(), nn.Dropout(s.dropout)]
    return nn.Sequential(*layers, nn.Linear(s.hidden, s.embedding), nn.Tanh())


class ACTPCNetwork(nn.Module):
    """Encoder into (-1, 1), selector of clusters, predictor, and an embedding a cluster."""

    def __init__(self, n_inputs, n_values, s):
        super().__init__()
        self.encoder = _encoder(n_inputs, s)
        self.selector = _network(s.embedding, WIDE, s.n_clusters, s.dropout)
        self.predictor = _network(s.embedding, WIDE, s.n_classes, s.dropout)
        self.raw = nn.Parameter(torch.zeros(s.n_clusters, s.embedding))

    @property
    def centroids(self):
        return self.raw.tanh()

    def embed(self, inputs):
        return self.encoder(inputs)

    def memberships(self, z):
        return self.selector(z).softmax(dim=1)

    def proba(self, inputs):
        """Soft: sum over k of pi_k(x) g(e_k)."""
        risks = self.predictor(self.centroids).softmax(dim=1)
        return self.memberships(self.embed(inputs)) @ risks

    def cluster(self, inputs):
        return self.selector(self.embed(inputs)).argmax(dim=1)


class PredictorStart(JointStage):
    """Stage 1: encoder and predictor alone, as a plain classifier."""

    phase = "pretrain"
    patience = 5

    def parameters(self):
        return [*self.network.encoder.parameters(), *self.network.predictor.parameters()]

    def step(self, rows):
        logits = self.network.predictor(self.network.embed(self.train.inputs[rows]))
        return functional.cross_entropy(logits, self.train.y[rows])

    def check(self, epoch):
        return {"validation_auprc": self.validate()}

    def validate(self):
        network, patients = self.network, self.validation
        proba = network.predictor(network.embed(patients.inputs)).softmax(dim=1)
        return auprc_macro(patients.y.numpy(), proba.numpy())


class SelectorStart:
    """Stage 2: clusters of patients with alike predictions, which the selector learns."""

    def __init__(self, network, train, settings, *, epochs, seed):
        self.network, self.train, self.settings = network, train, settings
        self.epochs, self.seed = epochs, seed

    def stage(self):
        with torch.no_grad():
            self.z = self.network.eval().embed(self.train.inputs)
            self.risks = self.network.predictor(self.z).softmax(dim=1)
        centres = kmeans_start(self.risks.numpy(), self.settings.n_clusters, self.seed)
        self.gaps = torch.cdist(self.risks, torch.from_numpy(centres), p=1)
        self.start = self.gaps.argmin(dim=1)
        return stage_of(self, "cluster", self.network.selector.parameters())

    def begin(self):
        """A cluster's embedding is that of the patient whose prediction is nearest its centre."""
        nearest = self.z[self.gaps.argmin(dim=0)]
        with torch.no_grad():
            self.network.raw.copy_(nearest.clamp(-INSIDE, INSIDE).atanh())

    def step(self, rows):
        return functional.cross_entropy(self.network.selector(self.z[rows]), self.start[rows])


class ActorCritic(JointStage):
    """Stage 3: selector and encoder (actor), predictor (critic) and embeddings together.

    k is small, so the expectation over the sampled cluster is taken exactly: the sum over k of
    pi_k · CE(y, g(e_k)) has the gradients of all three of the paper's updates at once. What
    clusters can explain is the entropy of the outcome, so the weight of a patient's own entropy is
    a share of it: with 6% events a fixed weight empties all clusters but one. The start may stay
    the best.
    """

    def __init__(self, *parts, epochs):
        super().__init__(*parts, epochs=epochs)
        self.undecided = self.settings.alpha * outcome_entropy(self.train.y, self.settings)

    def stage(self, **more):
        return super().stage(start_counts=True, **more)

    def step(self, rows):
        network, s = self.network, self.settings
        member = network.memberships(network.embed(self.train.inputs[rows]))
        log_risks = network.predictor(network.centroids).log_softmax(dim=1)
        loss = -(member * log_risks[:, self.train.y[rows]].T).sum(dim=1).mean()
        return loss + self.undecided * entropy(member).mean() - s.beta * self.separation()

    def separation(self):
        """How unlike the clusters' predictions are; reaches the embeddings only."""
        frozen = {k: v.detach() for k, v in self.network.predictor.named_parameters()}
        logits = functional_call(self.network.predictor, frozen, (self.network.centroids,))
        return mean_pair_cross_entropy(logits)


def outcome_entropy(y, settings):
    """Entropy of the outcome as a share of the most it could be: 1 where classes are equal."""
    shares = torch.bincount(y, minlength=settings.n_classes) / len(y)
    return (entropy(shares[None]) / math.log(settings.n_classes)).item()


def entropy(member):
    """Entropy of each patient's memberships."""
    return -(member * member.clamp_min(losses.TINY).log()).sum(dim=1)


def mean_pair_cross_entropy(logits):
    """Mean over pairs k < l of CE(g(e_k), g(e_l)); 0 for one cluster, finite for two.

    The original divides by (K-1)(K-2), which is 0 for two clusters (finding 9).
    """
    k = len(logits)
    if k < 2:
        return logits.new_zeros(())
    cross = -logits.softmax(dim=1) @ logits.log_softmax(dim=1).T
    return cross.triu(diagonal=1).sum() / (k * (k - 1) / 2)


class ACTPC(Networked):
    """Actor-critic predictive clustering: a patient's risk is that of its cluster.

    Parameters as in `Networked`, and
    alpha : weight of the entropy of a patient's memberships, times the outcome's own (0 to 1).
    beta : weight of the separation of clusters' predictions.
    routing : "soft" mixes clusters' risks by membership; "hard" takes the likeliest cluster's, so
        that there are only n_clusters different risks.
    """

    network_class = ACTPCNetwork
    own_learning_rate, own_dropout = 1e-3, 0.3
    _parameter_constraints = Networked._parameter_constraints | {
        "alpha": [at_least(0, Real)],
        "beta": [at_least(0, Real)],
        "routing": [one_of("hard", "soft")],
    }

    def __init__(
        self,
        n_clusters=3,
        *,
        alpha=0.1,
        beta=0.001,
        routing="soft",
        pretrain_epochs=None,
        epochs=None,
        expert_epochs=60,
        batch_size=256,
        learning_rate=None,
        dropout=None,
        hidden=64,
        embedding=32,
        expert_hidden=30,
        random_state=None,
    ):
        super().__init__(
            n_clusters,
            pretrain_epochs=pretrain_epochs,
            epochs=epochs,
            expert_epochs=expert_epochs,
            batch_size=batch_size,
            learning_rate=learning_rate,
            dropout=dropout,
            hidden=hidden,
            embedding=embedding,
            expert_hidden=expert_hidden,
            random_state=random_state,
        )
        self.alpha = alpha
        self.beta = beta
        self.routing = routing

    def membership(self, X):
        """The selector: how far each patient belongs to each cluster; rows sum to 1."""
        return self._by_chunk(X, lambda x: self.network_.memberships(self.network_.embed(x)))

    def shares(self, X):
        """The same: the largest decides."""
        return self.membership(X)

    def _settings(self, n_patients):
        return super()._settings(n_patients)._replace(alpha=self.alpha, beta=self.beta)

    def _stages(self, train, held_out, seed, notes):
        settings, (first, second) = self._settings(len(train.y)), self._epochs(len(train.y))
        parts = self.network_, train, held_out, settings
        yield PredictorStart(*parts, epochs=first).stage()
        yield SelectorStart(self.network_, train, settings, epochs=second, seed=seed).stage()
        yield ActorCritic(*parts, epochs=self.expert_epochs).stage()

    def _proba(self, inputs):
        if self.routing == "soft":
            return self.network_.proba(inputs)
        risks = self.network_.predictor(self.network_.centroids).softmax(dim=1)
        return risks[self._cluster(inputs)]

    def _cluster(self, inputs):
        return self.network_.cluster(inputs)

    def _cluster_notes(self, y):
        share = np.bincount(self.labels_).max() / len(self.labels_)
        collapsed = self.n_clusters > 1 and share >= COLLAPSED
        notes = [Note("collapsed selector", "grave", {"share": float(share)})] if collapsed else []
        return notes + super()._cluster_notes(y)
