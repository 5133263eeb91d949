"""What the baselines share: network sizes and epochs, and the three of cluster-then-predict."""

from __future__ import annotations

from torch import nn

from cacviz.engine.deep import clustering as stages
from cacviz.engine.deep import experts as expert_stages
from cacviz.engine.deep import losses, module
from cacviz.engine.deep.estimator import StagedClassifier, batch_size, epochs_for
from cacviz.engine.deep.training import stage_of
from cacviz.engine.metrics import auprc_macro
from cacviz.engine.protocol import at_least, between, positive

PRETRAIN_EPOCHS, EPOCHS = 40, 40


class Networked(StagedClassifier):
    """A baseline: the settings of networks and training that all of them take.

    Parameters
    ----------
    n_clusters : int, default=3
    pretrain_epochs, epochs : int or None
        Epochs of the first stage and of the clustering; None is 40 and 40, fewer beyond 5,000
        patients.
    expert_epochs : int, default=60
        The most epochs of the last stage; validation patients end it.
    batch_size, learning_rate, dropout : of every stage; None is the method's own.
    hidden, embedding, expert_hidden : widths of the networks; AC-TPC and GRASP have no local
        networks, so that the last means nothing to them.
    random_state : int, RandomState or None
    """

    _parameter_constraints = {
        "n_clusters": [at_least(1)],
        "pretrain_epochs": [at_least(0), None],
        "epochs": [at_least(1), None],
        "expert_epochs": [at_least(1)],
        "batch_size": [at_least(1)],
        "learning_rate": [positive(), None],
        "dropout": [between(0, 0.95), None],
        "hidden": [at_least(1)],
        "embedding": [at_least(1)],
        "expert_hidden": [at_least(1)],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters=3,
        *,
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
        self.n_clusters = n_clusters
        self.pretrain_epochs = pretrain_epochs
        self.epochs = epochs
        self.expert_epochs = expert_epochs
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.dropout = dropout
        self.hidden = hidden
        self.embedding = embedding
        self.expert_hidden = expert_hidden
        self.random_state = random_state

    network_class: type[nn.Module] = module.DeepCACNetwork
    own_learning_rate, own_dropout = 2e-3, 0.0

    def _build(self, n_patients):
        sizes = self.codes_.n_inputs, self.codes_.n_values
        self.network_ = self.network_class(*sizes, self._settings(n_patients))

    def _settings(self, n_patients):
        return module.Settings(
            n_clusters=self.n_clusters,
            n_classes=len(self.classes_),
            alpha=0.0,
            beta=0.0,
            margin=0.0,
            scale=1.0,
            batch_size=batch_size(n_patients, self.batch_size),
            learning_rate=self.learning_rate or self.own_learning_rate,
            dropout=self.own_dropout if self.dropout is None else self.dropout,
            n_members=0,
            expert_dropout=0.0,
            n_patterns=0,
            hidden=self.hidden,
            embedding=self.embedding,
            expert_hidden=self.expert_hidden,
            n_features=self.codes_.n_features,
        )

    def _epochs(self, n_patients):
        """Epochs of the first and of the second stage."""
        first = epochs_for(self.pretrain_epochs, PRETRAIN_EPOCHS, n_patients)
        return first, epochs_for(self.epochs, EPOCHS, n_patients)

    def _cluster_notes(self, y):
        return expert_stages.empty_notes(self.labels_, self.n_clusters)


class ClusterThenPredict(Networked):
    """Autoencoder, clusters of its embedding, a local network each: never shown the outcome.

    A new patient goes to the nearest centroid. (The authors' code sends k-means' test patients to
    the farthest; METHODS: finding 3.)
    """

    clustering_class: type[stages.Clustering]

    def _stages(self, train, held_out, seed, notes):
        settings, (first, second) = self._settings(len(train.y)), self._epochs(len(train.y))
        yield stages.Pretraining(self.network_, train, settings, first).stage()
        yield self.clustering_class(
            self.network_, train, held_out, settings, epochs=second, seed=seed, notes=notes
        ).stage()
        yield expert_stages.LocalExperts(
            self.network_, train, held_out, settings, epochs=self.expert_epochs
        ).stage()

    def _proba(self, inputs):
        z = self.network_.embed(inputs)
        return losses.mixture(self.network_.expert_logits(z), self.network_.hard_memberships(z))

    def _cluster_notes(self, y):
        return expert_stages.one_outcome_notes(self.labels_, y, self.n_clusters)


class JointStage:
    """A stage that trains a classifier end to end and keeps the epoch best on validation.

    A subclass gives `parameters`, `step(rows)` and, by the network, `proba(inputs)` and
    `cluster(inputs)`.
    """

    phase = "experts"
    patience = 10

    def __init__(self, network, train, validation, settings, *, epochs):
        self.network, self.train, self.validation = network, train, validation
        self.settings, self.epochs = settings, epochs

    def parameters(self):
        return list(self.network.parameters())

    def stage(self, **more):
        more |= {"watch": "validation_auprc", "patience": self.patience, "weight_decay": 1e-3}
        return stage_of(self, self.phase, self.parameters(), **more)

    def check(self, epoch):
        inputs = self.train.inputs
        z, labels = self.network.embed(inputs), self.network.cluster(inputs)
        row = stages.described(z, labels, self.train.y, self.settings)
        return row | {"validation_auprc": self.validate()}

    def validate(self):
        proba = self.network.proba(self.validation.inputs)
        return auprc_macro(self.validation.y.numpy(), proba.numpy())
