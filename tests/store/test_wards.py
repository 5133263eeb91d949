"""On a ward's server everybody has a folder of their own, and nobody's is nobody's."""

import threading

import pytest

from cacviz.engine.exceptions import ConfigError
from cacviz.jobs import helper, queue
from cacviz.jobs.waiting import all_jobs, everywhere
from cacviz.store import atomic, cohorts, paths, preferences, runs, states, wards
from cacviz.store.wards import Ward


@pytest.fixture
def two(tmp_path, monkeypatch):
    """A server with two people; their folders."""
    root = tmp_path / "ward"
    wanted = Ward(str(root))
    monkeypatch.setenv(paths.SERVER, atomic.encode(wards.to_plain(wanted)).decode())
    monkeypatch.delenv(paths.DATA_DIR)
    return [wards.folder_of(root, wards.welcome(root, name)) for name in ("ann", "ben")]


def test_without_a_person_there_is_no_data_folder(two):
    with pytest.raises(atomic.StoreError, match="Nobody is known here"):
        paths.data_dir()


def test_what_is_one_persons_is_not_in_the_lists_of_another(two, ward):
    ann, ben = two
    with paths.within(ann):
        name = cohorts.save_cohort(ward)
        assert [row.id for row in cohorts.list_cohorts()] == [name]
    with paths.within(ben):
        assert cohorts.list_cohorts() == []
        with pytest.raises(atomic.StoreError):
            cohorts.load_cohort(name)
        with pytest.raises(atomic.StoreError):
            runs.create_run(name, None)


def test_the_helper_does_not_answer_about_anothers_cohort_that_it_holds(two, ward, monkeypatch):
    monkeypatch.setattr(helper, "_held", {})
    ann, ben = two
    with paths.within(ann):
        name = cohorts.save_cohort(ward)
        assert helper._cohort(name, wards.to_plain(ward.choices)).n_patients == 60
    with paths.within(ben), pytest.raises(atomic.StoreError):
        helper._cohort(name, wards.to_plain(ward.choices))


def test_another_thread_knows_nobody_unless_it_is_told(two):
    ann, _ = two
    found = {}

    def look(name, make):
        try:
            found[name] = make()
        except atomic.StoreError:
            found[name] = None

    with paths.within(ann):
        told = paths.kept_here(paths.data_dir)
        for name, make in (("untold", paths.data_dir), ("told", told)):
            thread = threading.Thread(target=look, args=(name, make))
            thread.start()
            thread.join()
    assert found == {"untold": None, "told": ann}


def test_small_counts_are_hidden_on_a_server_and_shown_at_home(two, monkeypatch):
    with paths.within(two[0]):
        assert preferences.read_preferences().hide_small
        preferences.change_preferences(hide_small=False)
        assert not preferences.read_preferences().hide_small
    with paths.within(two[1]):
        assert preferences.read_preferences().hide_small
    monkeypatch.delenv(paths.SERVER)
    with paths.within(two[1]):
        assert not preferences.read_preferences().hide_small


def test_jobs_of_all_people_share_the_machines_room(two, ward, config, monkeypatch):
    """One worker for all: the second person's run waits for the first's, and is then started by
    whoever looks.
    """
    started = []
    monkeypatch.setattr(queue, "spawn", lambda *words, **more: started.append(words) or 1)
    monkeypatch.setattr(queue, "mark_of", lambda pid: states.Mark(pid, "x"))
    busy = set()
    monkeypatch.setattr(queue, "is_live", lambda folder: folder in busy)
    folders = []
    for place in two:
        with paths.within(place):
            home = cohorts.save_cohort(ward)
            folders.append(runs.run_folder(queue.start_run(home, config)))
            busy.add(folders[0])
    assert [words[1] for words in started] == [str(folders[0])]
    assert [found for _, found in everywhere(all_jobs)] == sorted(folders, key=lambda f: f.parts)
    busy.clear()
    with paths.within(two[0]):
        queue.tend()
    assert [words[1] for words in started] == [str(folder) for folder in folders]


def test_what_reaches_beyond_a_folder_is_switched_off(two):
    from cacviz.jobs.reading import read_safely

    with paths.within(two[0]):
        with pytest.raises(ConfigError, match="switched off"):
            read_safely("/etc/passwd", "x")
        with pytest.raises(ConfigError, match="other machines"):
            queue.start_study("x", None, scheduler="tcp://10.0.0.1:8786")
