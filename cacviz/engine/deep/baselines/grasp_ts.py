"""GRASP-TS: GRASP over the hours of a stay."""

from __future__ import annotations

from cacviz.engine.deep.baselines.grasp import GRASP
from cacviz.engine.deep.sequences.reading import ReadsSeries


class GRASPTS(ReadsSeries, GRASP):
    """GRASP on the embedding of an LSTM; X as in `ReadsSeries`, parameters as in `Networked`."""
