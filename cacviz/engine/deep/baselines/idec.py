"""IDEC-Z: memberships sharpened while the embedding still rebuilds patients (Guo et al. 2017)."""

from __future__ import annotations

import torch

from cacviz.engine.deep import losses
from cacviz.engine.deep.baselines.dcn import DCNZ
from cacviz.engine.deep.clustering import Clustering, probe


class IDECClustering(Clustering):
    """Network and centroids learn together; the target is renewed every epoch on all patients."""

    terms = ("reconstruction", "compactness")
    target = None  # made from the network alone, so that a stopped fit goes on as it was

    def stage(self):
        network = self.network
        return self._stage([*network.autoencoder.parameters(), network.centroids])

    def step(self, rows):
        if self.target is None:
            self.target = self.renewed_target()
        x, values, measured, _ = self.train.batch(rows)
        z, rebuilt = self.network.autoencoder(x)
        member = losses.memberships(z, self.network.centroids)
        terms = torch.stack(
            [
                losses.reconstruction(values, rebuilt, measured).mean() / values.shape[1],
                losses.divergence(self.target[rows], member).mean(),
            ]
        )
        self.sums += terms.detach() * len(rows)
        return terms[0] + self.settings.beta * terms[1]

    @torch.no_grad()
    def renewed_target(self):
        was_training = self.network.training
        z = self.network.eval().embed(self.train.inputs)
        self.network.train(was_training)
        return losses.sharpened(losses.memberships(z, self.network.centroids))

    def check(self, epoch):
        self.target = None
        return super().check(epoch)

    def validate(self, z, labels):
        return probe(self, z, labels)


class IDECZ(DCNZ):
    """Improved deep embedded clustering, then a local network a cluster.

    The loss is mean squared error + beta · KL(target ‖ Student-t memberships). Centroids are
    trained. (The authors' code leaves them at the k-means start; finding 5.)
    Parameters as in `Networked`, and beta, the weight of the divergence; None is 0.5.
    """

    clustering_class: type[Clustering] = IDECClustering
    own_beta = 0.5
