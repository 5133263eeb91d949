"""DeepCAC: pre-train an autoencoder, cluster its embedding by outcome, fit an expert a cluster."""

from __future__ import annotations

from numbers import Real

from cacviz.engine import expert_stages, losses, stages
from cacviz.engine.staged import StagedClassifier, batch_size, epochs_for
from cacviz.engine.validation import at_least, between, one_of, positive

PRETRAIN_EPOCHS, EPOCHS = 20, 40
LEARNING_RATE = {"hard": 2e-3, "soft": 1e-3}


class DeepCAC(StagedClassifier):
    """Clustering-aware classification in a learned embedding (paper, section 4).

    Parameters
    ----------
    n_clusters : int, default=3
    alpha : float, default=5
        Weight of the separation of outcomes in the embedding.
    beta : float, default=20
        Weight of the compactness of clusters.
    routing : {"soft", "hard"}, default="soft"
        "hard" is the paper: a patient's risk comes from the expert of the nearest centroid alone.
        "soft" is ours: experts learn from memberships, their loss shapes the embedding, and the
        risk is the mixture of the experts by membership. Soft is the default because it scored
        higher on held-out patients of CIC and CIC-LoS (benchmarks/README.md).
    pretrain_epochs, epochs : int or None
        Epochs of the first two stages; None is 20 and 40, fewer beyond 5,000 patients.
    expert_epochs : int, default=60
        The most epochs of the experts' stage; validation patients end it.
    learning_rate : float or None
        None is 0.002 for hard routing (the paper's) and 0.001 for soft.
    n_members : int, default=4
        Networks averaged in each expert of soft routing.
    random_state : int, RandomState or None

    Attributes
    ----------
    labels_ : cluster of each training patient.
    centroids_ : n_clusters × embedding array.
    classes_ : the outcome's classes.
    history_ : list of dict, a row an epoch.
    notes_ : list of sentences on clusters that needed care.
    """

    _parameter_constraints = {
        "n_clusters": [at_least(1)],
        "alpha": [at_least(0, Real)],
        "beta": [at_least(0, Real)],
        "routing": [one_of("hard", "soft")],
        "pretrain_epochs": [at_least(0), None],
        "epochs": [at_least(1), None],
        "expert_epochs": [at_least(1)],
        "batch_size": [at_least(1)],
        "learning_rate": [positive(), None],
        "margin": [at_least(0, Real)],
        "scale": [positive()],
        "dropout": [between(0, 0.95)],
        "n_members": [at_least(1)],
        "hidden": [at_least(1)],
        "embedding": [at_least(1)],
        "expert_hidden": [at_least(1)],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters=3,
        *,
        alpha=5,
        beta=20,
        routing="soft",
        pretrain_epochs=None,
        epochs=None,
        expert_epochs=60,
        batch_size=256,
        learning_rate=None,
        margin=0.4,
        scale=30,
        dropout=0.3,
        n_members=4,
        hidden=64,
        embedding=32,
        expert_hidden=30,
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.alpha = alpha
        self.beta = beta
        self.routing = routing
        self.pretrain_epochs = pretrain_epochs
        self.epochs = epochs
        self.expert_epochs = expert_epochs
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.margin = margin
        self.scale = scale
        self.dropout = dropout
        self.n_members = n_members
        self.hidden = hidden
        self.embedding = embedding
        self.expert_hidden = expert_hidden
        self.random_state = random_state

    def membership(self, X):
        """How far each patient belongs to each cluster: patients × k, rows sum to 1.

        A patient's margin is the difference of its two largest memberships.
        """
        return self._by_chunk(
            X, lambda x: losses.memberships(self.network_.embed(x), self.network_.centroids)
        )

    def _build(self, n_patients):
        settings = self._settings(n_patients)
        sizes = self.codes_.n_inputs, self.codes_.n_values
        self.network_ = stages.DeepCACNetwork(*sizes, settings)

    def _settings(self, n_patients):
        return stages.Settings(
            n_clusters=self.n_clusters,
            n_classes=len(self.classes_),
            alpha=self.alpha,
            beta=self.beta,
            margin=self.margin,
            scale=self.scale,
            batch_size=batch_size(n_patients, self.batch_size),
            learning_rate=self.learning_rate or LEARNING_RATE[self.routing],
            dropout=self.dropout if self.routing == "soft" else 0.0,
            n_members=self.n_members if self.routing == "soft" else 0,
            hidden=self.hidden,
            embedding=self.embedding,
            expert_hidden=self.expert_hidden,
        )

    def _stages(self, train, held_out, seed, notes):
        """The three stages, each made when the one before has ended."""
        settings = self._settings(len(train.y))
        soft = self.routing == "soft"
        epochs = [
            epochs_for(given, most, len(train.y))
            for given, most in ((self.pretrain_epochs, PRETRAIN_EPOCHS), (self.epochs, EPOCHS))
        ]
        yield stages.Pretraining(self.network_, train, settings, epochs[0]).stage()
        clustering = stages.SoftClustering if soft else stages.HardClustering
        yield clustering(
            self.network_, train, held_out, settings, epochs=epochs[1], seed=seed, notes=notes
        ).stage()
        experts = expert_stages.CommitteeExperts if soft else expert_stages.LocalExperts
        yield experts(self.network_, train, held_out, settings, epochs=self.expert_epochs).stage()

    def _cluster_notes(self, y):
        return expert_stages.one_outcome_notes(self.labels_, y, self.n_clusters)

    def _proba(self, inputs):
        z = self.network_.embed(inputs)
        if self.routing == "hard":
            member = self.network_.hard_memberships(z)
            return losses.mixture(self.network_.expert_logits(z), member)
        member = losses.memberships(z, self.network_.centroids)
        return expert_stages.committee_proba(self.network_, inputs, member)
