import pytest

from cacviz.store import paths
from cacviz.store.preferences import FILE, Preferences, change_preferences, read_preferences


def test_at_first_small_counts_are_shown_on_screen_and_hidden_in_files():
    assert read_preferences() == Preferences(hide_small=False, hide_in_files=True)


def test_a_preference_changes_alone_and_stays():
    assert change_preferences(hide_small=True) == Preferences(True, True)
    assert change_preferences(hide_in_files=False) == Preferences(True, False)
    assert read_preferences() == Preferences(True, False)


@pytest.mark.parametrize("bytes_", [b"", b"{", b"[1]", b"7", b'{"hide_small": "very"}', b"null"])
def test_a_damaged_file_means_the_defaults_and_the_next_change_mends_it(bytes_):
    (paths.data_dir() / FILE).write_bytes(bytes_)
    assert read_preferences() == Preferences()
    change_preferences(hide_small=True)
    assert read_preferences().hide_small


def test_a_preference_that_there_is_not_is_an_error_and_not_kept():
    with pytest.raises(TypeError):
        change_preferences(loud=True)
    assert not (paths.data_dir() / FILE).exists()
