"""What is ready first: profiles of the subtypes, tests, suggested names and survival."""

from __future__ import annotations

from cacviz.engine.insights.described.evidence import held_out_tests
from cacviz.engine.insights.described.profiles import profile_subtypes
from cacviz.engine.insights.described.survival import survival_by_subtype
from cacviz.engine.insights.material import Material
from cacviz.engine.insights.names import suggest_names
from cacviz.engine.insights.types import Described


def describe_run(material: Material) -> Described:
    """Profiles of the training patients as found; everything tested is of held-out patients."""
    cohort, clusters, k = material.cohort, material.fitted.clusters, material.n_clusters
    profiles = profile_subtypes(
        cohort, clusters, k, material.train, material.test, seed=material.seed
    )
    survival = survival_by_subtype(cohort, clusters, k, material.followed)
    tests = held_out_tests(cohort, clusters, material.test, survival=survival, seed=material.seed)
    names = suggest_names(profiles, k, without=_maybe_codes(material))
    return Described(profiles, tests, names, survival)


def _maybe_codes(material: Material) -> set[str]:
    """Columns of which nobody said whether their numbers are codes of a category."""
    notes = material.fitted.summary.notes
    return {name for note in notes if note.code == "codes" for name in note.values["columns"]}
