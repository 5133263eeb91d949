"""The risk that all patients share, read in hours too: beside networks and trees of summaries."""

from __future__ import annotations

from cacviz.engine.deep.experts import SharedRisk
from cacviz.engine.deep.module import DeepCACNetwork
from cacviz.engine.deep.sequences.networks import RecurrentCommittee


class DeepCACTSNetwork(DeepCACNetwork):
    """DeepCAC's networks and trees, and a committee that reads hours."""

    n_readings = 3

    def __init__(self, n_inputs, n_values, s):
        super().__init__(n_inputs, n_values, s)
        size = s.n_members, n_inputs, s.series, s.n_classes
        sizes = {"hidden": s.hidden, "dropout": s.expert_dropout}
        self.recurrent = RecurrentCommittee(*size, **sizes)
        self.recurrent_averaged = RecurrentCommittee(*size, **sizes).requires_grad_(False)

    def readings(self):
        return self.read_by_networks, self.recurrent_averaged, self.read_by_trees


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
