"""A run becomes numbers worth showing: who the subtypes are, what differs, what drives the risk."""

from cacviz.engine.insights.making import STEPS, insight_steps, make_insights
from cacviz.engine.insights.types import Described, Insights, PatientMap, Silhouettes, Students

__all__ = [
    "STEPS",
    "Described",
    "Insights",
    "PatientMap",
    "Silhouettes",
    "Students",
    "insight_steps",
    "make_insights",
]
