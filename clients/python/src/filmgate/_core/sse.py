"""Server-sent events, from bytes that were cut anywhere (HTML, 9.2.6)."""

from __future__ import annotations

from dataclasses import dataclass

#: An event of a task has some hundred bytes.
event_bytes_max = 1024 * 1024


class MalformedStream(Exception):
    """An event is longer than any of the API."""


@dataclass(frozen=True)
class ServerEvent:
    """`id`: the last one that the stream has named."""

    id: str
    data: str


class EventParser:
    """Gives each event once its blank line is there. An event that was cut is never given."""

    def __init__(self) -> None:
        self.retry_seconds: float | None = None
        self._rest = b""
        self._after_return = False
        self._begun = False
        self._id = ""
        self._data: list[str] = []
        self._size = 0

    def feed(self, piece: bytes) -> list[ServerEvent]:
        """The events that these bytes complete."""
        if self._after_return and piece[:1] == b"\n":
            piece = piece[1:]
            self._after_return = False
        if not piece:
            return []
        self._after_return = piece.endswith(b"\r")
        lines = (self._rest + piece).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        self._rest = lines.pop()
        self._size += len(piece)
        if self._size > event_bytes_max:
            raise MalformedStream
        return [event for line in lines for event in self._take(line)]

    def _take(self, raw: bytes) -> list[ServerEvent]:
        line = raw.decode("utf-8", "replace")
        if not self._begun:
            self._begun = True
            line = line.removeprefix("\ufeff")
        if line == "":
            data, self._data, self._size = self._data, [], len(self._rest)
            return [ServerEvent(self._id, "\n".join(data))] if data else []
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and value.isascii() and value.isdigit() and len(value) < 8:
            self.retry_seconds = int(value) / 1000
        return []
