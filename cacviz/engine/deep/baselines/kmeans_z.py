"""KM-Z: k-means on the embedding of an autoencoder, then a local network a cluster."""

from __future__ import annotations

from cacviz.engine.deep.baselines.networked import ClusterThenPredict
from cacviz.engine.deep.clustering import Clustering
from cacviz.engine.deep.training import stage_of


class KMeansClustering(Clustering):
    """k-means once: a stage without epochs."""

    def stage(self):
        return stage_of(self, "cluster", [self.network.centroids], epochs=0, step=self.check)


class KMeansZ(ClusterThenPredict):
    """k-means on the embedding, then a local network a cluster; parameters as in `Networked`."""

    clustering_class: type[Clustering] = KMeansClustering
