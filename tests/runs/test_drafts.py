from cacviz import runs
from cacviz.engine.studies import study_plan
from cacviz.runs import studies
from cacviz.runs.drafts import drop_draft


def test_a_version_that_nothing_was_made_from_goes(ward_id):
    drop_draft(ward_id)
    assert runs.list_cohorts() == []


def test_a_version_with_a_run_stays(ward_id, config):
    runs.create_run(ward_id, config)
    drop_draft(ward_id)
    assert [row.id for row in runs.list_cohorts()] == [ward_id]


def test_a_version_with_a_comparison_stays(ward_id, monkeypatch):
    monkeypatch.setattr(studies, "_start", lambda folder: None)
    study_id = studies.start_study(ward_id, study_plan(["kmeans"], [2], 2), n_jobs=1)
    drop_draft(ward_id)
    assert [row.id for row in runs.list_cohorts()] == [ward_id]
    assert [row.id for row in studies.list_studies()] == [study_id]


def test_a_version_that_is_gone_already_is_no_error(ward_id):
    drop_draft(ward_id)
    drop_draft(ward_id)
    assert runs.list_cohorts() == []
