"""S1 on a ward's server: nobody sees anything of anybody else, in pages, frames, lists or files."""

import json

import pytest

from tests.trust.wire import PAGES, files_of

pytestmark = pytest.mark.worker  # a server of its own
DICTIONARY = "Write this cohort's dictionary"
SEVERAL = ("cohort", "subtypes", "runs")


def seen(visitor, others):
    """Words of others in all that a visitor was sent."""
    return [o.name for o in others if o.canary.encode() in visitor.sent]


def test_a_person_sees_their_own_data_on_every_page_and_nothing_of_others(ward):
    server, (ann, *others) = ward
    with server.visitor(ann) as visitor:
        for page in PAGES:
            visitor.visit(page, f"run={ann.run}")
        visitor.visit("cohort", f"cohort={ann.cohort}")
        assert visitor.sent.count(ann.canary.encode()) > len(PAGES)
        assert seen(visitor, others) == []


@pytest.mark.parametrize("page", SEVERAL)
def test_the_address_of_anothers_run_or_cohort_opens_nothing(ward, page):
    server, (ann, ben, _) = ward
    with server.visitor(ann) as visitor:
        visitor.visit(page, f"run={ben.run}")
        visitor.visit(page, f"cohort={ben.cohort}")
        assert seen(visitor, [ben]) == []


def test_a_file_is_handed_to_whose_it_is_alone(ward):
    server, (ann, ben, _) = ward
    with server.visitor(ann) as mine, server.visitor(ben) as other:
        anns = files_of(mine.visit("cohort", f"cohort={ann.cohort}"))[DICTIONARY]
        bens = files_of(other.visit("cohort", f"cohort={ben.cohort}"))[DICTIONARY]
        url = mine.press(anns)[anns]
        assert ann.canary.encode() in mine.ask(url)[2]
        assert other.ask(url)[0] == 404
        assert not other.press(anns, bens).get(anns)
        assert server.visitor().ask(url)[0] == 403
        assert seen(other, [ann]) == []


def test_anothers_session_can_neither_be_taken_up_nor_given_files(ward):
    server, (ann, ben, _) = ward
    with server.visitor(ann) as mine, server.visitor(ben) as other:
        mine.visit("cohort", f"cohort={ann.cohort}")
        assert other.ask(f"/_stcore/upload_file/{mine.session}/x", "PUT")[0] == 404
        assert mine.ask(f"/_stcore/upload_file/{mine.session}/x", "PUT")[0] == 403  # XSRF
        session = mine.session
        mine.leave()
        other.enter(taking_up=session).visit("cohort")
        assert other.session != session
        assert seen(other, [ann]) == []


def test_whoever_says_nothing_gets_nothing(ward):
    server, (ann, *_) = ward
    for headers in ({}, {"X_Cacviz_Owner": ann.name}, {"X_Remote_User": ann.name}):
        stranger = server.visitor(**headers)
        for path in ("/", "/cohort", "/media/x.csv", "/_stcore/host-config", "/static/x.js"):
            assert stranger.ask(path)[0] == 403, path
        assert not stranger.comes_in()
    assert server.visitor().ask("/_stcore/health")[2] == b"ok"


def test_a_header_of_ours_that_came_from_outside_counts_for_nothing(ward):
    from cacviz.store import wards

    server, (ann, ben, _) = ward
    with server.visitor(ann, X_Cacviz_Owner=wards.owner_of("ben")) as visitor:
        visitor.visit("runs", f"run={ben.run}")
        visitor.visit("start")
        assert seen(visitor, [ben]) == []
        assert ann.canary.encode() in visitor.sent


def test_the_token_in_the_address_becomes_a_cookie_that_scripts_cannot_read(ward):
    server, (ann, *_) = ward
    status, headers, _ = server.visitor().ask(f"//evil.example/?token={ann.token}&run=7")
    assert (status, headers["location"]) == (303, "/evil.example/?run=7")
    for word in ("HttpOnly", "SameSite=lax", "Path=/"):
        assert word in headers["set-cookie"]


def test_small_counts_are_hidden_until_somebody_shows_them(ward):
    server, (ann, *_) = ward
    with server.visitor(ann) as visitor:
        told = visitor.visit("what_differs", f"run={ann.run}")
    elements = [m.delta.new_element for m in told if m.HasField("delta")]
    shown = {e.checkbox.label: e.checkbox.value for e in elements if e.HasField("checkbox")}
    assert shown["Hide counts below 5"]


def test_metrics_and_the_path_of_a_file_are_offered_to_nobody(ward):
    server, (ann, *_) = ward
    with server.visitor(ann) as visitor:
        visitor.visit("cohort")
        assert b"A path on this computer" not in visitor.sent
        assert visitor.ask("/_stcore/metrics")[0] == 404


def test_the_log_names_nobody(ward):
    server, people = ward
    log = (server.data_dir.parent / "server.log").read_text()
    for person in people:
        assert person.canary not in log
        assert person.token not in log


def test_tokens_are_not_kept_and_folders_are_private(ward):
    server, people = ward
    kept = json.loads((server.data_dir / "people.json").read_text())
    assert not any(person.token in json.dumps(kept) for person in people)
    for path in (server.data_dir, server.data_dir / "owners", *server.data_dir.glob("owners/*")):
        assert path.stat().st_mode & 0o077 == 0, path
