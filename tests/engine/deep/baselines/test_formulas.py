"""The baselines' formulas, by hand."""

import numpy as np
import pytest
import torch
from sklearn.cluster import KMeans
from torch.nn import functional

from cacviz.engine.deep.baselines import actpc, dcn, dmnn, grasp, idec
from cacviz.engine.deep.module import DeepCACNetwork, Patients, Settings

SIZES = {"hidden": 8, "embedding": 4, "expert_hidden": 5}


def settings(k=3, c=2, **more):
    base = {"alpha": 0.0, "beta": 2.0, "margin": 0.0, "scale": 1.0, "batch_size": 8}
    base |= {"learning_rate": 1e-3, "dropout": 0.0, "n_members": 0, **SIZES}
    base |= {"expert_dropout": 0.0, "n_patterns": 0, "n_features": 6}
    return Settings(n_clusters=k, n_classes=c, **(base | more))


def patients(n=12):
    values = torch.randn(n, 6)
    y = torch.randint(0, 2, (n,))
    return Patients(values, values, torch.ones(n, 6), y, torch.arange(n) % 4)


@pytest.fixture(autouse=True)
def seeded():
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        yield


def clustering(kind, s):
    network = DeepCACNetwork(6, 6, s)
    with torch.no_grad():
        network.centroids.normal_()
    train = patients()
    stage = kind(network, train, train, s, epochs=2, seed=0, notes=[])
    stage.stage()
    return network, train, stage


def test_dcn_is_what_the_decoder_missed_plus_half_beta_the_distance():
    network, train, stage = clustering(dcn.DCNClustering, settings(beta=3.0))
    rows = torch.arange(12)
    z, rebuilt = network.autoencoder(train.inputs)
    missed = (train.values - rebuilt).square().sum(dim=1).mean()
    nearest = torch.cdist(z, network.centroids).amin(dim=1).square().mean()
    assert stage.step(rows).item() == pytest.approx((missed + 1.5 * nearest).item(), rel=1e-4)


def test_idec_is_mean_squared_error_plus_beta_the_divergence_and_moves_centroids():
    network, train, stage = clustering(idec.IDECClustering, settings(beta=0.5))
    z, rebuilt = network.autoencoder(train.inputs)
    q = 1 / (1 + torch.cdist(z, network.centroids).square())
    q = q / q.sum(dim=1, keepdim=True)
    p = q.square() / q.sum(dim=0)
    p = (p / p.sum(dim=1, keepdim=True)).detach()
    expected = functional.mse_loss(rebuilt, train.values) + 0.5 * (p * (p / q).log()).sum(1).mean()
    loss = stage.step(torch.arange(12))
    assert loss.item() == pytest.approx(expected.item(), rel=1e-4)
    loss.backward()
    assert network.centroids.grad.abs().sum() > 0


def test_dmnn_mixes_probabilities_by_the_gate():
    network, train = dmnn.DMNNNetwork(6, 6, settings()), patients()
    z = network.embed(train.inputs)
    gates, risks = network.gate(z).softmax(dim=1), network.local(z).softmax(dim=2)
    expected = sum(gates[:, [k]] * risks[:, k] for k in range(3))
    torch.testing.assert_close(network.proba(train.inputs), expected)


def test_dmnn_learns_from_the_rows_of_the_batch():
    """The authors' code showed the experts the first rows of the training set (finding 4)."""
    network, train = dmnn.DMNNNetwork(6, 6, settings()), patients()
    rows = torch.tensor([7, 9, 11])
    loss = dmnn.Mixture(network, train, train, settings(), epochs=1).step(rows)
    proba = network.proba(train.inputs)[rows, train.y[rows]]
    assert loss.item() == pytest.approx(-proba.log().mean().item(), rel=1e-5)


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_actpc_separation_is_the_mean_over_pairs_and_finite_for_two(k):
    logits = torch.randn(k, 3)
    p = logits.softmax(dim=1)
    pairs = [-(p[a] * p[b].log()).sum().item() for a in range(k) for b in range(a + 1, k)]
    expected = np.mean(pairs) if pairs else 0.0
    assert actpc.mean_pair_cross_entropy(logits).item() == pytest.approx(expected, rel=1e-5)


def test_actpc_loss_is_the_exact_expectation_with_entropy():
    s = settings(k=2, alpha=0.7, beta=0.0)
    network, train = actpc.ACTPCNetwork(6, 6, s), patients()
    member = network.memberships(network.embed(train.inputs))
    risks = network.predictor(network.centroids).softmax(dim=1)
    each = torch.stack([-risks[k][train.y].log() for k in range(2)], dim=1)
    share = train.y.float().mean()
    weight = 0.7 * (-share * share.log2() - (1 - share) * (1 - share).log2())  # H(y) / log c
    own = (member * member.log()).sum(dim=1).mean()
    expected = (member * each).sum(dim=1).mean() - weight * own
    loss = actpc.ActorCritic(network, train, train, s, epochs=1).step(torch.arange(12))
    assert loss.item() == pytest.approx(expected.item(), rel=1e-5)


def test_actpc_separation_reaches_the_embeddings_only():
    s = settings(k=3, beta=1.0)
    network, train = actpc.ACTPCNetwork(6, 6, s), patients()
    with torch.no_grad():
        network.raw.normal_()
    actpc.ActorCritic(network, train, train, s, epochs=1).separation().backward()
    assert network.raw.grad.abs().sum() > 0
    assert all(p.grad is None for n, p in network.named_parameters() if n != "raw")


def test_actpc_with_hard_routing_has_one_risk_a_cluster(two_wards):
    X, y = two_wards
    quick = {"pretrain_epochs": 2, "epochs": 2, "expert_epochs": 2, "random_state": 0}
    model = actpc.ACTPC(2, routing="hard", **quick).fit(X, y)
    assert len(np.unique(model.predict_proba(X)[:, 1])) <= 2
    assert len(np.unique(actpc.ACTPC(2, **quick).fit(X, y).predict_proba(X)[:, 1])) > 10


def test_grasp_centres_are_those_of_k_means_and_carry_gradients():
    h = torch.cat([torch.randn(30, 4) + 5 * j for j in range(3)]).requires_grad_()
    start = h.detach()[[0, 30, 60]]
    centres = grasp.lloyd(h, start)
    known = KMeans(3, init=start.numpy(), n_init=1).fit(h.detach().numpy()).cluster_centers_
    np.testing.assert_allclose(centres.detach().numpy(), known, rtol=1e-4, atol=1e-5)
    centres.sum().backward()
    torch.testing.assert_close(h.grad, torch.full_like(h, 1 / 30))


def test_an_empty_cluster_of_a_batch_keeps_its_centre():
    start = torch.tensor([[0.0, 0.0], [100.0, 100.0]])
    torch.testing.assert_close(grasp.lloyd(torch.ones(3, 2), start)[1], start[1])


def test_grasp_graph_joins_nearest_centres():
    centres = torch.tensor([[0.0], [1.0], [5.0]])
    graph = grasp.neighbour_graph(centres, most=1)
    assert graph.tolist() == [[0, 1, 0], [1, 0, 0], [0, 1, 0]]
    assert grasp.neighbour_graph(centres).tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert grasp.neighbour_graph(centres[:1]).tolist() == [[1]]


def test_grasp_predicts_without_chance_and_learns_from_a_batch_of_one():
    network = grasp.GRASPNetwork(6, 6, settings())
    x = torch.randn(5, 6)
    network.eval()
    torch.testing.assert_close(network.proba(x), network.proba(x))
    network.train()
    h = network.embed(x[:1])
    assert torch.isfinite(network.logits(h, grasp.lloyd(h, network.centroids))).all()


def test_grasp_is_judged_with_the_graph_that_it_keeps():
    s = settings(k=3)
    network, train = grasp.GRASPNetwork(6, 6, s).eval(), patients()
    stage = grasp.Grasping(network, train, train, s, epochs=1, seed=0)
    stage.begin()
    with torch.no_grad():
        row = stage.check(0)
        assert row["validation_auprc"] == stage.validate()
