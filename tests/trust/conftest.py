"""A ward's server with three people on it."""

import pytest

from tests.trust.ward import WardServer, settle


@pytest.fixture(scope="module")
def ward(tmp_path_factory):
    """(server, people)"""
    root = tmp_path_factory.mktemp("ward") / "data"
    found = [settle(root, name) for name in ("ann", "ben", "cleo")]
    server = WardServer(root).start()
    yield server, found
    server.close()
