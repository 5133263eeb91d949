"""Each term of the loss against its formula, by hand."""

import math

import pytest
import torch

from cacviz.engine.deep import losses


def test_reconstruction_is_the_squared_norm_over_measured_features():
    x = torch.tensor([[1.0, 2.0], [0.0, 5.0]])
    rebuilt = torch.tensor([[0.0, 4.0], [3.0, 1.0]])
    measured = torch.tensor([[1.0, 1.0], [1.0, 0.0]])
    assert losses.reconstruction(x, rebuilt, measured).tolist() == [1 + 4, 9]


def test_compactness_is_the_squared_distance_to_the_own_centroid():
    z = torch.tensor([[0.0, 0.0], [3.0, 4.0], [1.0, 1.0]])
    centroids = torch.tensor([[0.0, 1.0], [0.0, 0.0]])
    labels = torch.tensor([0, 1, 1])
    assert losses.compactness(z, centroids, labels).tolist() == [1, 25, 2]


def test_cluster_means_give_sse_over_size_summed_by_cluster():
    member = torch.tensor([[1.0, 0, 0], [0, 1, 0], [0, 1, 0], [1, 0, 0]])
    terms = torch.tensor([2.0, 3.0, 5.0, 4.0])
    assert losses.cluster_means(terms, member).item() == pytest.approx(3 + 4)  # third is empty
    each = terms[:, None].expand(4, 3)
    assert losses.cluster_means(each, member).item() == pytest.approx(3 + 4)


def test_separation_equals_the_additive_margin_softmax_by_hand():
    z = torch.tensor([[3.0, 4.0]])
    vectors = torch.tensor([[2.0, 0.0], [0.0, 7.0]])
    own, other = math.exp(10 * (0.6 - 0.4)), math.exp(10 * 0.8)
    loss = losses.separation(z, torch.tensor([0]), vectors, margin=0.4, scale=10)
    assert loss.item() == pytest.approx(-math.log(own / (own + other)), rel=1e-5)


def test_separation_does_not_depend_on_the_length_of_embedding_or_class_vectors():
    z, y = torch.randn(5, 4), torch.tensor([0, 1, 2, 1, 0])
    vectors = torch.randn(3, 4)
    short = losses.separation(z, y, vectors, margin=0.3, scale=20)
    long = losses.separation(9 * z, y, 0.1 * vectors, margin=0.3, scale=20)
    torch.testing.assert_close(short, long)


def test_margin_zero_is_plain_softmax_and_a_margin_costs():
    z, y, vectors = torch.randn(6, 4), torch.tensor([0, 1, 0, 1, 1, 0]), torch.randn(2, 4)
    cosine = torch.nn.functional.cosine_similarity(z[:, None], vectors[None], dim=2)
    plain = torch.nn.functional.cross_entropy(5 * cosine, y, reduction="none")
    torch.testing.assert_close(losses.separation(z, y, vectors, margin=0, scale=5), plain)
    assert (losses.separation(z, y, vectors, margin=0.4, scale=5) > plain).all()


def test_memberships_are_student_t_and_sum_to_one():
    z = torch.tensor([[0.0, 0.0]])
    centroids = torch.tensor([[1.0, 0.0], [0.0, 3.0]])
    found = losses.memberships(z, centroids)
    assert found.tolist()[0] == pytest.approx([0.5 / 0.6, 0.1 / 0.6])


def test_sharpened_memberships_are_more_confident_and_cost_nothing_when_certain():
    member = torch.tensor([[0.7, 0.3], [0.3, 0.7]])
    target = losses.sharpened(member)
    assert target[0, 0].item() == pytest.approx(0.49 / (0.49 + 0.09))
    certain = torch.tensor([[1.0, 0.0]])
    assert losses.divergence(certain, certain).item() == pytest.approx(0, abs=1e-9)
    assert (losses.divergence(target, member) > 0).all()


def test_imbalance_is_zero_for_equal_clusters_and_log_k_for_one_that_has_all():
    equal, one = torch.full((4, 3), 1 / 3), torch.tensor([[1.0, 0.0, 0.0]] * 4)
    assert losses.imbalance(equal).item() == pytest.approx(0, abs=1e-6)
    assert losses.imbalance(one).item() == pytest.approx(math.log(3), rel=1e-5)


def test_expert_loss_weighs_each_experts_cross_entropy_by_membership():
    logits = torch.log(torch.tensor([[[0.8, 0.2], [0.5, 0.5]]]))
    loss = losses.expert_loss(logits, torch.tensor([1]), torch.tensor([[0.25, 0.75]]))
    assert loss.item() == pytest.approx(-0.25 * math.log(0.2) - 0.75 * math.log(0.5), rel=1e-5)


def test_mixture_is_unmoved_by_an_experts_common_logit_offset():
    logits = torch.randn(5, 3, 2)
    weights = torch.rand(5, 3)
    weights = weights / weights.sum(dim=1, keepdim=True)
    shifted = logits + torch.tensor([0.0, 50.0, -50.0])[:, None]
    torch.testing.assert_close(losses.mixture(logits, weights), losses.mixture(shifted, weights))
    torch.testing.assert_close(losses.mixture(logits, weights).sum(dim=1), torch.ones(5))
