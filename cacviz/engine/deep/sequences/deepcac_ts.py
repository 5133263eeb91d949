"""DeepCAC-TS: DeepCAC over the hours of a stay."""

from __future__ import annotations

from cacviz.engine.deep.deepcac import DeepCAC
from cacviz.engine.deep.experts import SharedRisk
from cacviz.engine.deep.sequences import risk
from cacviz.engine.deep.sequences.reading import ReadsSeries
from cacviz.engine.deep.trees import TreesRisk


class DeepCACTS(ReadsSeries, DeepCAC):
    """DeepCAC whose embedding is that of an LSTM autoencoder over hours.

    Parameters and attributes as in `DeepCAC`; None for epochs is 12 and 16, fewer beyond 5,000
    patients. X is patients × hours × variables, NaN where nothing was measured, or `Stays`, which
    have static features beside the hours. Experts read those too; where there are none, they read
    summaries of the hours. The shared risk is a mixture of networks and of boosted trees of static
    features and of networks of the hours, weighed by patients left out.
    """

    network_class = risk.DeepCACTSNetwork
    shared_stages = (SharedRisk, risk.HoursRisk, TreesRisk)
    most_epochs = 12, 16

    def __init__(
        self,
        n_clusters=3,
        *,
        alpha=0.2,
        beta=5,
        routing="soft",
        pretrain_epochs=None,
        epochs=None,
        expert_epochs=60,
        batch_size=512,
        learning_rate=0.001,
        margin=0.4,
        scale=30,
        dropout=0.1,
        expert_dropout=0.3,
        hidden=64,
        embedding=32,
        expert_hidden=30,
        random_state=None,
    ):
        super().__init__(
            n_clusters,
            alpha=alpha,
            beta=beta,
            routing=routing,
            pretrain_epochs=pretrain_epochs,
            epochs=epochs,
            expert_epochs=expert_epochs,
            batch_size=batch_size,
            learning_rate=learning_rate,
            margin=margin,
            scale=scale,
            dropout=dropout,
            expert_dropout=expert_dropout,
            hidden=hidden,
            embedding=embedding,
            expert_hidden=expert_hidden,
            random_state=random_state,
        )
