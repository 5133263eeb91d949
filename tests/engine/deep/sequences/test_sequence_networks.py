"""Networks over hours: shapes, twins of torch's own layers, and who learns from whom."""

import numpy as np
import torch
from torch import nn

from cacviz.engine import DeepCACTS
from cacviz.engine.deep.sequences.networks import (
    Hours,
    RecurrentCommittee,
    SeriesAutoencoder,
    SeriesShape,
)
from cacviz.engine.deep.sequences.risk import HoursRisk
from cacviz.engine.preparation.stays import Stays
from tests.engine.deep.sequences.courses import courses

SHAPE = SeriesShape(5, 2)


def test_hours_are_read_block_by_block():
    inputs = torch.arange(3 + 30.0)[None]  # three static inputs, then values, masks and times since
    hours = Hours(3, SHAPE)(inputs)
    assert hours.shape == (1, 5, 6)
    assert hours[0, 0].tolist() == [3, 4, 13, 14, 23, 24]
    assert hours[0, 4].tolist() == [11, 12, 21, 22, 31, 32]


def test_the_autoencoder_embeds_and_rebuilds_every_value():
    z, rebuilt = SeriesAutoencoder(3, SHAPE, hidden=8, embedding=4)(torch.randn(7, 33))
    assert z.shape == (7, 4)
    assert rebuilt.shape == (7, 10)


def test_a_member_of_the_committee_is_a_gru():
    torch.manual_seed(0)
    committee = RecurrentCommittee(2, 3, SHAPE, 2, hidden=4, dropout=0.0)
    inputs = torch.randn(6, 33)
    said = committee(inputs)
    assert said.shape == (2, 6, 2)
    for j in range(2):
        twin = nn.GRU(6, 4, batch_first=True)
        with torch.no_grad():
            twin.weight_ih_l0.copy_(committee.reading.weight[j].T)
            twin.weight_hh_l0.copy_(committee.carrying.weight[j].T)
            twin.bias_ih_l0.copy_(committee.reading.bias[j, 0])
            twin.bias_ih_l0[4:8] += 1  # it starts by remembering
            twin.bias_hh_l0.copy_(committee.carrying.bias[j, 0])
        states, last = twin(Hours(3, SHAPE)(inputs))
        read = torch.cat([last[0], states.mean(dim=1)], dim=1)
        expected = read @ committee.saying.weight[j] + committee.saying.bias[j]
        torch.testing.assert_close(said[j], expected)


def test_both_ways_of_giving_patients_to_the_committee_agree():
    committee = RecurrentCommittee(2, 3, SHAPE, 2, hidden=4, dropout=0.3).eval()
    inputs = torch.randn(6, 33)
    torch.testing.assert_close(committee(inputs), committee(torch.stack([inputs, inputs])))


def test_a_member_learns_nothing_from_the_fold_it_leaves_out():
    """Outcomes of fold 0 turned round leave the gradient of the member without it as it was."""
    X, y, _ = courses(80)
    model = DeepCACTS(1, random_state=0, pretrain_epochs=0, epochs=1, expert_epochs=1, hidden=8)
    model.fit(X, y)
    patients = model._patients(Stays(X), y, np.arange(80) % 4)
    turned = patients._replace(y=torch.where(patients.fold == 0, 1 - patients.y, patients.y))
    slopes = []
    for some in (patients, turned):
        settings = model._settings(80)
        stage = HoursRisk(model.network_.eval(), some, some, settings, epochs=1, seed=0)
        model.network_.zero_grad()
        stage.step(torch.arange(80)).backward()
        slopes.append(model.network_.recurrent.reading.weight.grad.clone())
    same = [torch.equal(a, b) for a, b in zip(*slopes, strict=True)]
    assert same == [True, False, False, False]
