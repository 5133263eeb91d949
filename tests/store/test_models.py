import functools
import os
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone

from cacviz.engine.cac.cac import CAC, KMeansExperts
from cacviz.engine.cac.experts import EXPERTS
from cacviz.store import atomic, models

skops = models._skops()

READER = """
import sys
from pathlib import Path
import numpy as np
from cacviz.store import models
folder = Path(sys.argv[1])
X = np.load(folder / "X.npy")
names = [path.name for path in folder.iterdir()]
for path in sorted(folder.glob("*.json")):
    model = models.unpack(path.stem, names, lambda name: (folder / name).read_bytes())
    np.save(folder / f"{path.stem}.again.npy", model.predict_proba(X))
print("torch" in sys.modules)
"""


@pytest.fixture(scope="module")
def patients():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(160, 4))
    return X, (X[:, 0] + rng.normal(size=160) > 0).astype(int)


def fitted(expert, patients):
    return CAC(n_clusters=2, expert=expert, n_init=1, random_state=0).fit(*patients)


def with_constant_experts(patients):
    """Clusters of one outcome, whose expert is a prior, and one that knows one odd patient."""
    X, y = patients
    apart = X + 50 * (np.arange(len(X)) % 3)[:, None]
    return KMeansExperts(3, expert="svm", n_init=1, random_state=0).fit(
        apart, np.arange(len(y)) == 0
    )


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore:The least populated class")  # the odd patient
def test_every_expert_predicts_the_same_bits_in_a_fresh_process(patients, tmp_path):
    saved = {name: fitted(name, patients) for name in EXPERTS}
    saved["constant"] = with_constant_experts(patients)
    np.save(tmp_path / "X.npy", patients[0])
    for name, model in saved.items():
        kind = "kmeans" if name == "constant" else "cac"
        for file, data in models.pack(name, kind, model).items():
            (tmp_path / file).write_bytes(data)
    command = [sys.executable, "-c", READER, str(tmp_path)]
    out = subprocess.run(command, capture_output=True, text=True, check=True)
    for name, model in saved.items():
        again = np.load(tmp_path / f"{name}.again.npy")
        np.testing.assert_array_equal(again, model.predict_proba(patients[0]), err_msg=name)
    assert out.stdout.strip() == "False"  # nor was torch loaded for it


def test_a_model_comes_back_with_all_that_its_fit_left(patients):
    model = fitted("lr", patients)
    saved = models.pack("model", "cac", model)
    back = models.unpack("model", saved, saved.__getitem__)
    assert clone(back).get_params()["expert"] == "lr"
    assert back.history_ == model.history_
    assert back.critical_alpha_ == model.critical_alpha_
    np.testing.assert_array_equal(back.labels_, model.labels_)


def test_no_stored_file_names_a_module_of_ours(patients):
    saved = models.pack("model", "cac", fitted("lr", patients))
    assert not [name for name, data in saved.items() if b"cacviz." in data]


class Unknown:
    """A class that cacviz does not write."""

    def __init__(self):
        self.weight = 1.0

    def get_state(self):
        return {}, {}, {"own": Unknown()}


def test_a_type_that_is_not_on_the_list_is_not_saved():
    with pytest.raises(TypeError, match="cannot be saved safely"):
        models.pack("model", "cac", Unknown())


@pytest.mark.parametrize("thing", [Unknown(), functools.partial(os.system, "touch canary")])
def test_a_file_that_asks_for_other_types_is_not_opened(thing, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    hostile = {
        "model.json": b'{"kind":"cac","meta":{}}',
        "model.safetensors": models.pack_arrays({}),
        "model.skops": skops.dumps(thing),
    }
    with pytest.raises(atomic.StoreError, match="not opened"):
        models.unpack("model", hostile, hostile.__getitem__)
    assert not list(tmp_path.glob("canary"))


@pytest.mark.parametrize(
    "hostile",
    [
        {"model.skops": b"\x80\x04."},
        {"model.json": b"not json", "model.safetensors": b""},
        {"model.json": b'{"kind":"os:system","meta":{}}', "model.safetensors": b""},
        {"model.json": b'{"module":"os","class":"system","meta":{}}', "model.safetensors": b""},
        {"model.json": b'{"kind":"cac","meta":{}}', "model.safetensors": b""},
        {
            "model.json": b'{"kind":"preparation","meta":{}}',
            "model.safetensors": (2**62).to_bytes(8, "little") + b"{}",
        },
    ],
)
def test_damaged_and_hostile_files_are_refused_with_a_reason(hostile):
    with pytest.raises(atomic.StoreError):
        models.unpack("model", hostile, hostile.__getitem__)
