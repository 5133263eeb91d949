"""Versions of a cohort that were replaced before anything was made from them."""

from __future__ import annotations

from cacviz.runs import cohorts, files, store, studies


@files.plainly()
def drop_draft(cohort_id: str) -> None:
    """Take a replaced version away, unless a run or a comparison was made from it."""

    def is_used() -> bool:
        return bool(store.list_runs(cohort_id) or studies.list_studies(cohort_id))

    cohorts.remove_cohort(cohort_id, unless=is_used)
