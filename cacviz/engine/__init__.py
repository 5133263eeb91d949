"""The science: importable, testable and citable without any app."""

from importlib import import_module

# Looked up when asked for, so that a page or plain CAC never loads torch or numba in vain.
_WHERE = {
    "CAC": "cacviz.engine.cac.cac",
    "KMeansExperts": "cacviz.engine.cac.cac",
    "DeepCAC": "cacviz.engine.deep.deepcac",
    "KMeansZ": "cacviz.engine.deep.baselines.kmeans_z",
    "DCNZ": "cacviz.engine.deep.baselines.dcn",
    "IDECZ": "cacviz.engine.deep.baselines.idec",
    "DMNN": "cacviz.engine.deep.baselines.dmnn",
    "ACTPC": "cacviz.engine.deep.baselines.actpc",
    "GRASP": "cacviz.engine.deep.baselines.grasp",
    "DeepCACTS": "cacviz.engine.deep.sequences.deepcac_ts",
    "GRASPTS": "cacviz.engine.deep.baselines.grasp_ts",
    "ACTPCTS": "cacviz.engine.deep.baselines.actpc_ts",
    "EXPERTS": "cacviz.engine.cac.experts",
    "METHODS": "cacviz.engine.running.methods",
    "fit_run": "cacviz.engine.running.fitting",
    "read_records": "cacviz.engine.series.records",
    "read_series": "cacviz.engine.series.tables",
    "series_table": "cacviz.engine.series.tables",
    "read_cohort": "cacviz.engine.cohorts.making",
    "split_cohort": "cacviz.engine.preparation.splits",
}
__all__ = sorted(_WHERE)


def __getattr__(name):
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)


def __dir__():
    return __all__
