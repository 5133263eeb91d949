"""Stage 3 of DeepCAC: an expert a cluster, the paper's on the embedding or a committee's."""

from __future__ import annotations

import numpy as np
import torch
from torch.nn import functional

from cacviz.engine import losses
from cacviz.engine.metrics import auprc_macro
from cacviz.engine.notes import empty_note, one_outcome_note
from cacviz.engine.training import stage_of

AVERAGING = 0.98  # of the committee's weights, a step


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


class CommitteeExperts:
    """Our stage 3: experts with encoders of their own, trained on the found memberships."""

    def __init__(self, network, train, validation, settings, *, epochs):
        self.network, self.train, self.validation = network, train, validation
        self.settings, self.epochs = settings, epochs

    def stage(self):
        with torch.no_grad():
            self.member, self.member_validation = (
                losses.memberships(self.network.eval().embed(p.inputs), self.network.centroids)
                for p in (self.train, self.validation)
            )
        return stage_of(
            self,
            "experts",
            self.network.committee.parameters(),
            weight_decay=1e-3,
            after_step=self.average,
            watch="validation_auprc",
            patience=8,
        )

    def step(self, rows):
        logits = self.network.committee(self.train.inputs[rows])
        n_members = len(logits)
        y, member = self.train.y[rows].repeat(n_members), self.member[rows].repeat(n_members, 1)
        return n_members * losses.expert_loss(logits.flatten(0, 1), y, member).mean()

    def average(self, rows):
        """Let the averaged committee follow: its scores wander less between epochs."""
        done = self.network.n_averaged.add_(1).item()
        pace = 1 - min(AVERAGING, done / (done + 9))
        follow = zip(
            self.network.averaged.parameters(), self.network.committee.parameters(), strict=True
        )
        for averaged, current in follow:
            averaged.lerp_(current, pace)

    def check(self, epoch):
        proba = committee_proba(self.network, self.validation.inputs, self.member_validation)
        return {"validation_auprc": auprc_macro(self.validation.y.numpy(), proba.numpy())}


def committee_proba(network, inputs, member):
    """Mean over the committee's members of their mixtures."""
    return losses.mixture(network.averaged(inputs), member).mean(dim=0)


def one_outcome_notes(labels, y, n_clusters):
    """A sentence for each cluster in which an expert has nothing to learn."""
    alone = [j for j in range(n_clusters) if len(np.unique(np.asarray(y)[labels == j])) == 1]
    return [one_outcome_note(j) for j in alone] + empty_notes(labels, n_clusters)


def empty_notes(labels, n_clusters):
    """A sentence for each cluster without patients."""
    sizes = np.bincount(labels, minlength=n_clusters)
    return [empty_note(j) for j in np.flatnonzero(sizes == 0).tolist()]
