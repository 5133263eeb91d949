"""Small cohorts with a known shape, and the way to the real ones."""

import os
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"
# Two test processes on two cores: threads of one would only wait for those of the other.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Compiled kernels outlive a test: the worker of each would otherwise wait for the compiler.
os.environ.setdefault("NUMBA_CACHE_DIR", str(ROOT / ".pytest_cache" / "numba"))


@pytest.fixture
def two_wards():
    """Two wards far apart; inside each the outcome hangs on another feature."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(240, 4))
    ward = np.repeat([0, 1], 120)
    X[:, 0] += 6 * ward
    risk = np.where(ward == 0, X[:, 1], -X[:, 2])
    return X, (risk + 0.3 * rng.normal(size=240) > 0.4).astype(int)


@pytest.fixture
def shared_data():
    """The folder of real cohorts; a checkout without it runs the other tests."""
    if not SHARED.is_dir():
        pytest.skip("the real cohorts are not beside this checkout")
    return SHARED
