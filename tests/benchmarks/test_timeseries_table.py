"""The table of hours beside their summaries, by hand."""

import pandas as pd

from benchmarks import timeseries_table as table

ROWS = pd.DataFrame(
    [
        ("gbm", 0, 110, 0.50, 0.70, 8.0),
        ("gbm", 0, 111, 0.60, 0.80, 8.0),
        ("gbm", 0, 112, 0.90, 0.90, 8.0),
        ("deepcac_ts_soft", 3, 110, 0.52, 0.69, 90.0),
        ("deepcac_ts_soft", 3, 111, 0.66, 0.82, 110.0),
        ("grasp_ts", 3, 111, 0.56, 0.72, 50.0),
        ("actpc_ts", 3, 112, 0.56, 0.72, 50.0),
    ],
    columns=["method", "clusters", "split", "auprc_macro", "auc", "cpu_seconds"],
)


def test_differences_are_of_the_splits_that_both_have():
    assert table.said(table.paired(ROWS, ("gbm", 0), "auprc_macro")) == "+.0400 (.0283; 2 of 2)"
    assert table.said(table.paired(ROWS, ("gbm", 0), "auc")) == "+.0050 (.0212; 1 of 2)"
    assert table.said(table.paired(ROWS, ("grasp_ts", 3), "auc")) == "+.1000 (1 of 1)"


def test_a_line_has_the_means_of_a_method_over_splits_that_deepcac_ts_has():
    found = table.lines(ROWS)
    assert len(found) == 5  # AC-TPC-TS has none
    assert found[2].startswith("| gbm |  | 2 | .5500 | .7500 | 8 | +.0400 (.0283; 2 of 2), ")
    assert found[3] == "| deepcac_ts_soft | 3 | 2 | .5900 | .7550 | 100 |  |"
