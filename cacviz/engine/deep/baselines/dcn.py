"""DCN-Z: an embedding made for k-means (Yang et al. 2017), then a local network a cluster."""

from __future__ import annotations

from numbers import Real

import torch

from cacviz.engine.deep import losses
from cacviz.engine.deep.baselines.networked import ClusterThenPredict
from cacviz.engine.deep.clustering import Clustering, move, probe
from cacviz.engine.protocol import at_least


class DCNClustering(Clustering):
    """Network step, nearest centroid, then each centroid by cumulative counts from 100."""

    terms = ("reconstruction", "compactness")

    def stage(self):
        return self._stage(self.network.autoencoder.parameters(), after_step=self.move_centroids)

    def move_centroids(self, rows):
        move(self.network, *self.batch)

    def validate(self, z, labels):
        return probe(self, z, labels)

    def step(self, rows):
        x, values, measured, _ = self.train.batch(rows)
        z, rebuilt = self.network.autoencoder(x)
        centroids = self.network.centroids.detach()
        labels = losses.squared_distances(z.detach(), centroids).argmin(dim=1)
        terms = torch.stack(
            [
                losses.reconstruction(values, rebuilt, measured).mean(),
                losses.compactness(z, centroids, labels).mean(),
            ]
        )
        self.sums += terms.detach() * len(rows)
        self.batch = z.detach(), labels
        return terms[0] + self.settings.beta / 2 * terms[1]


class DCNZ(ClusterThenPredict):
    """Deep clustering network, then a local network a cluster.

    The loss is DCN's: squared norm of what the decoder missed + beta/2 · squared distance to the
    patient's own centroid. (The authors' code moves the wrong rows of centroids; finding 5.)
    Parameters as in `Networked`, and beta, the weight of the distance; None is 2.
    """

    clustering_class: type[Clustering] = DCNClustering
    own_beta = 2.0
    _parameter_constraints = ClusterThenPredict._parameter_constraints | {
        "beta": [at_least(0, Real), None]
    }

    def __init__(
        self,
        n_clusters=3,
        *,
        beta=None,
        pretrain_epochs=None,
        epochs=None,
        expert_epochs=60,
        batch_size=256,
        learning_rate=None,
        dropout=None,
        hidden=64,
        embedding=32,
        expert_hidden=30,
        random_state=None,
    ):
        super().__init__(
            n_clusters,
            pretrain_epochs=pretrain_epochs,
            epochs=epochs,
            expert_epochs=expert_epochs,
            batch_size=batch_size,
            learning_rate=learning_rate,
            dropout=dropout,
            hidden=hidden,
            embedding=embedding,
            expert_hidden=expert_hidden,
            random_state=random_state,
        )
        self.beta = beta

    def _settings(self, n_patients):
        beta = self.own_beta if self.beta is None else self.beta
        return super()._settings(n_patients)._replace(beta=beta)
