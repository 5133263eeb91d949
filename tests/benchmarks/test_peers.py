"""GRU-D beside our own methods: the same patients, what it reads and what it does not."""

import numpy as np
import pytest

from benchmarks import peers, timeseries
from cacviz.engine.preparation.stays import Stays
from cacviz.engine.series.summaries import STATISTICS

NAN = np.nan


def made(n, seed=0):
    """Half of the patients rise from the fourth hour on; a third of all is not measured."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    hours = rng.normal(size=(n, 8, 3))
    hours[:, 4:, 0] += 3 * y[:, None]
    hours[rng.random(hours.shape) < 1 / 3] = NAN
    return Stays(hours.astype(np.float32), rng.normal(size=(n, 4))), y


def test_what_is_known_at_admission_is_measured_every_hour_and_summaries_are_left_out():
    stays = Stays(np.array([[[1.0], [NAN]]], dtype=np.float32), np.array([[7.0, 8.0, 9.0]]))
    joined = peers.with_known(stays, (0, 2))
    np.testing.assert_array_equal(joined, [[[1, 7, 9], [NAN, 7, 9]]])


def test_what_was_measured_is_scaled_by_hand():
    hours = np.array([[[1.0, NAN, 5.0]], [[3.0, NAN, 5.0]]])
    mean, spread = peers.scaling(hours)
    np.testing.assert_array_equal(mean, [2, 0, 5])
    np.testing.assert_array_equal(spread, [1, 1, 1])


def test_columns_that_are_no_summary_are_known_at_admission():
    summaries = [f"HR_{statistic}" for statistic in STATISTICS]
    columns = ["Age", *summaries, "MechVentStartTime", "UrineOutputSum", "Weight", "ICU_2"]
    known = timeseries.known_at_admission(columns, ("HR", "MechVent", "Urine", "Weight"))
    assert [columns[i] for i in known] == ["Age", "Weight", "ICU_2"]


def test_where_pypots_is_absent_a_sentence_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setattr(peers, "find_spec", lambda name: None)
    with pytest.raises(SystemExit, match=r"needs PyPOTS.*pip install"):
        timeseries.main(["--methods", "gbm,grud", "--data", str(tmp_path)])


def test_a_peer_has_no_clusters_to_vary():
    args = timeseries._arguments(["--methods", "grud", "--cohorts", "cic", "--splits", "110"])
    assert list(timeseries._cells(args)) == [("cic", "grud", 0, 110)]


@pytest.mark.filterwarnings("ignore")  # PyPOTS's own
def test_gru_d_finds_what_is_in_the_hours_and_reads_no_summary():
    pytest.importorskip("pypots", exc_type=ImportError)
    (X, y), (X_rest, y_rest), (X_test, y_test) = made(160), made(60, 1), made(60, 2)
    other = Stays(X.hours, X.static + np.array([100, 0, 100, 100]))
    first, again = (
        peers.GRUD((1,), hidden=8, epochs=12, batch=8, random_state=5)
        .fit(each, y, validation=(X_rest, y_rest))
        .predict_proba(X_test)
        for each in (X, other)
    )
    np.testing.assert_array_equal(first, again)
    np.testing.assert_allclose(first.sum(axis=1), 1, rtol=1e-5)
    assert (first.argmax(axis=1) == y_test).mean() > 0.8
