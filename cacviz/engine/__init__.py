"""The science: importable, testable and citable without any app."""

from importlib import import_module

# Looked up when asked for, so that a page or plain CAC never loads torch or numba in vain.
_WHERE = {
    "CAC": "cacviz.engine.cac",
    "KMeansExperts": "cacviz.engine.cac",
    "DeepCAC": "cacviz.engine.deepcac",
    "KMeansZ": "cacviz.engine.baselines.kmeans_z",
    "DCNZ": "cacviz.engine.baselines.dcn",
    "IDECZ": "cacviz.engine.baselines.idec",
    "DMNN": "cacviz.engine.baselines.dmnn",
    "ACTPC": "cacviz.engine.baselines.actpc",
    "GRASP": "cacviz.engine.baselines.grasp",
    "EXPERTS": "cacviz.engine.experts",
    "METHODS": "cacviz.engine.methods",
    "fit_run": "cacviz.engine.methods",
    "read_cohort": "cacviz.engine.cohorts",
    "split_cohort": "cacviz.engine.splits",
}
__all__ = sorted(_WHERE)


def __getattr__(name):
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)


def __dir__():
    return __all__
