"""A flow is a generator: it yields an effect, is sent what came of it, and returns its result."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, Union


class Deadline:
    """A moment that nothing may pass. `seconds` from now; None never comes."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._at = None if seconds is None else time.monotonic() + seconds

    def left(self) -> float:
        """Seconds until it, 0 once it is there."""
        return float("inf") if self._at is None else max(0.0, self._at - time.monotonic())


@dataclass(frozen=True)
class Request:
    """What is sent. `read_seconds`: how long the other side may be silent."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    content: bytes | None = field(default=None, repr=False)
    read_seconds: float = 65.0
    #: The bytes as they come, not decoded. Redirects are followed for such requests alone, which never have a key.
    raw: bool = False


@dataclass(frozen=True, eq=False)
class Stream:
    """An answer whose body is still to be read. Header names are case-insensitive."""

    status: int
    headers: Mapping[str, str]
    handle: Any = field(repr=False)


class Fault(Exception):
    """No whole answer came. `sent` is False where the request surely did not arrive."""

    def __init__(self, message: str, *, sent: bool = True, code: str = "connection_failed") -> None:
        super().__init__(message)
        self.code = code
        self.retry_after_seconds: float | None = None
        self.message = message
        self.sent = sent


@dataclass(frozen=True)
class Open:
    """Sends a request; gives a Stream, or throws Fault."""

    request: Request
    deadline: Deadline


@dataclass(frozen=True)
class Read:
    """Gives the next bytes, b"" at the end, or throws Fault and closes the stream."""

    stream: Stream
    deadline: Deadline


@dataclass(frozen=True)
class Close:
    """Ends a stream early."""

    stream: Stream


@dataclass(frozen=True)
class Sleep:
    """Waits."""

    seconds: float


@dataclass(frozen=True)
class Call:
    """Calls a function of the user's. In AsyncFilmgate it may be a coroutine function."""

    function: Callable[..., Any]
    argument: Any


@dataclass(frozen=True)
class Emit:
    """Hands a value to whoever iterates."""

    value: Any


Effect = Union[Open, Read, Close, Sleep, Call, Emit]
T = TypeVar("T")
Flow = Generator[Effect, Any, T]


@dataclass(frozen=True)
class Answer:
    """An answer with its whole body."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)


#: The list of all models is the largest answer, below 2 MB.
answer_bytes_max = 64 * 1024 * 1024


def fetch(request: Request, deadline: Deadline) -> Flow[Answer]:
    """One request and its whole answer, or Fault."""
    stream: Stream = yield Open(request, deadline)
    pieces: list[bytes] = []
    size = 0
    while piece := (yield Read(stream, deadline)):
        pieces.append(piece)
        size += len(piece)
        if size > answer_bytes_max:
            yield Close(stream)
            raise Fault(f"The answer has more than {answer_bytes_max} bytes.", code="unexpected_answer")
    return Answer(stream.status, stream.headers, b"".join(pieces))
