"""Tables as files that a spreadsheet opens without running anything."""

import ast
import io

import pandas as pd
import pytest

from cacviz.wording.cells import safe_csv
from tests.imports import sources, tree_of


def test_text_that_could_start_a_formula_is_disarmed_and_numbers_stay():
    frame = pd.DataFrame({"=cmd": ["=1+1", "-x", "plain"], "value": [-1.5, 2.0, 3.25]})
    back = pd.read_csv(io.BytesIO(safe_csv(frame)))
    assert back.columns.tolist() == ["'=cmd", "value"]
    assert back["'=cmd"].tolist() == ["'=1+1", "'-x", "plain"]
    assert back["value"].tolist() == [-1.5, 2.0, 3.25]


@pytest.mark.parametrize(
    "value", ["\n=cmd", " =cmd", "\u00a0@x", "\tx", "\rx", "\nx", "＝1", "＋1", "－1", "＠x"]
)
def test_formulas_behind_blanks_and_in_full_width_are_disarmed(value):
    back = safe_csv(pd.DataFrame({"a": [value, "a = b"]})).decode("utf-8-sig")
    assert f"'{value}" in back
    assert "\na = b" in back


def test_an_index_becomes_a_column():
    frame = pd.DataFrame({"a": [1]}, index=pd.Index(["@x"], name="Rank"))
    assert safe_csv(frame, index=True).decode("utf-8-sig").splitlines()[1] == "'@x,1"


def test_a_press_for_a_file_does_not_draw_the_page_again_and_take_the_file_away():
    """Streamlit forgets a file that is made at the press once the page is drawn again."""
    calls = [
        node
        for path in sources("cacviz/ui", "pages").values()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "download_button"
    ]
    modes = [{k.arg: ast.unparse(k.value) for k in node.keywords}.get("on_click") for node in calls]
    assert len(modes) >= 8
    assert set(modes) == {"'ignore'"}
