"""DeepCAC: pre-train an autoencoder, cluster its embedding by outcome, fit an expert a cluster."""

from __future__ import annotations

from numbers import Real

from cacviz.engine.deep import clustering as stages
from cacviz.engine.deep import experts as expert_stages
from cacviz.engine.deep import losses, module
from cacviz.engine.deep.estimator import StagedClassifier, batch_size, epochs_for
from cacviz.engine.deep.trees import TreesRisk
from cacviz.engine.preparation.folds import N_FOLDS
from cacviz.engine.protocol import at_least, between, one_of, positive


class DeepCAC(StagedClassifier):
    """Clustering-aware classification in a learned embedding (paper, section 4).

    Parameters
    ----------
    n_clusters : int, default=3
    alpha, beta : float, default=0.2 and 5
        Weights of the separation of outcomes and of the compactness of clusters: they multiply
        the paper's terms as they stand in its Eq. 2 (it uses 5 and 20, before an unsquared norm).
    routing : {"soft", "hard"}, default="soft"
        "hard" is the paper: a patient's risk comes from the expert of the nearest centroid alone.
        "soft" is ours: memberships and experts shape the embedding together, and the risk is the
        mixture of the experts by membership.
    pretrain_epochs, epochs : int or None
        Epochs of the first two stages; None is 20 and 40, fewer beyond 5,000 patients.
    expert_epochs : int, default=60
        The most epochs of the experts' stage; patients left out end it.
    learning_rate : float, default=0.001
    random_state : int, RandomState or None

    Attributes
    ----------
    labels_ : cluster of each training patient.
    centroids_ : n_clusters × embedding array.
    classes_ : the outcome's classes.
    history_ : list of dict, a row an epoch.
    notes_ : list of Note on clusters that needed care.
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
        "learning_rate": [positive()],
        "margin": [at_least(0, Real)],
        "scale": [positive()],
        "dropout": [between(0, 0.95)],
        "expert_dropout": [between(0, 0.95)],
        "hidden": [at_least(1)],
        "embedding": [at_least(1)],
        "expert_hidden": [at_least(1)],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters=3,
        *,
        alpha=0.2,
        beta=5,
        routing="soft",
        pretrain_epochs=None,
        epochs=None,
        expert_epochs=60,
        batch_size=256,
        learning_rate=0.001,
        margin=0.4,
        scale=30,
        dropout=0.1,
        expert_dropout=0.3,
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
        self.expert_dropout = expert_dropout
        self.hidden = hidden
        self.embedding = embedding
        self.expert_hidden = expert_hidden
        self.random_state = random_state

    cluster_stages = 2
    network_class = module.DeepCACNetwork
    shared_stages: tuple[type, ...] = (expert_stages.SharedRisk, TreesRisk)
    most_epochs = 20, 40  # of the first two stages, for a cohort that is not large

    def membership(self, X):
        """How far each patient belongs to each cluster: patients × k, rows sum to 1.

        A patient's margin is the difference of its two largest memberships.
        """
        return self._by_chunk(X, lambda x: self._memberships(self.network_.embed(x)))

    def shares(self, X):
        """What the experts are mixed by; with hard routing the nearest centre decides."""
        return self.membership(X) if self.routing == "soft" else None

    def proba_of_one(self, X):
        """Risks without the clusters' own paths: with one cluster it says the same to the bit.

        The shared risk starts from the seed alone and the common path never sees a cluster.
        """
        return self._by_chunk(
            X, lambda x: expert_stages.common_logits(self.network_, x).softmax(dim=1).float()
        )

    def _memberships(self, z):
        """What the experts' risks are mixed by."""
        if self.routing == "hard":
            return self.network_.hard_memberships(z)
        return losses.routed(losses.memberships(z, self.network_.centroids))

    def _build(self, n_patients):
        settings = self._settings(n_patients)
        sizes = self.codes_.n_inputs, self.codes_.n_values
        self.network_ = self.network_class(*sizes, settings)

    def _settings(self, n_patients):
        return module.Settings(
            n_clusters=self.n_clusters,
            n_classes=len(self.classes_),
            alpha=self.alpha,
            beta=self.beta,
            margin=self.margin,
            scale=self.scale,
            batch_size=batch_size(n_patients, self.batch_size),
            learning_rate=self.learning_rate,
            dropout=self.dropout,
            expert_dropout=self.expert_dropout,
            n_members=N_FOLDS,
            n_patterns=len(self.codes_.patterns),
            hidden=self.hidden,
            embedding=self.embedding,
            expert_hidden=self.expert_hidden,
            n_features=self.codes_.n_features,
        )

    def _stages(self, train, held_out, seed, notes):
        """The four stages, each made when the one before has ended."""
        network, settings = self.network_, self._settings(len(train.y))
        asked = self.pretrain_epochs, self.epochs
        epochs = [
            epochs_for(given, most, len(train.y))
            for given, most in zip(asked, self.most_epochs, strict=True)
        ]
        parts = network, train, held_out, settings
        yield stages.Pretraining(network, train, settings, epochs[0]).stage()
        clustering = stages.SoftClustering if self.routing == "soft" else stages.HardClustering
        yield clustering(*parts, epochs=epochs[1], seed=seed, notes=notes).stage()
        for shared in self.shared_stages:
            yield shared(*parts, epochs=self.expert_epochs, seed=seed).stage()
        yield expert_stages.OwnPaths(*parts, memberships=self._memberships, notes=notes).stage()

    def _cluster_notes(self, y):
        return expert_stages.one_outcome_notes(self.labels_, y, self.n_clusters)

    def _proba(self, inputs):
        member = self._memberships(self.network_.embed(inputs))
        return expert_stages.expert_proba(self.network_, inputs, member)
