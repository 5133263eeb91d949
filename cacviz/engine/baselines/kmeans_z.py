"""KM-Z: k-means on the embedding of an autoencoder, then a local network a cluster."""

from __future__ import annotations

from cacviz.engine.baselines.networked import ClusterThenPredict
from cacviz.engine.stages import Clustering
from cacviz.engine.training import Stage


class KMeansClustering(Clustering):
    """k-means once: a stage without epochs."""

    def stage(self):
        return Stage(
            phase="cluster",
            parameters=[self.network.centroids],
            epochs=0,
            n_patients=len(self.train.y),
            batch_size=self.settings.batch_size,
            step=self.check,
            check=self.check,
            begin=self.begin,
        )


class KMeansZ(ClusterThenPredict):
    """k-means on the embedding, then a local network a cluster; parameters as in `Networked`."""

    clustering_class: type[Clustering] = KMeansClustering
