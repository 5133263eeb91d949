"""Preparation: by hand, its laws, its state, and the numbers that break others."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.exceptions import CohortError
from cacviz.engine.preparation.preparing import MAX_LEVELS, Preparation
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.types import TRAIN, Column, Outcome
from tests.engine.reading.cohort_files import COHORTS, shared_cohort


def prepare(frame, y=None, kinds=None, scaling="standard", new=None):
    kinds = kinds or {}
    columns = [Column(n, kinds.get(n, "number")) for n in frame]
    y = np.arange(len(frame)) % 2 if y is None else y
    made = Preparation(scaling).fit(frame, columns, y)
    return made.transform(frame if new is None else new)


def one(values, **options):
    kind = {"x": options.pop("kind", "number")}
    return prepare(pd.DataFrame({"x": values}), kinds=kind, **options)


def test_a_number_by_hand():
    got = one([1.0, 3.0, np.nan, 8.0])
    mean, sd = 4.0, np.std([1.0, 3.0, 8.0])
    expected = (np.array([1, 3, 3, 8]) - mean) / sd  # 3 is the median
    assert got.X[:, 0] == pytest.approx(expected)
    assert np.isnan(got.gaps[2, 0])
    assert got.names == got.sources == ("x",)


def test_values_beyond_five_standard_deviations_are_clipped():
    got = one([*np.random.default_rng(0).normal(size=999), 50.0])
    assert got.X.max() == 5.0


def test_rank_scaling_gives_normal_scores_whatever_the_shape():
    x = np.random.default_rng(0).normal(size=1001)
    plain, bent = one(x, scaling="rank").X[:, 0], one(np.exp(5 * x), scaling="rank").X[:, 0]
    assert plain == pytest.approx(bent, abs=1e-12)
    assert np.sort(plain)[500] == pytest.approx(0, abs=1e-12)
    assert np.quantile(plain, 0.975) == pytest.approx(1.96, abs=0.05)


def test_rank_scaling_holds_new_extremes_at_the_trained_ones():
    frame = pd.DataFrame({"x": np.arange(100.0)})
    got = prepare(frame, scaling="rank", new=pd.DataFrame({"x": [-1e9, 0, 99, 1e9]})).X[:, 0]
    assert got[0] == got[1]
    assert got[2] == got[3]


def test_yes_and_no_become_one_column():
    got = one(["yes", "no", "no", "no", None], kind="yesno")
    assert got.names == ("x",)
    assert got.X[0, 0] > 0 > got.X[1, 0]
    assert got.X[4, 0] == got.X[1, 0]  # the more frequent
    assert np.isnan(got.gaps[4, 0])


def test_two_levels_need_one_column():
    got = one(["F", "M", "F"] * 20, kind="category")
    assert got.names == ("x = M",)


def test_levels_by_hand_with_missing_in_the_middle():
    got = one(["a"] * 30 + ["b"] * 20 + ["c"] * 10 + [None], kind="category")
    assert got.names == ("x = a", "x = b", "x = c")
    assert got.X[0].argmax() == 0
    assert got.X[30].argmax() == 1
    assert got.X[-1].tolist() == [0, 0, 0]
    assert not np.isnan(got.gaps).any()


def test_rare_levels_are_pooled_and_unseen_ones_join_them():
    frame = pd.DataFrame({"x": ["a"] * 500 + ["b"] * 400 + ["c"] * 3 + ["d"] * 2})
    got = prepare(frame, kinds={"x": "category"}, new=pd.DataFrame({"x": ["c", "never", None]}))
    assert got.names == ("x = a", "x = b", "x = other")
    assert got.X[0].tolist() == got.X[1].tolist()
    assert got.X[0].argmax() == 2
    assert got.X[2].tolist() == [0, 0, 0]


def test_an_unseen_level_without_a_pool_says_nothing():
    frame = pd.DataFrame({"x": ["a", "b", "c"] * 30})
    got = prepare(frame, kinds={"x": "category"}, new=pd.DataFrame({"x": ["new", "a"]}))
    assert got.X[0].tolist() == [0, 0, 0]


def test_many_levels_are_capped():
    rng = np.random.default_rng(0)
    got = one([f"d{i}" for i in rng.integers(0, 60, 3000)], kind="category")
    assert got.X.shape[1] == MAX_LEVELS + 1


def test_numbers_as_categories_match_their_words():
    frame = pd.DataFrame({"x": ["1", "2", "3"] * 30})
    new = pd.DataFrame({"x": [1.0, 2.0, np.nan]})
    got = prepare(frame, kinds={"x": "category"}, new=new)
    assert got.X[0].argmax() == 0
    assert got.X[1].argmax() == 1


def test_not_measured_is_a_feature_only_where_it_tells_of_the_outcome():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 1000)
    frame = pd.DataFrame(rng.normal(size=(1000, 4)), columns=["sign", "twin", "chance", "whole"])
    gone = rng.random(1000) < np.where(y, 0.6, 0.2)
    frame.loc[gone, ["sign", "twin"]] = np.nan
    frame.loc[rng.random(1000) < 0.4, "chance"] = np.nan
    got = prepare(frame, y)
    assert got.names == ("sign", "twin", "chance", "whole", "sign not measured")
    assert got.sources[-1] == "sign"
    assert np.array_equal(got.X[:, -1] > 0, gone)


def test_constant_and_empty_columns_are_left_out():
    frame = pd.DataFrame({"x": [1.0, 2, 3], "same": 5.0, "empty": np.nan, "one": [1, np.nan, 1]})
    assert prepare(frame).names == ("x",)


def test_nothing_left_is_refused_in_words():
    with pytest.raises(CohortError, match="No feature is left"):
        prepare(pd.DataFrame({"same": [5.0, 5.0, 5.0]}))


def test_only_features_are_used():
    roles = ["feature", "outcome", "patient id", "time", "event", "sensitive", "ignore"]
    frame = pd.DataFrame({r: [1.0, 2, 3, 4] for r in [*roles, "external check"]})
    columns = [Column(r, "number", r) for r in frame]
    made = Preparation().fit(frame, columns, np.array([0, 1, 0, 1]))
    assert made.names_ == ("feature",)


def test_labels_are_shown_and_sources_kept():
    frame = pd.DataFrame({"hr": [60.0, 70, 80]})
    made = Preparation().fit(frame, [Column("hr", "number", label="Heart rate")], np.zeros(3, int))
    assert made.names_ == ("Heart rate",)
    assert made.sources_ == ("hr",)


def test_names_are_told_apart():
    frame = pd.DataFrame({"hr1": [60.0, 70, 80], "hr2": [61.0, 75, 88]})
    columns = [Column(n, "number", label="Heart rate") for n in frame]
    made = Preparation().fit(frame, columns, np.zeros(3, int))
    assert made.names_ == ("Heart rate", "Heart rate (2)")


def test_a_file_without_the_columns_is_refused_by_name_and_more_columns_are_ignored():
    frame = pd.DataFrame({"a": [1.0, 2, 3], "b": [3.0, 1, 2]})
    with pytest.raises(CohortError, match="lacks 1 of the columns that were used: b"):
        prepare(frame, new=frame[["a"]])
    more = frame.assign(extra="x")[["extra", "b", "a"]]
    assert np.array_equal(prepare(frame, new=more).X, prepare(frame).X)


def test_an_unknown_scaling_is_refused():
    with pytest.raises(CohortError, match="'standard' or 'rank'"):
        Preparation("robust")


@pytest.mark.parametrize("scaling", ["standard", "rank"])
@pytest.mark.parametrize("odd", [1e308, -1e308, np.inf, -np.inf, np.nan, 5e-324])
def test_odd_numbers_do_not_drown_the_others(scaling, odd):
    x = np.r_[np.random.default_rng(0).normal(50, 10, 300), odd]
    got = one(x, scaling=scaling)
    assert np.isfinite(got.X).all()
    assert np.abs(got.X).max() <= 5
    spread = np.std(got.X[:300, 0])
    assert 0.05 < spread < 1.5


@settings(max_examples=60, deadline=None)
@given(
    hnp.arrays(float, (40, 3), elements=st.floats(width=64)),
    hnp.arrays(float, (7, 3), elements=st.floats(width=64)),
    st.sampled_from(["standard", "rank"]),
)
def test_any_numbers_give_finite_numbers(train, new, scaling):
    train[0], train[1] = 0.0, 1.0  # something to learn from
    got = prepare(pd.DataFrame(train), scaling=scaling, new=pd.DataFrame(new))
    assert np.isfinite(got.X).all()
    assert np.abs(got.X).max() <= 5


def mixed_cohort(n=400):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 90, n),
            "lab": np.where(rng.random(n) < 0.3, np.nan, rng.lognormal(size=n)),
            "ward": rng.choice(["a", "b", "c", "ä"], n),
            "smoker": rng.choice(["yes", "no"], n),
            "y": rng.integers(0, 2, n),
        }
    )
    frame.loc[frame["y"].eq(1) & (rng.random(n) < 0.5), "lab"] = np.nan
    kinds = ["number", "number", "category", "yesno", "yesno"]
    columns = [Column(n, k) for n, k in zip(frame, kinds, strict=True)]
    return make_cohort("mixed", frame, columns, Outcome("y"))


@pytest.mark.parametrize("scaling", ["standard", "rank"])
def test_state_is_json_and_arrays_and_gives_the_same_bits(scaling, tmp_path):
    cohort = mixed_cohort()
    made = Preparation(scaling).fit(cohort.frame, cohort.columns, cohort.y)
    arrays, meta = made.get_state()
    np.savez(tmp_path / "state.npz", **arrays)
    loaded = dict(np.load(tmp_path / "state.npz", allow_pickle=False))
    again = Preparation.from_state(loaded, json.loads(json.dumps(meta)))
    one, other = made.transform(cohort.frame), again.transform(cohort.frame)
    assert one.X.tobytes() == other.X.tobytes()
    assert one.gaps.tobytes() == other.gaps.tobytes()
    assert one.names == other.names
    assert one.sources == other.sources


@pytest.mark.parametrize("scaling", ["standard", "rank"])
def test_test_patients_change_nothing_that_was_fitted(scaling):
    cohort = mixed_cohort()
    split = split_cohort(cohort)
    train = split.rows(TRAIN)
    others = np.setdiff1d(np.arange(cohort.n_patients), train)
    changed = cohort.frame.copy()
    changed.loc[others, "age"] = 1_000_000
    changed.loc[others, "lab"] = np.nan
    changed.loc[others, "ward"] = "elsewhere"
    permuted = cohort.frame.copy()
    permuted.iloc[others] = permuted.iloc[others[::-1]].to_numpy()
    states = [
        Preparation(scaling).fit(f.iloc[train], cohort.columns, cohort.y[train]).get_state()
        for f in (cohort.frame, changed, permuted.astype(cohort.frame.dtypes))
    ]
    for arrays, meta in states[1:]:
        assert meta == states[0][1]
        for name, array in arrays.items():
            assert array.tobytes() == states[0][0][name].tobytes(), name


def test_each_patient_is_prepared_alone():
    cohort = mixed_cohort()
    made = Preparation().fit(cohort.frame, cohort.columns, cohort.y)
    together = made.transform(cohort.frame).X
    alone = np.vstack([made.transform(cohort.frame.iloc[[i]]).X for i in range(10)])
    assert np.array_equal(together[:10], alone)


def test_result_is_contiguous_float64():
    got = one([1.0, 2.0, np.nan, 4.0])
    for matrix in (got.X, got.gaps):
        assert matrix.dtype == np.float64
        assert matrix.flags.c_contiguous


@pytest.mark.parametrize("scaling", ["standard", "rank"])
@pytest.mark.parametrize("key", COHORTS)
def test_shared_cohorts_are_prepared(key, scaling):
    cohort = shared_cohort(key)
    train = split_cohort(cohort).rows(TRAIN)[:10_000]
    made = Preparation(scaling).fit(cohort.frame.iloc[train], cohort.columns, cohort.y[train])
    got = made.transform(cohort.frame.iloc[:5000])
    assert np.isfinite(got.X).all()
    assert np.abs(got.X).max() <= 5
    assert len(set(got.names)) == len(got.names) == got.X.shape[1]
    assert set(got.sources) <= set(cohort.names("feature"))
