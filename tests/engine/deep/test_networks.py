"""Networks side by side give what the same networks give one by one."""

import torch
from torch import nn

from cacviz.engine.deep.networks import LINEAR_SHARE, Autoencoder, Committee, LocalNetworks


def _apply(layer, j, x):
    return x @ layer.weight[j] + layer.bias[j]


def test_autoencoder_has_the_papers_layers():
    net = Autoencoder(10, 7)
    sizes = [tuple(m.weight.shape) for m in net.modules() if isinstance(m, nn.Linear)]
    assert sizes == [(64, 10), (32, 64), (64, 32), (7, 64)]
    z, rebuilt = net(torch.randn(3, 10))
    assert z.shape == (3, 32)
    assert rebuilt.shape == (3, 7)


def _local(net, j, z):
    weight, bias = net.first.weight.view(3, 30, 32)[j], net.first.bias.view(3, 30)[j]
    return _apply(net.second, j, torch.relu(z @ weight.T + bias))


def test_local_networks_together_equal_each_alone():
    net, z = LocalNetworks(3, 2), torch.randn(5, 32)
    for j in range(3):
        torch.testing.assert_close(net(z)[:, j], _local(net, j, z))


def test_local_networks_read_what_is_standardised_for_their_cluster():
    net, z = LocalNetworks(3, 2), torch.randn(5, 32)
    shift, spread = torch.randn(3, 32), 0.1 + torch.rand(3, 32)
    logits = net.standardised(z, shift, spread)
    for j in range(3):
        alone = _local(net, j, (z - shift[j]) / spread[j])
        torch.testing.assert_close(logits[:, j], alone, rtol=1e-4, atol=1e-4)


def test_committee_together_equals_each_member_alone():
    sizes = {"hidden": 8, "embedding": 4, "expert": 5, "dropout": 0.5}
    net, x, m = Committee(2, 6, 3, **sizes).eval(), torch.randn(7, 6), 1
    logits = net(x)
    assert logits.shape == (2, 7, 3)
    z = torch.relu(_apply(net.second, m, torch.relu(_apply(net.first, m, x))))
    alone = _apply(net.fourth, m, torch.relu(_apply(net.third, m, z)))
    torch.testing.assert_close(logits[m], alone + LINEAR_SHARE * _apply(net.linear, m, x))
    torch.testing.assert_close(net(torch.stack([x, x])), logits)  # patients of its own a member
