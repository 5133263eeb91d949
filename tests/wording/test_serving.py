"""Where data are and work is done: one's own computer, or a ward's server."""

import re

import pytest

from cacviz.wording import serving
from tests.imports import ROOT

# said on one's own computer only: a server has no such tab, and switches the field off
AT_HOME = {"cacviz/ui/cohort/opening.py", "cacviz/ui/choosing/form.py"}
LITERAL = re.compile(r'"[^"\n]*\bthis computer\b[^"\n]*"')


@pytest.mark.parametrize(("served", "machine"), [(False, "this computer"), (True, "this server")])
def test_a_person_is_told_where_the_data_stay(served, machine):
    assert serving.machine(served=served) == machine
    assert f"Your data stays on {machine}" in serving.stays_here(served=served)


def test_no_page_says_this_computer_by_itself():
    files = [*(ROOT / "cacviz" / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")]
    said = {}
    for path in files:
        text = re.sub(r'""".*?"""', "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        if found := LITERAL.findall(text):
            said[path.relative_to(ROOT).as_posix()] = found
    assert set(said) - {"cacviz/ui/shell/door.py"} == AT_HOME, said
