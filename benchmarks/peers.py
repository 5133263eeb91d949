"""Peers from outside, with the contract of our own methods: GRU-D of PyPOTS.

    pip install -e '.[peers]'
    python -m benchmarks.timeseries --cohorts sepsis --methods grud

GRU-D (Che et al. 2018) reads the hours with NaN where nothing was measured and makes masks and
times since of its own. What is known at admission it gets as variables measured every hour.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec

import numpy as np

PEERS = ("grud",)


def need_pypots():
    """Leave with a sentence where the peers cannot run, before anything is computed."""
    if find_spec("pypots") is None:
        sys.exit("GRU-D needs PyPOTS, which is not here: pip install -e '.[peers]'")


class GRUD:
    """GRU-D with 64 hidden units; the validation patients end its training, and choose its epoch.

    `known` are the static features known at admission; summaries of the hours it does not read.
    """

    embeds = False

    def __init__(self, known=(), *, hidden=64, epochs=40, patience=4, batch=64, random_state=None):
        self.known, self.hidden, self.epochs = known, hidden, epochs
        self.patience, self.batch, self.random_state = patience, batch, random_state

    def fit(self, X, y, *, validation, on_step=None):
        import torch
        from pypots import classification

        self.scaling_ = scaling(with_known(X, self.known))
        train, rest = ({"X": self._inputs(part), "y": z} for part, z in ((X, y), validation))
        with torch.random.fork_rng():
            torch.manual_seed(self.random_state)
            self.network_ = classification.GRUD(
                *train["X"].shape[1:],
                n_classes=int(np.max(y)) + 1,
                rnn_hidden_size=self.hidden,
                batch_size=self.batch,
                epochs=self.epochs,
                patience=self.patience,
                device="cpu",
                verbose=False,
            )
            self.network_.fit(train, rest)
        return self

    def predict_proba(self, X):
        return self.network_.predict({"X": self._inputs(X)})["classification_proba"]

    def _inputs(self, X):
        mean, spread = self.scaling_
        return ((with_known(X, self.known) - mean) / spread).astype(np.float32)


def with_known(stays, known):
    """The hours, and static features at the places `known` as variables of every hour."""
    static = stays.static[:, None, list(known)]
    repeated = np.repeat(static, stays.hours.shape[1], axis=1)
    return np.concatenate([stays.hours, repeated], axis=2, dtype=np.float64)


def scaling(hours):
    """Mean and spread of each variable, of what was measured; 0 and 1 where nothing was."""
    flat = hours.reshape(-1, hours.shape[2])
    ever = np.isfinite(flat).any(axis=0)
    flat = np.where(ever, flat, 0.0)
    spread = np.nanstd(flat, axis=0)
    return np.nanmean(flat, axis=0), np.where(spread > 0, spread, 1.0)
