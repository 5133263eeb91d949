"""What insights are made of: a cohort, a fitted run, and what is computed from both only once."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from cacviz.engine.insights.bedside.types import Wish
from cacviz.engine.insights.described.evidence import followed_rows
from cacviz.engine.preparation.preparing import Prepared
from cacviz.engine.preparation.stays import Stays
from cacviz.engine.running.fitting import inputs_of
from cacviz.engine.running.methods import method_named
from cacviz.engine.types import TEST, TRAIN, UNUSED, VALIDATION, Cohort, FittedRun


@dataclass(frozen=True, eq=False)
class Material:
    """A finished run with its patients; matrices are made when they are first asked for."""

    cohort: Cohort
    fitted: FittedRun
    wish: Wish = field(default_factory=Wish)  # of the bedside rule

    @property
    def n_clusters(self) -> int:
        return len(self.fitted.summary.clusters)

    @property
    def seed(self) -> int:
        return self.fitted.summary.config.seed

    @property
    def train(self) -> np.ndarray:
        return np.flatnonzero(self.fitted.part == TRAIN)

    @property
    def test(self) -> np.ndarray:
        return np.flatnonzero(self.fitted.part == TEST)

    @cached_property
    def followed(self) -> np.ndarray:
        """Whose survival is looked at: nobody of them taught the run anything."""
        unused = np.flatnonzero(self.fitted.part == UNUSED)
        taught = np.flatnonzero(np.isin(self.fitted.part, (TRAIN, VALIDATION)))
        return followed_rows(self.cohort, self.test, unused, taught, self.seed)

    @cached_property
    def prepared(self) -> Prepared:
        return self.fitted.preparation.transform(self.cohort.frame)

    @property
    def takes_gaps(self) -> bool:
        return method_named(self.fitted.summary.config.method).gaps

    @property
    def inputs(self) -> np.ndarray | Stays:
        """Patients as the run's model takes them."""
        method = method_named(self.fitted.summary.config.method)
        return inputs_of(self.cohort, self.prepared, method)

    @cached_property
    def space(self) -> np.ndarray:
        """Patients as the method sees them when it groups them."""
        if self.fitted.model.embeds:
            return np.asarray(self.fitted.model.embed(self.inputs), dtype=np.float32)
        return self.prepared.X.astype(np.float32)

    @property
    def space_kind(self) -> str:
        return "embedding" if self.fitted.model.embeds else "features"

    @cached_property
    def routed(self) -> np.ndarray:
        """Whose expert speaks for each patient: where new patients like it would go."""
        return np.asarray(self.fitted.model.predict_cluster(self.inputs))
