"""Networks over hours, only layers: an LSTM autoencoder, and GRUs side by side."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import nn
from torch.nn import functional

from cacviz.engine.deep.networks import Parallel

BLOCKS = 3  # values carried forward, whether measured, time since


class SeriesShape(NamedTuple):
    """Of the hours in a patient's inputs: three blocks of hours × variables."""

    n_hours: int
    n_variables: int

    @property
    def n_channels(self):
        """What is read each hour."""
        return BLOCKS * self.n_variables


class Hours(nn.Module):
    """From a patient's row of inputs to what happened each hour: patients × hours × channels."""

    def __init__(self, n_static, shape):
        super().__init__()
        self.n_static, self.shape = n_static, shape

    def forward(self, inputs):
        rest = inputs[..., self.n_static :]
        blocks = rest.unflatten(-1, (BLOCKS, self.shape.n_hours, self.shape.n_variables))
        return torch.cat(blocks.unbind(-3), dim=-1)


def lstm(n_in, n_out):
    """An LSTM that starts by remembering (Gers et al. 2000): it learns in fewer epochs."""
    made = nn.LSTM(n_in, n_out, batch_first=True)
    with torch.no_grad():
        made.bias_ih_l0[n_out : 2 * n_out] += 1.0
    return made


class SeriesEncoder(nn.Module):
    """LSTM channels-64, LSTM 64-32; the embedding is the last hidden state."""

    def __init__(self, n_static, shape, *, hidden=64, embedding=32, dropout=0.0):
        super().__init__()
        self.hours = Hours(n_static, shape)
        self.first = lstm(shape.n_channels, hidden)
        self.dropout = nn.Dropout(dropout)
        self.second = lstm(hidden, embedding)

    def forward(self, inputs):
        steps, _ = self.first(self.hours(inputs))
        _, (last, _) = self.second(self.dropout(steps))
        return last[0]


class SeriesDecoder(nn.Module):
    """The embedding and the clock each hour, LSTM 33-64, linear 64-variables; flat, as values."""

    def __init__(self, shape, *, hidden=64, embedding=32):
        super().__init__()
        self.n_hours = shape.n_hours
        self.steps = lstm(embedding + 1, hidden)
        self.values = nn.Linear(hidden, shape.n_variables)

    def forward(self, z):
        clock = torch.linspace(-1, 1, self.n_hours).expand(len(z), -1)[:, :, None]
        each = torch.cat([z[:, None].expand(-1, self.n_hours, -1), clock], dim=2)
        steps, _ = self.steps(each)
        return self.values(steps).flatten(1)


class SeriesAutoencoder(nn.Module):
    """Reads values, masks and times since; rebuilds the values of each hour."""

    def __init__(self, n_static, shape, *, hidden=64, embedding=32, dropout=0.0):
        super().__init__()
        sizes = {"hidden": hidden, "embedding": embedding}
        self.encoder = SeriesEncoder(n_static, shape, **sizes, dropout=dropout)
        self.decoder = SeriesDecoder(shape, **sizes)

    def forward(self, inputs):
        z = self.encoder(inputs)
        return z, self.decoder(z)


class RecurrentCommittee(nn.Module):
    """Several GRUs side by side over the same hours: members × patients × c logits.

    They know nothing of clusters, as `Committee`, and differ from it in what they read.
    """

    def __init__(self, n_members, n_static, shape, n_classes, *, hidden, dropout):
        super().__init__()
        self.hours = Hours(n_static, shape)
        self.reading = Parallel(n_members, shape.n_channels, 3 * hidden)
        self.carrying = Parallel(n_members, hidden, 3 * hidden)
        self.saying = Parallel(n_members, 2 * hidden, n_classes)
        self.dropout = dropout

    def reset(self):
        """Draw all weights anew."""
        for layer in (self.reading, self.carrying, self.saying):
            layer.reset()

    def forward(self, inputs):
        """`inputs`: patients × inputs for all members, or members × patients × inputs."""
        members, hidden = self.carrying.weight.shape[:2]
        hours = self.hours(inputs).expand(members, -1, -1, -1)
        state = hours.new_zeros(members, hours.shape[1], hidden)
        total = state
        for hour in hours.unbind(2):
            state = self._next(self.reading(hour), self.carrying(state), state)
            total = total + state
        said = torch.cat([state, total / hours.shape[2]], dim=2)
        return self.saying(functional.dropout(said, self.dropout, self.training))

    @staticmethod
    def _next(read, carried, state):
        """One hour of a GRU (Cho et al. 2014); it starts by remembering."""
        (r, u, new), (r_, u_, new_) = read.chunk(3, dim=2), carried.chunk(3, dim=2)
        keep = torch.sigmoid(u + u_ + 1)
        candidate = torch.tanh(new + torch.sigmoid(r + r_) * new_)
        return candidate + keep * (state - candidate)
