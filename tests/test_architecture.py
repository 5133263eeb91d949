"""The house stands as docs/architecture.md draws it: rooms, families, sizes, dependencies."""

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from functools import cache
from importlib.metadata import packages_distributions

import pytest

from tests.imports import ROOT, cycles, graph, imports_of, module_name, sources, tree_of

CODE = sources("cacviz", "pages", "app.py")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

# room: the rooms that it may use
ROOMS = {
    "engine": set(),
    "store": {"engine"},
    "jobs": {"report", "store", "engine"},
    "wording": {"engine"},
    "figures": {"engine"},
    "report": {"figures", "wording", "store", "engine"},
    "ui": {"figures", "report", "wording", "jobs", "store", "engine"},
    "commands": {"report", "wording", "jobs", "store", "engine"},
    "pages": {"ui", "wording", "jobs", "store", "engine"},
    "app": {"ui"},
}
# `cacviz app` starts what it finds there, and loads nothing of it
EXCEPTIONS = {("cacviz.commands.app", "cacviz.ui.shell.places")}
# room: what it may use that is neither ours nor Python's
LIBRARIES = {
    "figures": {"numpy", "plotly"},
    "wording": {"numpy", "pandas"},
    "report": {"docx", "jinja2", "markupsafe", "matplotlib", "numpy", "pandas", "plotly"},
    "store": {"numpy", "pandas", "platformdirs", "psutil", "pyarrow", "safetensors", "skops"},
    "jobs": {"numpy", "pandas", "psutil", "pyarrow"},
    "ui": {"numpy", "pandas", "plotly", "starlette", "streamlit"},
    "commands": set(),
    "pages": {"streamlit"},
    "app": {"starlette", "streamlit"},
}
# a family may use those before it; two on one line know nothing of each other
FAMILIES = (
    {"scoring"},
    {"reading"},
    {"series"},
    {"cohorts"},
    {"preparation"},
    {"cac", "deep"},
    {"running"},
    {"insights"},
)
GROUND = {"__init__", "aside", "exceptions", "metrics", "protocol", "types"}  # for all families
RANK = {family: place for place, line in enumerate(FAMILIES) for family in line}
MOST_FILES, MOST_LINES = 12, 300


@cache
def edges():
    """Who asks for whom; reading all the code takes seconds, so not while tests are gathered."""
    return graph(CODE)


def room_of(name):
    """cacviz.store.runs is in the room store; pages.cohort in pages."""
    first, _, rest = name.partition(".")
    return rest.partition(".")[0] if first == "cacviz" else first


def family_of(name):
    """cacviz.engine.deep.baselines.dcn is of the family deep; nothing outside has one."""
    parts = name.split(".")
    is_engine = parts[:2] == ["cacviz", "engine"] and len(parts) > 2
    return parts[2] if is_engine else ""


def outside(path):
    """What a file uses that is neither ours nor Python's, by the name it is imported by."""
    tops = {name.partition(".")[0] for name in imports_of(path)}
    return tops - set(sys.stdlib_module_names) - {"cacviz", "pages", "tests", "benchmarks"}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_uses_only_the_rooms_within_it(room):
    found = [
        f"{name} imports {used}"
        for name, uses in edges().items()
        for used in uses
        if room_of(name) == room
        and room_of(used) not in {room, *ROOMS[room], ""}
        and (name, used) not in EXCEPTIONS
    ]
    assert not found


def test_every_room_is_on_the_plan():
    found = {room_of(name) for name in CODE} - {"", "__main__"}
    assert found == set(ROOMS)


@pytest.mark.parametrize("room", LIBRARIES)
def test_a_room_uses_only_the_libraries_that_it_is_for(room):
    files = [path for name, path in CODE.items() if room_of(name) == room]
    assert set().union(*map(outside, files)) <= LIBRARIES[room]


def test_the_engine_knows_no_page_and_no_figure():
    files = [path for name, path in CODE.items() if room_of(name) == "engine"]
    assert not set().union(*map(outside, files)) & {"streamlit", "starlette", "plotly"}


def test_figures_take_types_alone_from_the_engine():
    used = {u for name, uses in edges().items() if room_of(name) == "figures" for u in uses}
    engine = {u for u in used if room_of(u) == "engine"}
    types = {"cacviz.engine.types", "cacviz.engine.types.telling", "cacviz.engine.insights.types"}
    assert engine == types


def test_a_family_uses_only_those_before_it():
    found = [
        f"{name} imports {used}"
        for name, uses in edges().items()
        for used in uses
        if (mine := family_of(name)) in RANK
        and (other := family_of(used)) in RANK
        and mine != other
        and RANK[other] >= RANK[mine]
    ]
    assert not found


def test_what_is_for_all_families_is_of_none():
    flat = {name: uses for name, uses in edges().items() if family_of(name) in GROUND}
    assert not [(n, u) for n, uses in flat.items() for u in uses if family_of(u) in RANK]


def test_the_engine_has_the_families_of_the_plan_and_nothing_beside_them():
    found = {path.stem for path in (ROOT / "cacviz" / "engine").iterdir() if path.stem[:3] != "__p"}
    assert found == GROUND | set(RANK)
    drawn = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    line = " ◀ ".join(", ".join(sorted(families)) for families in FAMILIES)
    assert line in drawn


def test_no_module_asks_for_one_that_asks_for_it():
    assert cycles(edges()) == []


def test_a_cycle_would_be_found():
    round_the_corner = {"a": ["b"], "b": ["c"], "c": ["b"], "d": ["a"]}
    assert cycles(round_the_corner) == [["b", "c"]]


def test_relative_imports_and_those_inside_functions_are_seen(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.imports.ROOT", tmp_path)
    file = tmp_path / "house" / "room" / "corner.py"
    file.parent.mkdir(parents=True)
    file.write_text("def f():\n    from ..hall import door\n    from . import chair\n")
    known = {"house.hall.door", "house.room.chair"}
    assert imports_of(file, known) == known
    assert imports_of(file) == {"house.hall", "house.room"}


def test_nobody_imports_from_pages():
    assert not [n for n, uses in edges().items() for u in uses if u.startswith("pages")]


def test_modules_named_in_words_are_there():
    """METHODS, INSIGHTS and the engine's door name modules that are imported when asked for."""
    named = re.compile(r"(cacviz(?:\.\w+)+)(?::\w+)?")
    found = {
        match[1]
        for path in CODE.values()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if (match := named.fullmatch(node.value))
    }
    assert len(found) > 10
    assert found <= set(CODE)


def test_no_file_is_longer_than_three_hundred_lines():
    lengths = {name: len(path.read_text("utf-8").splitlines()) for name, path in CODE.items()}
    assert {name: n for name, n in lengths.items() if n > MOST_LINES} == {}


def test_no_folder_of_the_engine_holds_more_than_twelve_files():
    files = [p for p in (ROOT / "cacviz" / "engine").rglob("*.py") if p.name != "__init__.py"]
    counts = Counter(module_name(path.parent) for path in files)
    assert {name: n for name, n in counts.items() if n > MOST_FILES} == {}


def bare(requirement):
    """xgboost-cpu>=3.0 is xgboost-cpu."""
    return re.match(r"[\w.-]+", requirement)[0]


def declared(*extras):
    project = PROJECT["project"]
    lists = [project["optional-dependencies"][extra] for extra in extras] or [
        project["dependencies"]
    ]
    return {bare(requirement) for each in lists for requirement in each}


provided = cache(packages_distributions)  # asks every package that is installed


def distributions(names):
    """What has to be installed for these imports; a name that nothing provides stays itself."""
    return {sorted(provided().get(name, [name]))[0] for name in names}


def test_what_is_imported_is_declared_and_what_is_declared_is_imported():
    used = distributions(set().union(*map(outside, CODE.values())))
    assert used - declared("cluster") == declared()


def test_what_tests_and_benchmarks_import_is_declared():
    files = sources("tests", "benchmarks").values()
    beside = {path.stem for path in files}  # a benchmark is a script and takes from its neighbour
    used = distributions(set().union(*map(outside, files)) - beside)
    assert used <= declared() | declared("test") | declared("peers")
    tools = {
        "distributed",
        "mypy",
        "pytest-rerunfailures",
        "pytest-xdist",
        "ruff",
    }  # run, not imported
    assert declared("test") - tools <= used


def test_every_package_travels_in_the_wheel():
    packages = {name for name, path in CODE.items() if path.name == "__init__.py"}
    served = {"cacviz.served", "cacviz.served.pages"}  # app.py and pages/, mapped
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == packages | served


def loaded(code):
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return done.stdout.strip()


def test_cac_and_k_means_do_not_load_torch():
    code = "import sys, cacviz.engine.cac.cac, cacviz.engine.running.fitting\n"
    assert loaded(f"{code}print('torch' in sys.modules)") == "False"


@pytest.mark.heavy
def test_every_benchmark_finds_what_it_imports():
    """A name that has moved would be noticed hours into a measurement."""
    names = sorted(p.stem for p in (ROOT / "benchmarks").glob("*.py") if p.stem != "__init__")
    started = "import importlib, sys; sys.path.insert(0, 'benchmarks')\n" + "".join(
        f"importlib.import_module('benchmarks.{name}')\n" for name in names
    )
    subprocess.run([sys.executable, "-c", started], cwd=ROOT, check=True)
