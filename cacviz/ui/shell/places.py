"""Where the dashboard's entry and its pages are: beside the package, or inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

import cacviz


def served() -> Path:
    """The folder with app.py, pages/ and .streamlit/."""
    package = Path(cacviz.__file__).resolve().parent
    inside = package / "served"
    return inside if (inside / "app.py").is_file() else package.parent
