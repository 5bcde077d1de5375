"""The events of a task, followed over as many streams as it takes."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..errors import FilmgateError
from .api import Api, part, refusal, unexpected_answer
from .flow import Answer, Close, Deadline, Emit, Fault, Flow, Open, Read, Stream
from .limit import Limit
from .retry import Retries
from .sse import EventParser, MalformedStream

#: The gateway sends something every 15 seconds.
silent_seconds = 45.0
#: Of a refusal instead of a stream.
refusal_bytes_max = 65_536
last_types: tuple[str, ...] = ("completed", "refunded")


@dataclass
class Cursor:
    """Where a follower of one task is."""

    task_id: str
    last_id: int = 0
    #: The types after which there is nothing more to follow.
    last_types: tuple[str, ...] = last_types
    #: Whether the last event of the task was seen.
    ended: bool = False
    #: Whether the newest stream was opened, if only to be silent.
    opened: bool = False
    #: Events that the newest stream gave.
    seen: int = 0
    #: Whether the server streams.
    streams: bool = True
    retry_seconds: float = 1.0


OnEvent = Callable[[dict[str, Any]], Flow[None]]


def follow_once(api: Api, cursor: Cursor, deadline: Deadline, on_event: OnEvent) -> Flow[None]:
    """One stream from the cursor to its end. Raises Fault where it breaks, and the refusal where there is none."""
    cursor.opened, cursor.seen = False, 0
    headers = {"Accept": "text/event-stream", "Cache-Control": "no-cache"}
    if cursor.last_id:
        headers["Last-Event-ID"] = str(cursor.last_id)
    path = f"/tasks/{part(cursor.task_id)}/events"
    request = api.request("GET", path, headers=headers, read_seconds=silent_seconds)
    stream: Stream = yield Open(request, deadline)
    if stream.status == 204:
        yield Close(stream)
        cursor.ended = True
        return
    if stream.status != 200 or not stream.headers.get("content-type", "").startswith("text/event-stream"):
        raise (yield from _no_stream(stream, deadline))
    cursor.opened = True
    parser = EventParser()
    while piece := (yield Read(stream, deadline)):
        try:
            events = [json.loads(event.data) for event in parser.feed(piece)]
        except (MalformedStream, ValueError):
            yield Close(stream)
            raise Fault("The stream has what is no event.") from None
        if parser.retry_seconds is not None:
            cursor.retry_seconds = min(parser.retry_seconds, 30.0)
        for event in events:
            yield from _take(cursor, event, on_event)
        if cursor.ended:
            yield Close(stream)
            return


def _take(cursor: Cursor, event: Any, on_event: OnEvent) -> Flow[None]:
    if not isinstance(event, dict) or not isinstance(event.get("type"), str):
        return
    identifier = str(event.get("id", ""))
    number = int(identifier) if identifier.isascii() and identifier.isdigit() and len(identifier) < 10 else 0
    if number <= cursor.last_id:
        return
    # Told before it counts: a callback that raises has not handled it.
    yield from on_event(event)
    cursor.last_id = number
    cursor.seen += 1
    cursor.ended = event["type"] in cursor.last_types


def _no_stream(stream: Stream, deadline: Deadline) -> Flow[FilmgateError]:
    body = b""
    while len(body) < refusal_bytes_max and (piece := (yield Read(stream, deadline))):
        body += piece
    yield Close(stream)
    answer = Answer(stream.status, stream.headers, body)
    if 200 <= stream.status < 300:
        return unexpected_answer(answer, "it is not an event stream")
    return refusal(answer)


def emit_events(api: Api, task_id: str, last_id: int, limit: Limit) -> Flow[None]:
    """Emits each event once until the last of the task; a stream that breaks is resumed behind the newest event."""
    limit.task_id = task_id
    cursor = Cursor(task_id, last_id)
    # Here there is nothing else to ask: only an outage ends it.
    retries = Retries(limit, definite_tries=math.inf)

    def emit(event: dict[str, Any]) -> Flow[None]:
        yield Emit(event)

    while not cursor.ended:
        try:
            yield from follow_once(api, cursor, limit.deadline, emit)
            if cursor.ended:
                return
            failure: Fault | FilmgateError = Fault("The stream ended before the task.")
            failure.retry_after_seconds = cursor.retry_seconds
        except (Fault, FilmgateError) as broken:
            failure = broken
        if cursor.seen:
            retries.succeeded()
        elif cursor.opened:
            retries.heard()
        yield from retries.pause(failure)
