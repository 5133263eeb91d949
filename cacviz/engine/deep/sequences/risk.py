"""The risk that all patients share, read three ways: networks and trees of summaries, and hours."""

from __future__ import annotations

import itertools

import torch

from cacviz.engine.deep import trees
from cacviz.engine.deep.experts import OwnPaths, SharedRisk, both, left_out
from cacviz.engine.deep.module import DeepCACNetwork
from cacviz.engine.deep.sequences.networks import RecurrentCommittee
from cacviz.engine.deep.training import stage_of
from cacviz.engine.preparation.folds import N_FOLDS

STEPS = 4  # a weight is 0, a quarter, a half, three quarters or all


class DeepCACTSNetwork(DeepCACNetwork):
    """DeepCAC's networks, a committee that reads hours, trees, and how much each one's word counts.

    `weights` are of the networks of summaries, of the hours and of the trees.
    """

    def __init__(self, n_inputs, n_values, s):
        super().__init__(n_inputs, n_values, s)
        size = s.n_members, n_inputs, s.series, s.n_classes
        sizes = {"hidden": s.hidden, "dropout": s.expert_dropout}
        self.recurrent = RecurrentCommittee(*size, **sizes)
        self.recurrent_averaged = RecurrentCommittee(*size, **sizes).requires_grad_(False)
        self.trees = trees.BoostedTrees(s.n_members, s.n_classes)
        self.register_buffer("weights", torch.tensor([1.0, 0.0, 0.0]))

    def read_by_trees(self, inputs):
        """The summaries and what was not measured; a constant tells a tree nothing."""
        return self.plain(inputs.flatten(0, -2))[:, :-1].unflatten(0, inputs.shape[:-1])

    def readings(self):
        """Who speaks of the shared risk: each gives logits, members × patients × c."""
        return (
            super().shared,
            self.recurrent_averaged,
            lambda inputs: self.trees(self.read_by_trees(inputs)),
        )

    def shared(self, inputs):
        """All log risks by weight, member by member: each left out the same folds."""
        heard = zip(self.weights.tolist(), self.readings(), strict=True)
        return sum(w * read(inputs).log_softmax(dim=-1) for w, read in heard if w > 0)


class HoursRisk(SharedRisk):
    """Beside the committee that reads summaries one that reads hours; the same folds left out."""

    phase, patience = "hours", 3

    def __init__(self, *parts, **more):
        super().__init__(*parts, **more)
        self.learning_rate = self.settings.learning_rate * self.settings.pace
        self.committee = self.network.recurrent
        self.averaged = self.network.recurrent_averaged

    def read(self, inputs):
        return inputs


class TreesRisk:
    """Boosted trees of the summaries; each leaves out a fold of patients, who end it."""

    def __init__(self, network, train, validation, settings, *, epochs, seed):
        self.network, self.train, self.seed = network, both(train, validation), seed
        self.settings, self.epochs = settings, 0

    def stage(self):
        return stage_of(self, "trees", [self.network.centroids], step=self.begin)

    def begin(self):
        X = self.network.read_by_trees(self.train.inputs).numpy()
        y, fold = self.train.y.numpy(), self.train.fold.numpy()
        if trees.can_leave(y, fold):
            for f in range(N_FOLDS):
                self.network.trees.keep(f, trees.boosted(X, y, fold == f, self.seed))


class SeriesPaths(OwnPaths):
    """Own paths on top of all readings, weighed by how they predict patients left out."""

    def settle(self):
        with torch.no_grad():
            said = [left_out(r, self.train).log_softmax(dim=1) for r in self.network.readings()]
        said = torch.stack(said if self.network.trees.n_trees.all() else said[:2])
        found = min(mixtures(len(said)), key=lambda w: self._loss(said, w))
        self.network.weights.copy_(torch.tensor([*found, 0.0][:3]))

    def _loss(self, said, weights):
        logits = torch.einsum("rnc,r->nc", said, torch.tensor(weights))
        return torch.nn.functional.cross_entropy(logits, self.train.y).item()


def mixtures(n):
    """All ways to share one word among n speakers, by quarters; the first speaker's alone first."""
    steps = itertools.product(range(STEPS, -1, -1), repeat=n)
    return [tuple(s / STEPS for s in each) for each in steps if sum(each) == STEPS]
