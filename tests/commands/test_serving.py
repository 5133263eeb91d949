"""`cacviz app --server` and `cacviz people`: what is refused by name, and who may come in."""

import os

import pytest

from cacviz.commands import app
from cacviz.commands.main import main
from cacviz.store import people, wards

WITH_HEADER = "--user-header X-Remote-User --trusted-proxy 10.0.0.2 --host ward.example"


@pytest.fixture
def started(monkeypatch):
    """What would be handed to Streamlit; nothing is started."""
    found = {}
    monkeypatch.delenv("CACVIZ_SERVER", raising=False)
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "127.0.0.1")
    monkeypatch.setattr(app.os, "chdir", lambda folder: None)
    monkeypatch.setattr(
        app.os, "execv", lambda path, command: found.update(command=command, env=dict(os.environ))
    )
    yield found
    os.environ.pop("CACVIZ_SERVER", None)


@pytest.mark.parametrize(
    ("flags", "named"),
    [
        ("--address 0.0.0.0", "--address needs --server"),
        ("--user-header X-Remote-User", "--user-header needs --server"),
        ("--server", "--server needs --data-dir"),
        ("--server --data-dir DIR", "Nobody may come in yet"),
        ("--server --data-dir DIR --user-header X-Remote-User", "needs --trusted-proxy"),
        ("--server --data-dir DIR --address 0.0.0.0", "can be reached from other machines"),
        (
            "--server --data-dir DIR --address 0.0.0.0 --trusted-proxy 10.0.0.2",
            "needs --host",
        ),
        ("--server --data-dir DIR --trusted-proxy 0.0.0.0/0", "would trust everybody"),
        ("--server --data-dir DIR --trusted-proxy ::/0", "would trust everybody"),
        ("--server --data-dir DIR --trusted-proxy caddy", "is no address or network"),
        (
            "--server --data-dir DIR --user-header Cookie --trusted-proxy 10.0.0.2",
            "browsers send that header themselves",
        ),
        ("--server --data-dir DIR --proxy-account no-such-account", "no such account"),
    ],
)
def test_an_unsafe_server_is_refused_by_name(started, tmp_path, capsys, flags, named):
    words = [w.replace("DIR", str(tmp_path / "ward")) for w in flags.split()]
    assert main(["app", *words]) == 2
    said = capsys.readouterr().err
    assert named in said
    assert said.count("\n") == 1
    assert not started


def test_the_folder_of_a_single_person_does_not_become_a_server(started, tmp_path, capsys):
    (tmp_path / "cohorts").mkdir()
    assert main(["app", "--server", "--data-dir", str(tmp_path)]) == 2
    assert "a single person" in capsys.readouterr().err


def test_behind_a_proxy_it_listens_where_it_is_told_under_its_name_alone(started, tmp_path):
    words = ["--data-dir", str(tmp_path / "w"), *WITH_HEADER.split(), "--address", "0.0.0.0"]
    main(["app", "--server", *words])
    command, env = started["command"], started["env"]
    assert "--server.address=0.0.0.0" in command
    assert [w for w in command if "allowedHosts" in w] == [
        "--server.allowedHosts=ward.example",
        "--server.allowedHosts=localhost",
        "--server.allowedHosts=127.0.0.1",
    ]
    assert env["FORWARDED_ALLOW_IPS"] == ""
    assert "CACVIZ_DATA_DIR" not in env
    assert wards.ward() == wards.Ward(str(tmp_path / "w"), "X-Remote-User", ("10.0.0.2/32",))


def test_on_ones_own_computer_nothing_is_asked_for(started, tmp_path, monkeypatch):
    monkeypatch.setenv("CACVIZ_DATA_DIR", "")
    main(["app", "--data-dir", str(tmp_path)])
    assert "--server.address=127.0.0.1" in started["command"]
    assert "CACVIZ_SERVER" not in started["env"]


def test_people_are_added_listed_and_removed(tmp_path, capsys):
    root = tmp_path / "ward"
    assert main(["people", "add", "ann", "--data-dir", str(root), "--at", "https://w.example"]) == 0
    address = capsys.readouterr().out.strip()
    token = address.removeprefix("https://w.example/?token=")
    assert people.holder_of(root, token) == wards.owner_of("ann")
    main(["people", "list", "--data-dir", str(root)])
    assert capsys.readouterr().out.startswith("ann\t")
    main(["people", "remove", "ann", "--data-dir", str(root)])
    assert people.holder_of(root, token) is None
    assert wards.folder_of(root, wards.owner_of("ann")).is_dir()
    assert main(["people", "remove", "ann", "--data-dir", str(root)]) == 2


def test_data_go_for_good_where_that_is_asked_for(tmp_path):
    people.add_person(tmp_path / "ward", "ann")
    command = ["people", "remove", "ann", "--with-data", "--data-dir", str(tmp_path / "ward")]
    assert main(command) == 0
    assert list((tmp_path / "ward" / "owners").iterdir()) == []


def test_a_new_token_makes_the_old_one_void(tmp_path):
    first, second = (people.add_person(tmp_path, "ann") for _ in range(2))
    assert people.holder_of(tmp_path, first) is None
    assert people.holder_of(tmp_path, second) == wards.owner_of("ann")


@pytest.mark.parametrize("name", ["", "   ", "a\nb", "a" * 201])
def test_a_name_that_nobody_has_is_refused(tmp_path, name, capsys):
    assert main(["people", "add", name, "--data-dir", str(tmp_path)]) == 2
    assert "printable" in capsys.readouterr().err
