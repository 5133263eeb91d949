"""What imports what, read from the source: imports inside functions and relative ones included."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BY_CALL = ("import_module", "importorskip")  # with a name written out


def module_name(path):
    """cacviz/engine/types/__init__.py is cacviz.engine.types."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def sources(*folders):
    """Every module below these folders of the tree, by name; a file stands for itself."""
    found = [p for f in folders for p in ([ROOT / f] if f.endswith(".py") else _below(f))]
    return {module_name(path): path for path in found}


def _below(folder):
    return sorted((ROOT / folder).rglob("*.py"))


@cache
def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def imports_of(path, known=()):
    """The modules that a file asks for; `from a import b` is a.b where that is a known module."""
    package = module_name(path)
    if path.name != "__init__.py":
        package = package.rpartition(".")[0]
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, package)
            names = (f"{base}.{alias.name}" for alias in node.names)
            found |= {name if name in known else base for name in names}
        elif isinstance(node, ast.Call):
            found |= set(_by_call(node))
    return found


def _base(node, package):
    """What stands between `from` and `import`, with its leading dots resolved."""
    if not node.level:
        return node.module
    parts = package.split(".")
    above = parts[: len(parts) - node.level + 1]
    return ".".join([*above, *filter(None, [node.module])])


def _by_call(node):
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if name in BY_CALL and node.args and isinstance(node.args[0], ast.Constant):
        yield node.args[0].value


def graph(modules):
    """Each module with those of `modules` that it asks for."""
    return {
        name: sorted((imports_of(path, modules) & set(modules)) - {name})
        for name, path in modules.items()
    }


def cycles(edges):
    """Groups of modules that ask for each other, directly or round a corner."""
    reached = {name: _reach(name, edges) for name in edges}
    rounds = {
        frozenset(n for n in reached[name] if name in reached[n]) | {name}
        for name in edges
        if name in reached[name]
    }
    return sorted(sorted(group) for group in rounds)


def _reach(start, edges):
    seen, to_do = set(), list(edges[start])
    while to_do:
        name = to_do.pop()
        if name not in seen:
            seen.add(name)
            to_do += edges[name]
    return seen
