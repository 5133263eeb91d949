"""The networks, only layers: autoencoder, local networks, and encoders side by side."""

from __future__ import annotations

import math

import torch
from torch import nn
from torch.nn import functional


class Autoencoder(nn.Module):
    """Encoder d-64-32 and decoder 32-64-d' (section 4.1); the embedding is linear.

    What is read and what is reconstructed may differ: an input code is often wider than the
    features that it stands for.
    """

    def __init__(self, n_inputs, n_outputs, *, hidden=64, embedding=32, dropout=0.0):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Linear(n_inputs, hidden),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(hidden, embedding),
        )
        self.decoder = nn.Sequential(
            nn.Linear(embedding, hidden), nn.ReLU(), nn.Linear(hidden, n_outputs)
        )

    def forward(self, x):
        z = self.encoder(x)
        return z, self.decoder(z)


class Parallel(nn.Module):
    """Linear layers side by side: (copies, patients, n_in) to (copies, patients, n_out)."""

    def __init__(self, copies, n_in, n_out):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(copies, n_in, n_out))
        self.bias = nn.Parameter(torch.empty(copies, 1, n_out))
        self.reset()

    @torch.no_grad()
    def reset(self):
        """Draw the weights anew."""
        bound = 1 / math.sqrt(self.weight.shape[1])
        self.weight.uniform_(-bound, bound)
        self.bias.uniform_(-bound, bound)

    def forward(self, x):
        return torch.baddbmm(self.bias, x, self.weight)


class LocalNetworks(nn.Module):
    """The k local networks 32-30-c, evaluated together: patients × k × c logits.

    They read the same embedding, so their first layers are one matrix product; `shift` and
    `spread` (k × 32), where given, standardise what each network reads.
    """

    def __init__(self, n_clusters, n_classes, *, embedding=32, hidden=30):
        super().__init__()
        self.first = nn.Linear(embedding, n_clusters * hidden)
        self.second = Parallel(n_clusters, hidden, n_classes)

    def forward(self, z):
        hidden = functional.relu(self.first(z)).view(len(z), len(self.second.weight), -1)
        return self.second(hidden.transpose(0, 1)).transpose(0, 1)

    def standardised(self, z, shift, spread):
        """The logits when network j reads (z - shift_j) / spread_j; patients × k × c."""
        k = len(self.second.weight)
        weight = self.first.weight.view(k, -1, z.shape[1]) / spread[:, None]
        bias = self.first.bias.view(k, -1) - (weight * shift[:, None]).sum(dim=2)
        hidden = functional.linear(z, weight.flatten(0, 1), bias.flatten())
        hidden = functional.relu(hidden).view(len(z), k, -1)
        return self.second(hidden.transpose(0, 1)).transpose(0, 1)


LINEAR_SHARE = 0.3  # the linear path learns at a third of the networks' pace


class Committee(nn.Module):
    """Several networks side by side, each with a linear path: members × patients × c logits.

    They know nothing of clusters: this is the risk that all patients share. The members start
    apart and learn from different patients; their mean is steadier than any of them.
    """

    def __init__(self, n_members, n_inputs, n_classes, *, hidden, embedding, expert, dropout):
        super().__init__()
        self.first = Parallel(n_members, n_inputs, hidden)
        self.second = Parallel(n_members, hidden, embedding)
        self.third = Parallel(n_members, embedding, expert)
        self.fourth = Parallel(n_members, expert, n_classes)
        self.linear = Parallel(n_members, n_inputs, n_classes)
        self.dropout = dropout

    def reset(self):
        """Draw all weights anew."""
        for layer in self.children():
            layer.reset()

    def forward(self, x):
        """`x`: patients × inputs for all members, or members × patients × inputs."""
        x = x.expand(len(self.first.weight), -1, -1)
        hidden = functional.dropout(functional.relu(self.first(x)), self.dropout, self.training)
        z = functional.dropout(functional.relu(self.second(hidden)), self.dropout, self.training)
        return self.fourth(functional.relu(self.third(z))) + LINEAR_SHARE * self.linear(x)
