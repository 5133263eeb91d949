"""Cohorts: roles, outcome, fingerprint, description, and the shared cohorts as they are."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.choosing import (
    with_kept,
    with_kinds,
    with_labels,
    with_missing,
    with_outcome,
    with_roles,
)
from cacviz.engine.cohorts.describing import describe
from cacviz.engine.cohorts.making import changed, make_cohort, read_cohort
from cacviz.engine.exceptions import CohortError
from cacviz.engine.types import Column, Outcome
from tests.engine.reading.cohort_files import shared_cohort

WARD = """id,age,stage,admitted,note,sex,stay,death
1,70,1,2020-01-01,a,F,3,0
2,61,2,2020-02-01,b,M,9,1
3,82,4,2020-03-01,c,F,20,0
4,55,1,2020-04-01,d,,7,1
"""


@pytest.fixture
def ward(tmp_path):
    path = tmp_path / "ward.csv"
    path.write_text(WARD)
    return path


def roles(cohort):
    return {c.name: c.role for c in cohort.columns}


def test_roles_of_a_read_cohort(ward):
    cohort = read_cohort(ward, outcome="death", id="id", drop=["stay"], roles={"sex": "sensitive"})
    assert roles(cohort) == {
        "id": "patient id",
        "age": "feature",
        "stage": "feature",
        "admitted": "left out",
        "note": "feature",
        "sex": "sensitive",
        "stay": "left out",
        "death": "outcome",
    }
    assert cohort.classes == ("0", "1")
    assert cohort.y.tolist() == [0, 1, 0, 1]


def test_cuts_and_missing_codes_reach_the_outcome(ward):
    cohort = read_cohort(ward, outcome="stay", cuts=(7,), missing=["stay=20"])
    assert cohort.y.tolist() == [0, 1, -1, 0]


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"outcome": "deaht"}, "no column 'deaht'. Did you mean: death"),
        ({"outcome": "Death"}, "Did you mean: death"),
        ({"outcome": "death", "id": "nr"}, "no column 'nr'. The table has: "),
        ({"outcome": "death", "drop": ["los"]}, "no column 'los'"),
        ({"outcome": "death", "roles": {"sex": "gender"}}, "'gender' is no role"),
        (
            {"outcome": "death", "id": "id", "roles": {"age": "patient id"}},
            "2 columns have the role",
        ),
        ({"outcome": "admitted"}, "holds dates"),
    ],
)
def test_wrong_calls_are_refused_in_words(ward, how, words):
    with pytest.raises(CohortError, match=words):
        read_cohort(ward, **how)


def test_another_outcome_leaves_the_old_one_out(ward):
    cohort = read_cohort(ward, outcome="death")
    other = changed(cohort, with_outcome, Outcome("stay", cuts=(7,)))
    assert roles(other)["death"] == "left out"
    assert other.classes == ("≤ 7", "> 7")
    assert roles(changed(cohort, with_roles, {"sex": "outcome"}))["death"] == "left out"
    assert changed(cohort, with_roles, {"death": "left out"}).outcome is None
    assert changed(cohort, with_outcome, None).classes == ()


def test_codes_can_be_read_as_categories_and_back(ward):
    cohort = changed(read_cohort(ward, outcome="death"), with_kinds, {"stage": "category"})
    assert cohort.frame["stage"].tolist() == ["1", "2", "4", "1"]
    assert cohort.column("stage").kind == "category"
    back = changed(cohort, with_kinds, {"stage": "number"})
    assert back.frame["stage"].tolist() == [1, 2, 4, 1]
    with pytest.raises(CohortError, match="row 2 holds F, which is not a number"):
        changed(cohort, with_kinds, {"sex": "number"})


def test_fingerprint_tells_content_roles_and_outcome_but_not_the_name(ward):
    cohort = read_cohort(ward, outcome="death")
    again = make_cohort("other", cohort.frame.copy(), cohort.columns, cohort.outcome)
    assert again.fingerprint == cohort.fingerprint
    other = cohort.frame.copy()
    other.loc[2, "age"] += 1
    blank = cohort.frame.copy()
    blank.loc[0, "sex"] = None
    others = [
        make_like(cohort, other),
        make_like(cohort, blank),
        changed(cohort, with_roles, {"age": "left out"}),
        changed(cohort, with_outcome, Outcome("stay", cuts=(7,))),
        changed(cohort, with_kinds, {"stage": "category"}),
        changed(cohort, with_missing, {"stay": "9"}),
    ]
    prints = {c.fingerprint for c in others}
    assert len(prints) == len(others)
    assert cohort.fingerprint not in prints


def make_like(cohort, frame):
    return make_cohort("ward", frame, cohort.columns, cohort.outcome)


def test_what_no_fit_sees_leaves_the_fingerprint_alone(ward):
    """A label that is written later must not make a cohort lose its runs."""
    cohort = read_cohort(ward, outcome="death")
    named = changed(cohort, with_labels, {"age": ("Age", "years")})
    answered = changed(named, with_kept, "stay", ["stay"])
    assert answered.column("age").title == "Age"
    assert answered.fingerprint == cohort.fingerprint


def test_fingerprint_is_the_same_in_another_process(ward):
    code = (
        "import sys; from cacviz.engine.cohorts.making import read_cohort;"
        "sys.stdout.write(read_cohort(sys.argv[1], outcome='death').fingerprint)"
    )
    command = [sys.executable, "-c", code, str(ward)]
    other = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert other == read_cohort(ward, outcome="death").fingerprint


def test_fingerprint_is_written_down():
    """A change here makes every stored run lose its cohort: bump it knowingly."""
    frame = pd.DataFrame({"x": [1.5, np.nan], "w": ["a", None], "y": [0, 1]})
    columns = [Column("x", "number"), Column("w", "category"), Column("y", "yesno")]
    found = make_cohort("any", frame, columns, Outcome("y")).fingerprint
    assert found == "bd7582b876e01cc910aa9aea0e4beb40e52c6431ea3e16e37c36eaccabcfea60"


def test_describe_has_a_row_a_column(ward):
    table = describe(read_cohort(ward, outcome="death")).set_index("name")
    assert list(table) == ["label", "unit", "kind", "role", "missing", "distinct", "values"]
    assert table.loc["age", "values"] == "55 to 82, median 65.5"
    assert table.loc["sex", "missing"] == 0.25
    assert table.loc["sex", "values"] == "F, M"
    assert table.loc["admitted", "values"] == "2020-01-01 to 2020-04-01"
    assert table.loc["stage", "distinct"] == 3


def test_describe_writes_numbers_and_levels_as_a_clinician_would():
    frame = pd.DataFrame(
        {"bnp": [53, 152_214, 1800], "nyha": ["II", "II", "I"], "crp": [0.25, 3, 9], "y": [0, 1, 0]}
    )
    columns = [Column(n, "category" if n == "nyha" else "number") for n in frame]
    table = describe(make_cohort("ward", frame, columns, Outcome("y"))).set_index("name")
    assert table.loc["bnp", "values"] == "53 to 152,214, median 1,800"
    assert table.loc["crp", "values"] == "0.25 to 9, median 3"
    assert table.loc["nyha", "values"] == "I, II"


def test_a_value_can_be_taken_as_missing(ward):
    plain = read_cohort(ward, outcome="death")
    cohort = changed(plain, with_missing, {"stay": "9", "sex": "M"})
    assert cohort.frame["stay"].isna().tolist() == [False, True, False, False]
    assert cohort.frame["sex"].isna().tolist() == [False, True, False, True]
    assert not plain.frame["stay"].isna().any()
    with pytest.raises(CohortError, match="one value only"):
        changed(cohort, with_missing, {"death": "1"})


def test_an_event_that_is_taken_as_missing_is_no_longer_the_event():
    frame = pd.DataFrame({"x": range(6), "y": ["no", "yes", "unknown"] * 2})
    columns = [Column("x", "number"), Column("y", "category")]
    cohort = make_cohort("ward", frame, columns, Outcome("y", positive="unknown"))
    assert changed(cohort, with_missing, {"y": "unknown"}).classes == ("no", "yes")


def test_a_named_sheet_is_read(tmp_path):
    path = tmp_path / "ward.xlsx"
    with pd.ExcelWriter(path) as book:
        for name, n in (("old", 9), ("new", 4)):
            frame = pd.DataFrame({"age": range(n), "dead": [0, 1] * (n // 2) + [0] * (n % 2)})
            frame.to_excel(book, sheet_name=name, index=False)
    assert read_cohort(path, outcome="dead").n_patients == 9
    assert read_cohort(path, outcome="dead", sheet="new").n_patients == 4


@pytest.mark.parametrize(
    ("key", "classes", "counts"),
    [
        ("death", ("0", "1"), [0, 3446, 554]),
        ("stay", ("≤ 7", "> 7 to 13", "> 13"), [60, 1368, 1235, 1337]),
        ("readmitted", ("NO", "<30", ">30"), [0, 54864, 11357, 35545]),
        ("sepsis", ("0", "1"), [0, 14696, 949]),
        ("actg175", ("0", "1"), None),
        ("gbsg2", ("0", "1"), None),
        ("nwtco", ("0", "1"), None),
        ("uci_heart", ("0", "1"), [0, 150, 120]),
        ("uci_pima", ("0", "1"), [0, 500, 268]),
        ("uci_saheart", ("0", "1"), [0, 302, 160]),
    ],
)
def test_shared_cohorts_have_the_classes_their_makers_count(key, classes, counts):
    cohort = shared_cohort(key)
    assert cohort.classes == classes
    if counts:
        assert np.bincount(cohort.y + 1).tolist() == counts
