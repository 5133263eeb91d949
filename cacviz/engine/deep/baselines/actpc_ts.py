"""AC-TPC-TS: actor-critic predictive clustering over the hours of a stay."""

from __future__ import annotations

from cacviz.engine.deep.baselines.actpc import ACTPC
from cacviz.engine.deep.sequences.reading import ReadsSeries


class ACTPCTS(ReadsSeries, ACTPC):
    """AC-TPC on the embedding of an LSTM; X as in `ReadsSeries`, parameters as in `ACTPC`."""
