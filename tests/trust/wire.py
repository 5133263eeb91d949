"""A visitor without a browser: speaks HTTP and Streamlit's frames, and keeps all it was sent."""

import http.client
from contextlib import ExitStack, suppress

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from cacviz.ui.shell.navigation import PAGES  # noqa: F401 - what a visitor can visit


class Visitor:
    """Somebody with a cookie, or with the headers of a proxy."""

    def __init__(self, port, cookie="", **headers):
        self.port = port
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}
        self.headers |= {"Cookie": cookie} if cookie else {}
        self.sent, self.session, self.wire, self.held = b"", "", None, ExitStack()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.leave()

    def ask(self, path, method="GET", **headers):
        """Status, headers and body of an answer."""
        asked = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        asked.request(method, path, headers=self.headers | headers)
        answer = asked.getresponse()
        body = answer.read()
        asked.close()
        self.sent += body
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, body

    def enter(self, taking_up=""):
        """Open a page's socket; `taking_up` is the number of another session."""
        offered = ["streamlit", "PLACEHOLDER", *([taking_up] if taking_up else [])]
        self.leave()
        opened = connect(
            f"ws://127.0.0.1:{self.port}/_stcore/stream",
            subprotocols=offered,
            additional_headers=self.headers,
            max_size=None,
            open_timeout=60,
        )
        self.wire = self.held.enter_context(opened)
        return self

    def leave(self):
        self.held.close()
        self.wire = None

    def comes_in(self):
        """Whether a socket is opened for them at all."""
        with suppress(WebSocketException, OSError):
            self.enter().leave()
            return True
        return False

    def visit(self, page, query=""):
        """Turn to a page and wait until it is made; what it was sent, as messages."""
        if self.wire is None:
            self.enter()
        asked = BackMsg()
        asked.rerun_script.query_string = query
        asked.rerun_script.page_name = "" if page == "start" else page
        self.wire.send(asked.SerializeToString())
        told = self._until("script_finished")
        self.session = next(
            (m.new_session.initialize.session_id for m in told if m.HasField("new_session")),
            self.session,
        )
        return told

    def press(self, *file_ids):
        """Ask for files that are made when asked for, until the last is; their addresses."""
        for file_id in file_ids:
            asked = BackMsg()
            asked.backend_operation_request.request_id = file_id
            asked.backend_operation_request.session_id = self.session
            asked.backend_operation_request.deferred_file.file_id = file_id
            self.wire.send(asked.SerializeToString())
        made = {}
        while file_ids[-1] not in made:
            told = self._until("backend_operation_response")[-1].backend_operation_response
            made[told.request_id] = told.deferred_file.url
        return made

    def _until(self, kind):
        told = []
        while not told or told[-1].WhichOneof("type") != kind:
            frame = self.wire.recv(timeout=120)
            self.sent += frame
            told.append(ForwardMsg.FromString(frame))
        return told


def files_of(told):
    """The files that the buttons of a page would make."""
    elements = [m.delta.new_element for m in told if m.HasField("delta")]
    buttons = [e.download_button for e in elements if e.HasField("download_button")]
    return {b.label: b.deferred_file_id for b in buttons if b.deferred_file_id}
