"""Imports point inwards only, and the app's process stays light."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BANNED = {
    "cacviz/engine": {"streamlit", "plotly", "cacviz.runs", "cacviz.figures", "cacviz.ui"},
    "cacviz/runs": {"streamlit", "plotly", "cacviz.figures", "cacviz.ui"},
    "cacviz/figures": {"streamlit", "torch", "sklearn", "cacviz.runs", "cacviz.ui"},
    "cacviz/ui": {"torch", "umap", "shap", "numba", "sklearn"},
    "pages": {"torch", "sklearn", "plotly", "umap", "shap", "numba"},
}


def imports_of(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("room", BANNED)
def test_imports_point_inwards(room):
    found = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for name in imports_of(path)
        if any(name == banned or name.startswith(banned + ".") for banned in BANNED[room])
    ]
    assert not found


def test_nobody_imports_from_pages():
    files = [*(ROOT / "cacviz").rglob("*.py"), *(ROOT / "pages").glob("*.py")]
    assert not [f for f in files for name in imports_of(f) if name.split(".")[0] == "pages"]


def test_the_app_loads_neither_torch_nor_umap_nor_numba():
    code = (
        "import sys, cacviz.ui.shell, cacviz.ui.security, cacviz.ui.opening, cacviz.ui.forms, "
        "cacviz.ui.cohort_views, cacviz.ui.run_views, cacviz.ui.history, "
        "cacviz.ui.compare_views, cacviz.ui.pair_views\n"
        "print([m for m in ('torch', 'umap', 'numba', 'shap', 'sklearn') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "[]"


def test_cac_and_k_means_do_not_load_torch():
    code = "import sys, cacviz.engine.cac, cacviz.engine.fitting\nprint('torch' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "False"
