"""The door of a ward's server: nobody without a name, and to each their own files alone."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Iterator
from typing import Any

from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from cacviz.store import wards
from cacviz.ui.shell import identity

HEALTH = "/_stcore/health"  # says no more than that it runs
CLOSED = ("/_stcore/metrics", "/_stcore/script-health-check", "/_stcore/agent")
MEDIA, UPLOAD = "/media/", "/_stcore/upload_file/"
FIELDS = ("url", "deferred_file_id")
LARGE = 16_384  # bytes: a frame with a button is smaller
MOST_FILES = 5000  # of a person, the newest


class WardDoor:
    """Lets people in by name, and lets nobody have what another one was handed."""

    def __init__(self, app: ASGIApp) -> None:
        self.app, self.handed = app, Handed()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        ward = wards.ward()
        assert ward is not None
        owner = "" if scope["path"] == HEALTH else identity.who(scope, ward)
        refusal = owner if isinstance(owner, Response) else self._refusal(scope, owner)
        if refusal is None:
            assert isinstance(owner, str)
            if scope["type"] == "websocket":
                receive, send = self._checking(owner, receive), self._noting(owner, send)
            await self.app(identity.marked(scope, owner), receive, send)
        elif scope["type"] == "http":
            await refusal(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    def _refusal(self, scope: Scope, owner: str) -> Response | None:
        """What a person gets for what is not theirs: as if it were not there."""
        path, mine = scope["path"], True
        if path.startswith(MEDIA):
            mine = self.handed.to(owner, path)
        elif path.startswith(UPLOAD):
            session = path.removeprefix(UPLOAD).split("/")[0]
            mine = scope["method"] == "OPTIONS" or identity.session_owner(session) == owner
        elif path.startswith(CLOSED):
            mine = False
        return None if mine else PlainTextResponse("Not Found", status_code=404)

    def _checking(self, owner: str, receive: Receive) -> Receive:
        async def checked() -> Message:
            message = await receive()
            frame = message.get("bytes") or b""
            if message["type"] == "websocket.receive" and not self._may(owner, frame):
                return {**message, "bytes": b""}  # a frame that asks for nothing
            return message

        return checked

    def _may(self, owner: str, frame: bytes) -> bool:
        """Whether a page may ask for this: a file of its own person's, nobody's cache emptied."""
        asked = BackMsg()
        try:
            asked.ParseFromString(frame)
        except Exception:  # whatever protobuf raises: Streamlit shuts such a connection
            return True
        what = asked.WhichOneof("type")
        if what == "backend_operation_request":
            file = asked.backend_operation_request.deferred_file.file_id
            return not file or self.handed.to(owner, file)
        return what != "clear_cache"

    def _noting(self, owner: str, send: Send) -> Send:
        async def noted(message: Message) -> None:
            if message["type"] == "websocket.send":
                self.handed.note(owner, message.get("bytes") or b"")
            await send(message)

        return noted


class Handed:
    """Which files the pages of whom have named, and files to be made at a press: these and no
    others may they fetch.
    """

    def __init__(self) -> None:
        self._files: dict[str, OrderedDict[str, None]] = defaultdict(OrderedDict)

    def to(self, owner: str, name: str) -> bool:
        return name in self._files.get(owner, ())

    def note(self, owner: str, frame: bytes) -> None:
        """Read the addresses of files in what a page is sent."""
        if MEDIA.encode() not in frame and len(frame) > LARGE:
            return
        files = self._files[owner]
        for name in _names(ForwardMsg.FromString(frame)):
            files[name] = None
            files.move_to_end(name)
        while len(files) > MOST_FILES:
            files.popitem(last=False)


def _names(message: Any) -> Iterator[str]:
    """Fields of a message, and of all inside it, that name files; no text of a person is in one."""
    for field, value in message.ListFields():
        many = value if _is_many(value) else [value]
        if field.name in FIELDS:
            yield from (text for text in many if isinstance(text, str))
        elif field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for inner in many:
                yield from _names(inner)


def _is_many(value: Any) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, (str, bytes))
