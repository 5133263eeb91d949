"""Whose a connection within this computer is."""

import os
import socket

import pytest

from cacviz.store import peers

ME = os.getuid()


@pytest.mark.parametrize(("host", "family"), [("127.0.0.1", socket.AF_INET), ("::1", 10)])
def test_the_system_tells_whose_a_connection_is(host, family):
    with socket.socket(family) as listening, socket.socket(family) as calling:
        try:
            listening.bind((host, 0))
        except OSError:
            pytest.skip("no such address on this machine")
        listening.listen()
        calling.connect(listening.getsockname())
        assert peers.peer_uid(calling.getsockname(), listening.getsockname()) == ME


@pytest.mark.parametrize("client", [None, ("testclient", 5), ("10.1.2.3", 40000), ("::2", 4)])
def test_a_connection_that_nobody_knows_is_nobodys(client):
    assert peers.peer_uid(client, ("127.0.0.1", 8501)) is None
