"""A run that travels: what is in the file, what is not, and what comes of it elsewhere."""

import io
import json
import zipfile

import numpy as np
import pytest

from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running.fitting import fit_run
from cacviz.engine.types import RunConfig
from cacviz.jobs import environment
from cacviz.store import cohorts, insights, models, paths, runs
from cacviz.store.atomic import StoreError
from cacviz.store.bundles.opening import take_in
from cacviz.store.bundles.packing import pack_run
from cacviz.store.risk_choices import change_choices, checked, remedy_of


@pytest.fixture
def elsewhere(with_kept, tmp_path, monkeypatch):
    """Pack the kept run and take it in at another installation; gives the id there."""

    def carry(**how):
        data = pack_run(with_kept[1], **how)
        (tmp_path / "run.zip").write_bytes(data)
        here = paths.data_dir()
        monkeypatch.setenv(paths.DATA_DIR, str(tmp_path / "elsewhere"))
        return here, take_in(tmp_path / "run.zip")

    return carry


def risks(run_id, frame):
    preparation, model = runs.load_model(run_id)
    prepared = preparation.transform(frame)
    return model.predict_proba(prepared.X), model.predict_cluster(prepared.X)


def test_a_run_taken_in_elsewhere_predicts_the_same_to_the_last_bit(
    with_kept, elsewhere, monkeypatch
):
    frame = cohorts.load_cohort(with_kept[0]).frame
    wanted = risks(with_kept[1], frame)
    _, taken = elsewhere()
    found = risks(taken.run_id, frame)
    assert all((a == b).all() for a, b in zip(wanted, found, strict=True))
    (row,) = runs.list_runs()
    assert (row.id, row.state, row.card.name) == (taken.run_id, "done", "Kept")
    assert repr(runs.load_run(taken.run_id).summary).startswith("RunSummary")


def test_a_recalibration_travels_with_the_run_and_a_wrong_one_is_refused(
    with_kept, elsewhere, tmp_path
):
    change_choices(with_kept[1], recalibrated=True, slope=0.5, shifts=(0.0, 0.25))
    _, taken = elsewhere()
    assert remedy_of(taken.run_id) == (0.5, (0.0, 0.25))
    for wrong in (b"[]", b'{"slope": 0}', b'{"shifts": [1, 2, 3]}', b'{"slope": NaN}'):
        with pytest.raises(ValueError, match=r"."):
            checked(wrong, 2)


def test_no_entry_of_any_patient_leaves_unless_it_is_asked_for(with_kept):
    stored = runs.load_run(with_kept[1])
    ids = cohorts.load_cohort(with_kept[0]).frame["RecordID"].astype(str)
    with zipfile.ZipFile(io.BytesIO(pack_run(with_kept[1]))) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    assert not [n for n in files if "parquet" in n or "map" in n or "silhouettes" in n]
    sizes = {int((stored.part == p).sum()) for p in (0, 1, 2)} | {len(stored.part)}
    for name, data in files.items():
        if name.endswith(".safetensors"):
            for key, array in models.unpack_arrays(data).items():
                shared = set(array.shape) & sizes
                assert not shared or not array.any(), (name, key)
    text = b"".join(data for name, data in files.items() if name.endswith(".json")).decode()
    assert not [i for i in ids if f'"{i}"' in text]
    views = json.loads(files["insights/students/part.json"])["views"]
    assert [view["beeswarms"] for view in views] == [[]] * len(views)


def test_with_patients_the_cohort_and_every_insight_come_along(with_kept, elsewhere):
    wanted = runs.load_run(with_kept[1])
    _, taken = elsewhere(with_patients=True)
    found = runs.load_run(taken.run_id)
    assert np.array_equal(found.proba, wanted.proba)
    assert runs.cohort_of_run(found.asked).fingerprint == wanted.asked.fingerprint
    assert cohorts.describe_cohort(taken.cohort_id).n_patients == 400
    assert insights.load_part(taken.run_id, "silhouettes") is not None


def test_a_run_without_patients_has_a_cohort_of_nobody(elsewhere):
    _, taken = elsewhere()
    run = runs.load_run(taken.run_id)
    cohort = runs.cohort_of_run(run.asked)
    assert (cohort.n_patients, cohort.classes) == (0, run.asked.classes)
    assert run.without_patients
    with pytest.raises(StoreError, match="not kept here"):
        pack_run(taken.run_id, with_patients=True)


def test_nearest_neighbours_are_made_of_patients_and_stay_unless_asked_for(
    data_folder, ward, ward_id
):
    config = RunConfig(n_clusters=2, expert="knn")
    fitted = fit_run(split_cohort(ward, 0), config)
    run_id = runs.create_run(ward_id, config)
    runs.save_result(runs.run_folder(run_id), fitted, environment.describe(1))
    with pytest.raises(StoreError, match="made of its training patients"):
        pack_run(run_id)
    assert pack_run(run_id, with_patients=True)


def test_the_same_run_gives_the_same_file(with_kept):
    assert pack_run(with_kept[1]) == pack_run(with_kept[1])
