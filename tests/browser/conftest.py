"""A real server on a free port with its own data folder, and a real Chromium."""

import random
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import closing, suppress
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.chromium import FLAGS, find

expect.set_options(timeout=120_000)  # a busy machine is not a fault
ROOT = Path(__file__).resolve().parents[2]


# A browser beside other work can lose a click; such a test is tried again and shown as R.
LOST = ["TimeoutError", "Locator expected", "it did not come true"]


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(item.fspath).is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.flaky(reruns=2, only_rerun=LOST))


def free_port():
    """A port that nobody listens on, below those that connections of other processes take."""
    for port in random.sample(range(20_000, 32_000), 100):
        with closing(socket.socket()) as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("no port is free")


class Server:
    """The app as `cacviz app` starts it; can be killed and started again."""

    def __init__(self, data_dir):
        self.port = free_port()
        self.data_dir, self.process = data_dir, None

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        until = time.monotonic() + 300
        while time.monotonic() < until:
            if self.process is None or self.process.poll() is not None:
                self._launch()  # also where a port was still held by the one before
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2) as answer:
                    if answer.status == 200:
                        return self
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.2)
        raise RuntimeError("the app did not start within five minutes")

    def command(self):
        command = [sys.executable, "-m", "cacviz", "app", "--port", str(self.port)]
        return [*command, "--data-dir", str(self.data_dir)]

    def log(self):
        return Path(self.data_dir) / "server.log"

    def _launch(self):
        with self.log().open("ab") as log:
            self.process = subprocess.Popen(self.command(), cwd=ROOT, stdout=log, stderr=log)

    def kill(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def close(self):
        """End it and the workers that would go on describing a run beside the tests to come."""
        self.kill()
        for process in psutil.process_iter(["cmdline"]):
            if any(str(self.data_dir) in word for word in process.info["cmdline"] or ()):
                with suppress(psutil.NoSuchProcess):
                    process.kill()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    running = Server(tmp_path_factory.mktemp("served")).start()
    yield running
    running.close()


@pytest.fixture(scope="session")
def browser():
    path = find()
    if path is None:
        pytest.skip("no Chromium on this machine; `python -m tests.browser.chromium` says more")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


class Watch:
    """What a page did behind the scenes: console errors, and requests that left this computer."""

    def __init__(self, page):
        self.errors, self.outside = [], []
        page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", self._note)

    def _note(self, request):
        if not request.url.startswith(("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:")):
            self.outside.append(request.url)


@pytest.fixture
def page(browser):
    """A fresh page with a watch on it: `page.watch`."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    opened = context.new_page()
    opened.set_default_timeout(120_000)
    opened.watch = Watch(opened)
    yield opened
    context.close()
