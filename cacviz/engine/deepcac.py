"""DeepCAC: pre-train an autoencoder, cluster its embedding by outcome, fit an expert a cluster."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np
import torch
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from cacviz.engine import expert_stages, losses, stages
from cacviz.engine.codes import InputCodes
from cacviz.engine.training import Training, as_arrays
from cacviz.engine.validation import at_least, between, check_params, one_of, positive

HELD_OUT = 0.25  # the paper's share of the non-test patients
STEPS_PER_EPOCH = 16  # a small cohort gets smaller batches rather than too few steps
SMALLEST_BATCH = 32
PRETRAIN_EPOCHS, EPOCHS = 20, 40
FULL_EPOCHS_UP_TO = (
    5000  # patients; a larger cohort has more steps an epoch and needs fewer of them
)
LEARNING_RATE = {"hard": 2e-3, "soft": 1e-3}
ROWS_AT_ONCE = 8192


class DeepCAC(ClassifierMixin, BaseEstimator):
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

    def fit(self, X, y, *, validation=None, on_step=None, checkpoint=None):
        """Find the clusters of the patients in X and an expert for each.

        Parameters
        ----------
        X : float array, NaN where a value was not measured; categories one-hot.
        y : outcome of each patient.
        validation : (X, y) of other patients that decide when to stop, or None to hold some out.
        on_step : called with each history row; may raise `Stopped`.
        checkpoint : object with `load()` and `save(arrays, meta)`; a fit goes on from its state.
        """
        check_params(self)
        X, y = self._checked(X, y)
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        train, held_out = self._parts(X, y, validation, seed)
        self.codes_ = InputCodes().fit(train[0])
        train, held_out = self._patients(*train), self._patients(*held_out)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self._build(len(train.y))
            training = Training(self.network_, on_step=on_step, checkpoint=checkpoint)
            for part in self._stages(train, held_out, seed, training.notes):
                training.run(part)
        self._conclude(training, X, y)
        return self

    def predict_proba(self, X):
        """Risk of each class: the expert of the nearest centroid, or the mixture of experts."""
        return self._by_chunk(X, self._proba)

    def predict(self, X):
        """The most probable class of each patient."""
        proba = self.predict_proba(X)
        return self.classes_[proba.argmax(axis=1)]

    def predict_cluster(self, X):
        """The nearest centroid in the embedding, so a new patient needs no outcome."""
        return self._by_chunk(X, lambda x: self._distances(x).argmin(dim=1))

    def embed(self, X):
        """The embedding of each patient: patients × 32."""
        return self._by_chunk(X, self.network_.embed)

    def membership(self, X):
        """How far each patient belongs to each cluster: patients × k, rows sum to 1.

        A patient's margin is the difference of its two largest memberships.
        """
        return self._by_chunk(
            X, lambda x: losses.memberships(self.network_.embed(x), self.network_.centroids)
        )

    def get_state(self):
        """The fitted model as arrays by name and a dict for JSON; `from_state` reads both."""
        check_is_fitted(self)
        arrays = as_arrays(self.network_.state_dict(), "network/")
        arrays |= {f"codes/{k}": v for k, v in self.codes_.arrays().items()}
        arrays["labels"] = self.labels_
        params = self.get_params()
        if not isinstance(self.random_state, Integral | None):
            params["random_state"] = None
        meta = {"params": params, "classes": self.classes_.tolist()}
        meta |= {"classes_dtype": self.classes_.dtype.str, "history": self.history_}
        return arrays, meta | {"notes": self.notes_, "n_features": self.n_features_in_}

    @classmethod
    def from_state(cls, arrays, meta):
        """The model whose `get_state` gave these; it predicts the same to the last bit."""
        model = cls(**meta["params"])
        model.classes_ = np.array(meta["classes"], dtype=meta["classes_dtype"])
        model.n_features_in_ = meta["n_features"]
        model.history_, model.notes_ = list(meta["history"]), list(meta["notes"])
        model.codes_ = InputCodes.from_arrays(_under(arrays, "codes/"))
        with torch.random.fork_rng(devices=[]):
            model._build(len(arrays["labels"]))
        state = _under(arrays, "network/")
        model.network_.load_state_dict({k: torch.from_numpy(v) for k, v in state.items()})
        model.network_.eval()
        model.labels_ = np.array(arrays["labels"])
        model.centroids_ = model.network_.centroids.detach().numpy().copy()
        return model

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.non_deterministic = False
        return tags

    def _checked(self, X, y):
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_all_finite="allow-nan")
        check_classification_targets(y)
        self.classes_, y = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("The outcome has one class only; DeepCAC needs two or more classes.")
        if len(X) < max(self.n_clusters, 2):
            raise ValueError(f"n_samples={len(X)} should be >= n_clusters={self.n_clusters}.")
        return X, y

    def _parts(self, X, y, validation, seed):
        """Patients to learn from and patients that decide when to stop."""
        if validation is not None:
            X_new = validate_data(
                self, validation[0], dtype=np.float64, ensure_all_finite="allow-nan", reset=False
            )
            return (X, y), (X_new, self._class_codes(validation[1]))
        try:
            rows = train_test_split(
                np.arange(len(y)), test_size=HELD_OUT, stratify=y, random_state=seed
            )
        except ValueError:  # a class with one patient, or fewer places than classes
            rows = (np.arange(len(y)),) * 2
        if len(rows[0]) < self.n_clusters:
            rows = (np.arange(len(y)),) * 2
        return tuple((X[r], y[r]) for r in rows)

    def _class_codes(self, y):
        y = np.asarray(y)
        unknown = np.setdiff1d(y, self.classes_)
        if len(unknown):
            raise ValueError(f"The validation outcome has classes that training has not: {unknown}")
        return np.searchsorted(self.classes_, y)

    def _patients(self, X, y):
        values, measured = self.codes_.values(X)
        inputs = torch.from_numpy(self.codes_.inputs(X))
        parts = (inputs, torch.from_numpy(values), torch.from_numpy(measured))
        return stages.Patients(*parts, torch.from_numpy(np.asarray(y, dtype=np.int64)))

    def _build(self, n_patients):
        settings = self._settings(n_patients)
        sizes = self.codes_.n_inputs, self.codes_.n_values
        self.network_ = stages.DeepCACNetwork(*sizes, settings)

    def _settings(self, n_patients):
        batch = max(SMALLEST_BATCH, n_patients // STEPS_PER_EPOCH)
        return stages.Settings(
            n_clusters=self.n_clusters,
            n_classes=len(self.classes_),
            alpha=self.alpha,
            beta=self.beta,
            margin=self.margin,
            scale=self.scale,
            batch_size=min(batch, self.batch_size),
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
            _epochs(given, most, len(train.y))
            for given, most in ((self.pretrain_epochs, PRETRAIN_EPOCHS), (self.epochs, EPOCHS))
        ]
        yield stages.Pretraining(self.network_, train, settings, epochs[0]).stage()
        clustering = stages.SoftClustering if soft else stages.HardClustering
        yield clustering(
            self.network_, train, held_out, settings, epochs=epochs[1], seed=seed, notes=notes
        ).stage()
        experts = expert_stages.CommitteeExperts if soft else expert_stages.LocalExperts
        yield experts(self.network_, train, held_out, settings, epochs=self.expert_epochs).stage()

    def _conclude(self, training, X, y):
        self.network_.eval()
        self.centroids_ = self.network_.centroids.detach().numpy().copy()
        self.labels_ = self.predict_cluster(X)
        self.history_ = training.history
        self.notes_ = training.notes + expert_stages.one_outcome_notes(
            self.labels_, y, self.n_clusters
        )

    def _distances(self, inputs):
        return losses.squared_distances(self.network_.embed(inputs), self.network_.centroids)

    def _proba(self, inputs):
        z = self.network_.embed(inputs)
        if self.routing == "hard":
            member = self.network_.hard_memberships(z)
            return losses.mixture(self.network_.expert_logits(z), member)
        member = losses.memberships(z, self.network_.centroids)
        return expert_stages.committee_proba(self.network_, inputs, member)

    def _by_chunk(self, X, function):
        """The function's answer for all patients, a few thousand at a time."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        inputs = torch.from_numpy(self.codes_.inputs(X))
        with torch.no_grad():
            return torch.cat([function(part) for part in inputs.split(ROWS_AT_ONCE)]).numpy()


def _epochs(given, most, n_patients):
    """As given; else `most`, down to a quarter of it where an epoch is long."""
    if given is not None:
        return given
    return max(round(most * min(1, FULL_EPOCHS_UP_TO / n_patients)), most // 4)


def _under(arrays, prefix):
    return {k.removeprefix(prefix): np.array(v) for k, v in arrays.items() if k.startswith(prefix)}
