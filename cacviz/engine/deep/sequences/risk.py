"""The risk that all patients share, from hours: recurrent networks beside those of summaries."""

from __future__ import annotations

import torch

from cacviz.engine.deep.experts import OwnPaths, SharedRisk, left_out
from cacviz.engine.deep.module import DeepCACNetwork
from cacviz.engine.deep.sequences.networks import RecurrentCommittee

WEIGHTS = (0.0, 0.25, 0.5, 0.75, 1.0)  # of what the hours say


class DeepCACTSNetwork(DeepCACNetwork):
    """DeepCAC's networks, a committee that reads hours, and how much its word counts."""

    def __init__(self, n_inputs, n_values, s):
        super().__init__(n_inputs, n_values, s)
        size = s.n_members, n_inputs, s.series, s.n_classes
        sizes = {"hidden": s.hidden, "dropout": s.expert_dropout}
        self.recurrent = RecurrentCommittee(*size, **sizes)
        self.recurrent_averaged = RecurrentCommittee(*size, **sizes).requires_grad_(False)
        self.register_buffer("hours_weight", torch.zeros(()))

    def shared(self, inputs):
        """Both committees' log risks by weight, member by member: the same folds left out."""
        weight = self.hours_weight.item()
        parts = []
        if weight < 1:
            parts.append((1 - weight) * super().shared(inputs).log_softmax(dim=-1))
        if weight > 0:
            parts.append(weight * self.recurrent_averaged(inputs).log_softmax(dim=-1))
        return sum(parts)


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


class SeriesPaths(OwnPaths):
    """Own paths on top of both committees, weighed by how they predict patients left out."""

    def settle(self):
        with torch.no_grad():
            losses = [self._loss(weight) for weight in WEIGHTS]
            self.network.hours_weight.fill_(
                WEIGHTS[min(range(len(losses)), key=losses.__getitem__)]
            )

    def _loss(self, weight):
        self.network.hours_weight.fill_(weight)
        logits = left_out(self.network.shared, self.train)
        return torch.nn.functional.cross_entropy(logits, self.train.y).item()
