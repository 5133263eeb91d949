"""Boosted trees as part of a network: learned by scikit-learn, kept and read as tensors.

So they are saved, stopped and gone on with as all the rest of a network is.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import torch
from sklearn.ensemble import HistGradientBoostingClassifier
from threadpoolctl import threadpool_limits
from torch import nn

from cacviz.engine.aside import shared
from cacviz.engine.deep.experts import both
from cacviz.engine.deep.training import stage_of
from cacviz.engine.preparation.folds import N_FOLDS

MOST_TREES = 400
LEAVES = 15
NODES = 2 * LEAVES - 1
FEWEST = 300  # patients: fewer grow hardly a tree that others would agree with


class BoostedTrees(nn.Module):
    """Gradient boosting, one a member: members × patients × c logits.

    A node sends a patient left where its feature is at most the threshold; a leaf sends it to
    itself. Trees that were not needed have one leaf that says nothing.
    """

    def __init__(self, n_members, n_classes):
        super().__init__()
        self.n_classes = n_classes
        outputs = 1 if n_classes == 2 else n_classes
        shape = n_members, MOST_TREES * outputs, NODES
        self.register_buffer("feature", torch.zeros(shape, dtype=torch.int64))
        self.register_buffer("threshold", torch.zeros(shape, dtype=torch.float64))
        self.register_buffer("left", torch.arange(NODES).expand(shape).clone())
        self.register_buffer("right", torch.arange(NODES).expand(shape).clone())
        self.register_buffer("value", torch.zeros(shape, dtype=torch.float64))
        self.register_buffer("base", torch.zeros(n_members, outputs, dtype=torch.float64))
        self.register_buffer("n_trees", torch.zeros(n_members, dtype=torch.int64))

    def forward(self, x):
        """`x`: patients × features for all members, or members × patients × features."""
        x = x.expand(len(self.base), -1, -1)
        return torch.stack([self._member(j, part) for j, part in enumerate(x)]).float()

    def _member(self, j, x):
        outputs = self.base.shape[1]
        used = int(self.n_trees[j]) * outputs
        scores = self.base[j].expand(len(x), -1)
        if used:
            said = self._leaves(j, used, x).view(len(x), -1, outputs)
            scores = scores + said.sum(dim=1)
        return torch.hstack([torch.zeros_like(scores), scores]) if outputs == 1 else scores

    def _leaves(self, j, used, x):
        """What the leaf of each tree says of each patient: patients × trees."""
        parts = (self.feature, self.threshold, self.left, self.right, self.value)
        feature, threshold, left, right, value = (p[j, :used].flatten() for p in parts)
        first = torch.arange(used) * NODES
        node = torch.zeros(len(x), used, dtype=torch.int64)
        for _ in range(LEAVES):
            at = first + node
            below = x.gather(1, feature[at]) <= threshold[at]
            after = torch.where(below, left[at], right[at])
            if torch.equal(after, node):
                break
            node = after
        return value[first + node]

    def keep(self, j, model):
        """Take over what a fitted classifier has learned, as member j."""
        rounds = model._predictors
        self.base[j] = torch.from_numpy(np.array(model._baseline_prediction).reshape(-1))
        self.n_trees[j] = len(rounds)
        for i, tree in enumerate(tree for each in rounds for tree in each):
            nodes, n = tree.nodes, len(tree.nodes)
            stays, leaf = np.arange(n), nodes["is_leaf"].astype(bool)
            self.feature[j, i, :n] = torch.from_numpy(nodes["feature_idx"].astype(np.int64))
            self.threshold[j, i, :n] = torch.from_numpy(nodes["num_threshold"].copy())
            self.value[j, i, :n] = torch.from_numpy(nodes["value"].copy())
            for side in ("left", "right"):
                to = np.where(leaf, stays, nodes[side].astype(np.int64))
                getattr(self, side)[j, i, :n] = torch.from_numpy(to)


class TreesRisk:
    """Boosted trees of static features; each leaves out a fold of patients, who end it."""

    def __init__(self, network, train, validation, settings, *, epochs, seed):
        self.network, self.train, self.seed = network, both(train, validation), seed
        self.settings, self.epochs = settings, 0

    def stage(self):
        return stage_of(self, "trees", [self.network.centroids], step=self.begin)

    def begin(self):
        X = self.network.for_trees(self.train.inputs).numpy()
        y, fold = self.train.y.numpy(), self.train.fold.numpy()
        if len(y) >= FEWEST and can_leave(y, fold):
            works = [partial(boosted, X, y, fold == f, self.seed) for f in range(N_FOLDS)]
            for f, model in enumerate(shared(works)):
                self.network.trees.keep(f, model)


def can_leave(y, fold):
    """Whether every fold can be left out and judged: all classes are on both of its sides."""
    n = len(np.unique(y))
    sides = ((fold == f, fold != f) for f in np.unique(fold))
    return all(len(np.unique(y[side])) == n for both in sides for side in both)


def boosted(X, y, out, seed):
    """Trees that learn from all but the patients left out, who end it."""
    model = HistGradientBoostingClassifier(
        learning_rate=0.05,
        max_iter=MOST_TREES,
        max_leaf_nodes=LEAVES,
        min_samples_leaf=20,
        l2_regularization=1.0,
        max_features=0.5,
        early_stopping=True,
        n_iter_no_change=20,
        random_state=seed,
    )
    with threadpool_limits(1):  # the same bits whatever the machine's threads
        return model.fit(X[~out], y[~out], X_val=X[out], y_val=y[out])
