"""Patients' numbers as network inputs: any scale, missing values allowed, fitted on train."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

N_QUANTILES = 101
N_BINS = 8
MIN_SPREAD = 0.5  # keeps a rare yes/no column from becoming an outlier in every patient who has it
LIMIT = 4.0
ROWS_AT_ONCE = 16384

_ARRAYS = ("kept", "quantiles", "mean", "spread", "low", "width", "column", "patterns", "absent")


class InputCodes:
    """What the networks read and reconstruct, from a float array with NaN where not measured.

    `values` are rank-normal features (0 where missing). `inputs` adds piecewise-linear codes of
    quantile bins (Gorishniy et al. 2022; 0 where missing) and an indicator for each distinct
    pattern of missingness. A yes/no or one-hot column has a single bin: it passes as it is.
    """

    def fit(self, X):
        X = np.asarray(X, dtype=np.float64)
        measured = ~np.isnan(X)
        self.kept = np.flatnonzero(_n_distinct(X, measured) > 1)
        if not len(self.kept):
            raise ValueError("No column of X tells patients apart: each has one value or none.")
        X, measured = X[:, self.kept], measured[:, self.kept]
        self.quantiles = np.nanquantile(X, np.linspace(0, 1, N_QUANTILES), axis=0)
        self._fit_bins()
        self._fit_patterns(measured)
        self.mean, self.spread = np.zeros(len(self.kept)), np.ones(len(self.kept))
        normal = self._rank_normal(X)
        self.mean = np.nanmean(normal, axis=0)
        self.spread = np.maximum(np.nanstd(normal, axis=0), MIN_SPREAD)
        return self

    @property
    def n_values(self):
        return len(self.kept)

    @property
    def n_features(self):
        """How many values of a patient are reconstructed."""
        return self.n_values

    @property
    def n_inputs(self):
        return len(self.kept) + len(self.low) + len(self.patterns)

    def values(self, X):
        """Rank-normal features, 0 where missing, and which of them were measured (1 or 0)."""
        X = np.asarray(X, dtype=np.float64)[:, self.kept]
        normal = self._rank_normal(X)
        return np.nan_to_num(normal).astype(np.float32), (~np.isnan(X)).astype(np.float32)

    def inputs(self, X):
        """What an encoder reads: rank-normal features, piecewise-linear codes, indicators."""
        parts = [self._inputs(X[i : i + ROWS_AT_ONCE]) for i in range(0, len(X), ROWS_AT_ONCE)]
        return np.concatenate(parts) if parts else np.empty((0, self.n_inputs), np.float32)

    def arrays(self):
        """Everything fitted, by name; `from_arrays` gives the same codes again."""
        return {name: np.ascontiguousarray(getattr(self, name)) for name in _ARRAYS}

    @classmethod
    def from_arrays(cls, arrays):
        codes = cls()
        for name in _ARRAYS:
            setattr(codes, name, arrays[name])
        return codes

    def _fit_bins(self):
        edges = self.quantiles[np.linspace(0, N_QUANTILES - 1, N_BINS + 1).astype(int)]
        steps = np.diff(edges, axis=0).T  # features × bins
        self.column, bins = np.nonzero(steps > 0)
        self.low, self.width = edges.T[self.column, bins], steps[self.column, bins]

    def _fit_patterns(self, measured):
        partly = np.flatnonzero(~measured.all(axis=0))
        _, first = np.unique(measured[:, partly], axis=1, return_index=True)
        self.patterns = partly[np.sort(first)]
        self.absent = 1 - measured[:, self.patterns].mean(axis=0)

    def _rank_normal(self, X):
        shares = np.linspace(0, 1, N_QUANTILES)
        ranks = np.empty_like(X)
        for j, (x, q) in enumerate(zip(X.T, self.quantiles.T, strict=True)):
            # the mean of both directions puts tied values in the middle of their ranks
            up, down = np.interp(x, q, shares), np.interp(-x, -q[::-1], -shares[::-1])
            ranks[:, j] = (up - down) / 2
        normal = norm.ppf(np.clip(ranks, 0.002, 0.998))
        return np.clip((normal - self.mean) / self.spread, -LIMIT, LIMIT)

    def _inputs(self, X):
        values, _ = self.values(X)
        X = np.asarray(X, dtype=np.float64)[:, self.kept]
        bins = np.clip((X[:, self.column] - self.low) / self.width, 0, 1)
        absent = np.isnan(X[:, self.patterns]) - self.absent
        return np.hstack([values, np.nan_to_num(bins), absent]).astype(np.float32)


def _n_distinct(X, measured):
    """2 where a column has at least two values, fewer where it cannot tell patients apart."""
    seen = measured.any(axis=0)
    low = np.where(measured, X, np.inf).min(axis=0, initial=np.inf)
    high = np.where(measured, X, -np.inf).max(axis=0, initial=-np.inf)
    return np.where(seen, 1 + (high > low), 0)
