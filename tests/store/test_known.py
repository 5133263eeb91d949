"""What was computed once is recalled, and is never more than an aid."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from cacviz.store import atomic, known
from cacviz.store.cohorts import describe_cohort, load_cohort, remove_cohort
from cacviz.store.known import recall, recall_all, remember


def test_a_value_is_recalled_by_its_kind_and_key(ward_id):
    place = known.of_cohort(ward_id)
    remember(place, "critical", "cac:3", 0.25)
    remember(place, "checks", "cac:3", [{"code": "leak"}])
    assert recall(place, "critical", "cac:3") == 0.25
    assert recall(place, "checks", "cac:3") == [{"code": "leak"}]
    assert recall(place, "critical", "cac:4") is None
    assert recall(place, "seconds", "cac:3") is None


def test_cohorts_and_the_machine_know_things_apart(ward_id):
    remember(known.of_cohort(ward_id), "critical", "a", 1)
    assert recall(known.of_machine(), "critical", "a") is None


def test_the_oldest_of_a_kind_make_room_and_a_value_kept_again_is_new(ward_id, monkeypatch):
    monkeypatch.setattr(known, "MOST", 3)
    place = known.of_cohort(ward_id)
    remember(place, "other", "stays", 0)
    for key in ("a", "b", "c", "a", "d"):
        remember(place, "critical", key, key * 2)
    assert recall_all(place, "critical") == {"c": "cc", "a": "aa", "d": "dd"}
    assert list(recall_all(place, "critical")) == ["c", "a", "d"]
    assert recall(place, "other", "stays") == 0


@pytest.mark.parametrize(
    "bytes_", [b"", b"[]", b"7", b"{", b'{"critical": []}', b'{"critical": 3}']
)
def test_a_damaged_file_is_empty_and_the_next_value_mends_it(ward_id, bytes_):
    place = known.of_cohort(ward_id)
    place.write_bytes(bytes_)
    assert recall(place, "critical", "a") is None
    assert recall_all(place, "critical") == {}
    remember(place, "critical", "a", 0.5)
    assert recall(place, "critical", "a") == 0.5


def test_many_who_remember_at_once_lose_nothing(ward_id):
    place = known.of_cohort(ward_id)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: remember(place, "critical", str(n), n), range(40)))
    assert sorted(recall_all(place, "critical").values()) == list(range(40))


def test_what_is_known_is_no_part_of_the_cohort_and_goes_with_it(ward, ward_id):
    place, before = known.of_cohort(ward_id), describe_cohort(ward_id).record
    remember(place, "critical", "a", 1)
    assert describe_cohort(ward_id).record == before
    assert load_cohort(ward_id).fingerprint == ward.fingerprint
    remove_cohort(ward_id)
    assert not place.exists()
    assert recall(place, "critical", "a") is None


def test_a_hostile_cohort_has_no_place():
    with pytest.raises(atomic.StoreError):
        known.of_cohort("../runs")
