"""Every page has its place in the sidebar, once."""

from cacviz.ui.shell.navigation import PAGES, SECTIONS, in_sections


def test_every_page_stands_in_one_section():
    placed = [name for names in in_sections().values() for name in names]
    assert sorted(placed) == sorted(PAGES)


def test_no_section_is_called_as_a_page():
    assert not {title for title, _ in PAGES.values()} & set(SECTIONS)


def test_no_section_is_empty():
    assert all(in_sections().values())
