"""What all deep methods share: a fit in stages, prediction by chunk, and a state to save."""

from __future__ import annotations

from dataclasses import asdict
from itertools import islice
from numbers import Integral

import numpy as np
import torch
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from cacviz.engine.deep import losses, module
from cacviz.engine.deep.training import Training, as_arrays
from cacviz.engine.preparation.blocks import in_blocks
from cacviz.engine.preparation.codes import InputCodes
from cacviz.engine.preparation.folds import fold_of
from cacviz.engine.protocol import SubtypeClassifier, check_params
from cacviz.engine.types import Note

HELD_OUT = 0.25  # the paper's share of the non-test patients
STEPS_PER_EPOCH = 16  # a small cohort gets smaller batches rather than too few steps
SMALLEST_BATCH = 32
FULL_EPOCHS_UP_TO = (
    5000  # patients; a larger cohort has more steps an epoch and needs fewer of them
)


class StagedClassifier(SubtypeClassifier):
    """A classifier that also clusters, fitted in stages over one network.

    A method says how its network is made (`_build`), which stages train it (`_stages`), and how
    a patient's class probabilities (`_proba`) and cluster (`_cluster`) come from the inputs. The
    network has `embed(inputs)` and `centroids`.
    """

    fit_hooks: tuple[str, ...] = ("checkpoint", "patients")
    embeds = True
    cluster_stages: int | None = None  # how many stages make the clusters; None: all of them
    codes_class: type = InputCodes

    def fit(self, X, y, *, validation=None, on_step=None, checkpoint=None, patients=None):
        """Find the clusters of the patients in X and an expert for each.

        Parameters
        ----------
        X : float array, NaN where a value was not measured; categories one-hot.
        y : outcome of each patient.
        validation : (X, y) of other patients that decide when to stop, or None to hold some out.
        patients : whose rows X has, and after them those of validation; a patient is left out
            with all its rows.
        on_step : called with each history row; may raise `Stopped`.
        checkpoint : object with `load()` and `save(arrays, meta)`; a fit goes on from its state.
        """
        hooks = {"on_step": on_step, "checkpoint": checkpoint, "patients": patients}
        return self._fit(X, y, None, validation, **hooks)

    def fit_clusters(self, X, y, *, validation=None, **hooks):
        """The clusters of `fit`, without the risk models that come after them."""
        return self._fit(X, y, self.cluster_stages, validation, **hooks)

    def _fit(self, X, y, n_stages, validation, *, on_step=None, checkpoint=None, patients=None):
        check_params(self)
        X, y = self._checked(X, y)
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        train, held_out = self._parts(X, y, validation, patients, seed)
        self.codes_ = self.codes_class().fit(train[0])
        train, held_out = self._prepared(train, held_out)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self._build(len(train.y))
            training = Training(self.network_, on_step=on_step, checkpoint=checkpoint)
            for part in islice(self._stages(train, held_out, seed, training.notes), n_stages):
                training.run(part)
        self._conclude(training, X, y)
        return self

    def predict_proba(self, X):
        """Probability of each class, in the order of `classes_`."""
        return self._by_chunk(X, self._proba)

    def predict_cluster(self, X):
        """The cluster of each patient; a new patient needs no outcome."""
        return self._by_chunk(X, self._cluster)

    def embed(self, X):
        """The embedding of each patient: patients × 32."""
        return self._by_chunk(X, self.network_.embed)

    def get_state(self):
        """The fitted model: arrays by name, a dict for JSON, and no estimators of others."""
        check_is_fitted(self)
        arrays = as_arrays(self.network_.state_dict(), "network/")
        arrays |= {f"codes/{k}": v for k, v in self.codes_.arrays().items()}
        arrays["labels"] = self.labels_
        params = self.get_params()
        if not isinstance(self.random_state, Integral | None):
            params["random_state"] = None
        meta = {"params": params, "classes": self.classes_.tolist()}
        meta |= {"classes_dtype": self.classes_.dtype.str, "history": self.history_}
        meta["notes"] = [asdict(note) for note in self.notes_]
        return arrays, meta | {"n_features": self.n_features_in_}, {}

    @classmethod
    def from_state(cls, arrays, meta, estimators=None):
        """The model whose `get_state` gave these; it predicts the same to the last bit."""
        model = cls(**meta["params"])
        model.classes_ = np.array(meta["classes"], dtype=meta["classes_dtype"])
        model.n_features_in_ = meta["n_features"]
        model.history_ = list(meta["history"])
        model.notes_ = [Note(**said) for said in meta["notes"]]
        model.codes_ = cls.codes_class.from_arrays(_under(arrays, "codes/"))
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
        X, y = self._validated(X, y, reset=True)
        check_classification_targets(y)
        self.classes_, y = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("The outcome has one class only; two or more classes are needed.")
        if len(X) < max(self.n_clusters, 2):
            raise ValueError(f"n_samples={len(X)} should be >= n_clusters={self.n_clusters}.")
        return X, y

    def _validated(self, X, y="no_validation", *, reset=False):
        """X, and y where it is given, as arrays of the right shape."""
        how = {"dtype": np.float64, "ensure_all_finite": "allow-nan", "reset": reset}
        return validate_data(self, X, y, **how)

    def _parts(self, X, y, validation, patients, seed):
        """Patients to learn from and patients that decide when to stop: X, y and fold of each."""
        if validation is not None:
            X_new = self._validated(validation[0])
            fold = fold_of(np.r_[y, new := self._class_codes(validation[1])], patients)
            return (X, y, fold[: len(y)]), (X_new, new, fold[len(y) :])
        fold = fold_of(y, patients)
        return tuple((X[r], y[r], fold[r]) for r in self._held_out(y, patients, seed))

    def _held_out(self, y, patients, seed):
        """Rows to learn from and rows held out, by whole patients; all twice where too few."""
        everyone = (np.arange(len(y)),) * 2
        if patients is not None:
            apart = fold_of(y, patients) == 0
            rows = np.flatnonzero(~apart), np.flatnonzero(apart)
        else:
            try:
                rows = train_test_split(
                    np.arange(len(y)), test_size=HELD_OUT, stratify=y, random_state=seed
                )
            except ValueError:  # a class with one patient, or fewer places than classes
                rows = everyone
        return rows if len(rows[0]) >= self.n_clusters and len(rows[1]) else everyone

    def _prepared(self, train, held_out):
        first, second = self._patients(*train), self._patients(*held_out)
        return first, first if torch.equal(first.inputs, second.inputs) else second

    def _class_codes(self, y):
        y = np.asarray(y)
        unknown = np.setdiff1d(y, self.classes_)
        if len(unknown):
            raise ValueError(f"The validation outcome has classes that training has not: {unknown}")
        return np.searchsorted(self.classes_, y)

    def _patients(self, X, y, fold):
        values, measured = self.codes_.values(X)
        parts = self.codes_.inputs(X), values, measured, np.asarray(y, dtype=np.int64), fold
        return module.Patients(*(torch.from_numpy(part) for part in parts))

    def _conclude(self, training, X, y):
        self.network_.eval()
        self.centroids_ = self.network_.centroids.detach().numpy().copy()
        self.labels_ = self.predict_cluster(X)
        self.history_ = training.history
        self.notes_ = training.notes + self._cluster_notes(y)

    def _distances(self, inputs):
        return losses.squared_distances(self.network_.embed(inputs), self.network_.centroids)

    def _cluster(self, inputs):
        return self._distances(inputs).argmin(dim=1)

    def _cluster_notes(self, y):
        """Notes on clusters that needed care, once the patients' clusters are known."""
        return []

    def _by_chunk(self, X, function):
        """The function's answer for all patients, a block of them at a time."""
        check_is_fitted(self)
        inputs = self.codes_.inputs(self._validated(X))
        with torch.no_grad():
            return in_blocks(lambda some: function(torch.from_numpy(some)).numpy(), inputs)


def batch_size(n_patients, most):
    """At most `most` patients, and few enough that a small cohort makes some steps an epoch."""
    return min(max(SMALLEST_BATCH, n_patients // STEPS_PER_EPOCH), most)


def epochs_for(given, most, n_patients):
    """As given; else `most`, down to a quarter of it where an epoch is long."""
    if given is not None:
        return given
    return max(round(most * min(1, FULL_EPOCHS_UP_TO / n_patients)), most // 4)


def _under(arrays, prefix):
    return {k.removeprefix(prefix): np.array(v) for k, v in arrays.items() if k.startswith(prefix)}
