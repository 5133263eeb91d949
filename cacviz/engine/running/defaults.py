"""The default of a setting, read in the constructor that has it, which is its only place.

The source is read and not imported, since an estimator may load torch.
"""

from __future__ import annotations

import ast
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any


@cache
def default_of(where: str, name: str) -> Any:
    """The default of a setting, read from the constructor in the source of `module:class`."""
    found = _constructor(*where.split(":"))
    if found is None:
        return None
    plain = found.args.args[len(found.args.args) - len(found.args.defaults) :]
    pairs = [*zip(found.args.kwonlyargs, found.args.kw_defaults, strict=True)]
    pairs += zip(plain, found.args.defaults, strict=True)
    given = {a.arg: d.value for a, d in pairs if isinstance(d, ast.Constant)}
    return given.get(name)


def _constructor(module: str, cls: str) -> ast.FunctionDef | None:
    """The constructor of a class or of the one that it inherits from, in whichever module."""
    tree = _tree(module)
    node = next((n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == cls), None)
    if node is None:
        return None
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name == "__init__":
            return item
    homes = _homes(tree)
    for base in (b.id for b in node.bases if isinstance(b, ast.Name)):
        home = homes.get(base, module)
        if home.startswith("cacviz.") and (found := _constructor(home, base)) is not None:
            return found
    return None


@cache
def _tree(module: str) -> ast.Module:
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return ast.parse(Path(spec.origin).read_text("utf-8"))


def _homes(tree: ast.Module) -> dict[str, str]:
    """Where each imported name comes from."""
    found = [n for n in tree.body if isinstance(n, ast.ImportFrom) and n.module]
    return {alias.name: str(node.module) for node in found for alias in node.names}
