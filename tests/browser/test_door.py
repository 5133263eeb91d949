"""Another account of the same computer is refused at the door."""

import os
import subprocess
import urllib.request

import pytest

NOBODY = 65534
ASK = 'exec 3<>/dev/tcp/127.0.0.1/{port}; printf "GET {path} HTTP/1.0\\r\\n\\r\\n" >&3; cat <&3'


@pytest.mark.skipif(os.getuid() != 0, reason="only root can speak as another account")
@pytest.mark.parametrize("path", ["/", "/cohort", "/_stcore/health", "/media/x.csv"])
def test_another_account_reads_nothing(server, path):
    command = ["/bin/bash", "-c", ASK.format(port=server.port, path=path)]
    said = subprocess.run(command, user=NOBODY, cwd="/", capture_output=True, text=True).stdout
    assert said.splitlines()[0].split()[1] == "403"
    assert "belongs to another account" in said


def test_ones_own_account_comes_in(server):
    with urllib.request.urlopen(server.url) as answer:
        assert answer.status == 200
