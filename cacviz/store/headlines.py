"""What a list of runs shows of a result, without reading all of it."""

from __future__ import annotations

from typing import Any

from cacviz.engine.types import RunSummary
from cacviz.store.records import to_plain


def headline(summary: RunSummary) -> dict[str, Any]:
    """What a list of runs shows of a result."""
    return {
        "test": to_plain(summary.test),
        "silhouette": float(summary.silhouette),
        "routing_agreement": to_plain(summary.routing_agreement),
        "sizes": [int(cluster.n) for cluster in summary.clusters],
        "seconds": float(summary.seconds),
        "alpha": to_plain(summary.alpha),
        "conclusion": summary.verdict.conclusion if summary.verdict else "",
    }
