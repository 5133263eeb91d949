"""The last stages: the risk that all patients share, and what each cluster's expert adds to it.

`LocalExperts` are the paper's local networks, which the cluster-then-predict baselines use.
"""

from __future__ import annotations

import itertools

import numpy as np
import torch
from torch.nn import functional

from cacviz.engine.deep import losses, own_paths
from cacviz.engine.deep.training import stage_of
from cacviz.engine.metrics import auprc_macro
from cacviz.engine.preparation.folds import N_FOLDS
from cacviz.engine.types import Note

AVERAGING = 0.98  # of the committee's weights, a step
PATIENCE = 6
STEPS = 4  # a reading counts nothing, a quarter, a half, three quarters or alone


class LocalExperts:
    """Stage 3 of the paper: k local networks on the frozen embedding, each on its own cluster."""

    def __init__(self, network, train, validation, settings, *, epochs):
        self.network, self.train, self.validation = network, train, validation
        self.settings, self.epochs = settings, epochs

    def stage(self):
        self.z, self.member = self._routed(self.train)
        self.z_validation, self.member_validation = self._routed(self.validation)
        local = self.network.local.parameters()
        return stage_of(self, "experts", local, watch="validation_auprc")

    def begin(self):
        """Standardise each cluster: compact ones would otherwise look constant to their expert.

        A cluster with one outcome, or empty, gets its smoothed shares instead of a network.
        """
        sizes = self.member.sum(dim=0).clamp_min(1)[:, None]
        shift = self.member.T @ self.z / sizes
        square = (self.member.T[:, :, None] * (self.z - shift[:, None]).square()).sum(dim=1)
        self.network.shift.copy_(shift)
        self.network.spread.copy_((square / sizes).sqrt().clamp_min(1e-3))
        target = functional.one_hot(self.train.y, self.settings.n_classes).float()
        counts = self.member.T @ target
        overall = target.mean(dim=0)
        shares = (counts + overall) / (counts.sum(dim=1, keepdim=True) + 1)
        self.network.fixed.copy_(shares.log())
        self.network.is_fixed.copy_((counts > 0).sum(dim=1) < 2)

    def step(self, rows):
        logits = self.network.expert_logits(self.z[rows])
        return losses.expert_loss(logits, self.train.y[rows], self.member[rows]).mean()

    def check(self, epoch):
        proba = losses.mixture(
            self.network.expert_logits(self.z_validation), self.member_validation
        )
        return {"validation_auprc": auprc_macro(self.validation.y.numpy(), proba.numpy())}

    def _routed(self, patients):
        with torch.no_grad():
            z = self.network.eval().embed(patients.inputs)
            return z, self.network.hard_memberships(z)


class SharedRisk:
    """Stage 3: the risk that all patients share, cross-fitted on training and validation patients.

    Member j of the committee learns from all but fold j. The pooled predictions of those left out
    end training. Nothing here depends on the clusters or on how many there are.
    """

    phase, patience = "experts", PATIENCE

    def __init__(self, network, train, validation, settings, *, epochs, seed):
        self.network, self.train = network, both(train, validation)
        self.settings, self.epochs, self.seed = settings, epochs, seed
        self.learning_rate = settings.learning_rate
        self.committee, self.averaged = network.committee, network.averaged

    def stage(self):
        return stage_of(
            self,
            self.phase,
            self.committee.parameters(),
            learning_rate=self.learning_rate,
            weight_decay=1e-3,
            after_step=self.average,
            watch="validation_auprc",
            patience=self.patience,
        )

    def begin(self):
        """Start from the seed alone, so that one cluster and three share the very same risk."""
        torch.manual_seed(self.seed)
        self.committee.reset()
        self.averaged.load_state_dict(self.committee.state_dict())
        self.network.n_averaged.zero_()

    def read(self, inputs):
        """What the committee reads of patients."""
        return self.network.static(inputs)

    def step(self, rows):
        logits, y = self.committee(self.read(self.train.inputs[rows])), self.train.y[rows]
        n_members = len(logits)
        loss = functional.cross_entropy(
            logits.flatten(0, 1), y.repeat(n_members), reduction="none"
        ).view(n_members, -1)
        learns = self.train.fold[rows] != torch.arange(n_members)[:, None]
        return (loss * learns).sum() / len(rows) * n_members / (n_members - 1)

    def average(self, rows):
        """Let the averaged committee follow: its scores wander less between epochs."""
        done = self.network.n_averaged.add_(1).item()
        pace = 1 - min(AVERAGING, done / (done + 9))
        follow = zip(self.averaged.parameters(), self.committee.parameters(), strict=True)
        for averaged, current in follow:
            averaged.lerp_(current, pace)

    def check(self, epoch):
        risks = left_out(lambda x: self.averaged(self.read(x)), self.train).softmax(dim=1)
        return {"validation_auprc": auprc_macro(self.train.y.numpy(), risks.numpy())}


class OwnPaths:
    """Stage 4: each cluster's expert leaves the shared risk as far as left-out patients gain."""

    def __init__(self, network, train, validation, settings, *, memberships, notes):
        self.network, self.settings, self.notes = network, settings, notes
        self.train, self.memberships, self.epochs = both(train, validation), memberships, 0

    def stage(self):
        return stage_of(self, "own", [self.network.centroids], step=self.begin)

    def begin(self):
        """Who is heard, then a linear path that all share, then one a cluster on top of it."""
        self.network.weights.copy_(self.heard())
        pool = self._pool()
        common = own_paths.choose_common(pool)
        self._keep("common", pool.in_one(), common)
        if self.settings.n_clusters == 1:
            return
        pool = pool._replace(shared=own_paths.left_out(pool.in_one(), common))
        found, shared = own_paths.choose(pool)
        self._keep("own", pool, found.choice)
        self.notes.append(_own_note(found, shared))

    def heard(self):
        """How much each reading of the shared risk counts: by the log loss of patients left out."""
        network, y = self.network, self.train.y
        with torch.no_grad():
            said = [left_out(read, self.train).log_softmax(dim=1) for read in network.readings()]
        mixed = mixtures(len(said) if network.trees.n_trees.all() else len(said) - 1)

        def loss(weights):
            parts = zip(weights, said, strict=False)
            return functional.cross_entropy(sum(w * part for w, part in parts), y).item()

        best = min(mixed, key=loss)
        return torch.tensor([*best, 0.0][: len(said)])

    def _keep(self, name, pool, choice):
        paths = torch.from_numpy(own_paths.fit_paths(pool, choice))
        getattr(self.network, name).copy_(paths)
        share = choice.share if choice.own else 1.0
        getattr(self.network, f"{name}_share").fill_(share)

    def _pool(self):
        with torch.no_grad():
            inputs = self.train.inputs
            parts = (
                self.network.plain(inputs),
                left_out(self.network.shared, self.train).log_softmax(dim=1),
                self.memberships(self.network.embed(inputs)),
            )
        arrays = (part.numpy().astype(np.float64) for part in parts)
        return own_paths.Pool(*arrays, self.train.y.numpy(), self.train.fold.numpy())


def mixtures(n):
    """All ways to share one word among n speakers, by quarters; the first speaker's alone first."""
    steps = itertools.product(range(STEPS, -1, -1), repeat=n)
    return [tuple(s / STEPS for s in each) for each in steps if sum(each) == STEPS]


def _own_note(found, shared):
    """What left-out patients said of experts of their own."""
    if not found.choice.own:
        return Note("shared risk", "hint")
    return Note("own risk", "hint", {"auprc": found.auprc, "shared": shared.auprc})


def both(train, validation):
    """Training and validation patients in one; the same patients twice count once."""
    if validation is train:
        return train
    return type(train)(*(torch.cat(parts) for parts in zip(train, validation, strict=True)))


def left_out(committee, patients):
    """Logits of each patient by the member that did not learn from its fold."""
    rows = [torch.nonzero(patients.fold == f).flatten() for f in range(N_FOLDS)]
    places = torch.zeros(N_FOLDS, max(map(len, rows)), dtype=torch.long)
    for place, own in zip(places, rows, strict=True):
        place[: len(own)] = own
    logits = committee(patients.inputs[places])
    found = logits.new_empty(len(patients.y), logits.shape[2])
    for own, said in zip(rows, logits, strict=True):
        found[own] = said[: len(own)]
    return found


def common_logits(network, inputs):
    """What all patients share, the common path included: log risks that want a softmax."""
    shared = network.shared(inputs).double().softmax(dim=2).mean(dim=0)
    log_risk = shared.clamp_min(losses.TINY).log()
    return network.common_share * log_risk + network.plain(inputs).double() @ network.common[0]


def expert_proba(network, inputs, member):
    """The experts' mixture: each says its share of the common risk and its own path."""
    common = common_logits(network, inputs)
    if not network.own.any():  # all share one risk: the same to the bit however many clusters
        return common.softmax(dim=1).float()
    own = torch.einsum("nd,kdc->nkc", network.plain(inputs).double(), network.own)
    experts = network.own_share * common.log_softmax(dim=1)[:, None] + own
    return losses.mixture(experts, member.double()).float()


def one_outcome_notes(labels, y, n_clusters):
    """A note for each cluster in which an expert has nothing to learn."""
    alone = [j for j in range(n_clusters) if len(np.unique(np.asarray(y)[labels == j])) == 1]
    return [Note("one outcome", values={"cluster": j}) for j in alone] + empty_notes(
        labels, n_clusters
    )


def empty_notes(labels, n_clusters):
    """A note for each cluster without patients."""
    sizes = np.bincount(labels, minlength=n_clusters)
    empty = np.flatnonzero(sizes == 0).tolist()
    return [Note("empty subtype", values={"cluster": j}) for j in empty]
