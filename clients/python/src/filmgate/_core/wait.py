"""Waits for the end of a task: by its events, else by reads that are held, else at the server's pace."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..errors import FilmgateError
from ..progress import Phase, Progress
from .api import Api, part, read_task, retry_after
from .events import Cursor, follow_once
from .flow import Call, Fault, Flow, Sleep, fetch
from .limit import Limit
from .retry import Retries

#: The contract: no faster than every 10 seconds.
poll_seconds = 10.0
hold_seconds = 60
#: Streams in a row that told nothing, after which the task is read instead.
empty_streams_max = 3

Task = dict[str, Any]
OnProgress = Callable[[Progress], Any]

_phases: dict[str, Phase] = {
    "queued": "queued",
    "accepted": "generating",
    "running": "generating",
    "copying": "copying",
    "in_review": "review",
}
_last_types = ("completed", "failed", "refunded")
#: What a stream and a read are refused with alike.
_final_codes = ("invalid_api_key", "missing_api_key", "task_not_found", "invalid_task_id")
_ends: dict[str, Phase] = {"completed": "settled", "failed": "failed"}


def wait(api: Api, task: Task | str, limit: Limit, on_progress: OnProgress | None) -> Flow[Task]:
    """The completed task. Raises its error where it failed, and `timeout` with its id where it takes longer."""
    limit.task_id = task if isinstance(task, str) else str(task["id"])
    if isinstance(task, str):
        task, _ = yield from _read(api, limit, hold=0)
    task = yield from _until_ended(api, task, limit, _Teller(limit, on_progress))
    if task["status"] == "failed":
        raise _failed(task, limit)
    return task


def _until_ended(api: Api, task: Task, limit: Limit, teller: _Teller) -> Flow[Task]:
    cursor = Cursor(str(task["id"]), last_types=_last_types)
    retries = Retries(limit)
    teller.seen = task
    empty = 0
    while task["status"] not in _ends:
        if limit.deadline.left() <= 0:
            raise limit.timed_out()
        if cursor.streams and not cursor.ended:
            yield from _follow(api, cursor, retries, limit, teller)
            empty = 0 if cursor.seen else empty + 1
            if not cursor.ended and cursor.streams and empty < empty_streams_max:
                continue
            empty = 0
        # After its last event a task has ended; without a stream, a held read tells a change as soon.
        task = yield from _read_paced(api, limit, hold=0 if cursor.ended else hold_seconds)
        retries.succeeded()
        cursor.ended = False
        yield from teller.task(task)
    yield from teller.task(task)
    return task


def _follow(api: Api, cursor: Cursor, retries: Retries, limit: Limit, teller: _Teller) -> Flow[None]:
    """One stream, and the pause after it where it broke."""
    failure: Fault | FilmgateError | None = None

    def tell(event: dict[str, Any]) -> Flow[None]:
        try:
            yield from teller.event(event)
        except FilmgateError as error:
            raise _OfCaller(error) from error

    try:
        yield from follow_once(api, cursor, limit.deadline, tell)
    except _OfCaller as passed:
        raise passed.error from None
    except Fault as cut:
        failure = cut
    except FilmgateError as refused:
        if refused.code in _final_codes:
            raise limit.named(refused) from None
        cursor.streams = _may_stream_later(refused)
        if not cursor.streams:
            return
        failure = refused
    if cursor.opened:
        retries.succeeded()
    if cursor.ended:
        return
    if failure is None:
        yield from _sleep(cursor.retry_seconds * random.uniform(1.0, 1.5), limit)
    else:
        # Never the end of a wait: the task is read when streams have failed in a row, and that says how it is.
        yield from retries.back_off(failure)


class _OfCaller(Exception):
    """What `on_progress` raised, which says nothing of the stream."""

    def __init__(self, error: FilmgateError) -> None:
        super().__init__(str(error))
        self.error = error


def _may_stream_later(refused: FilmgateError) -> bool:
    """False where this server, or what is in front of it, streams nothing, or this key follows enough tasks."""
    if refused.status == 429:
        return refused.details.get("limit") != "event_streams"
    return refused.status is None or refused.status >= 500


def _read_paced(api: Api, limit: Limit, hold: int) -> Flow[Task]:
    """Reads the task. What is unfinished is returned no sooner than the server wants to be asked again."""
    began = time.monotonic()
    task, pace = yield from _read(api, limit, hold)
    if task["status"] not in _ends:
        yield from _sleep(max(poll_seconds, pace) - (time.monotonic() - began), limit)
    return task


def _read(api: Api, limit: Limit, hold: int) -> Flow[tuple[Task, float]]:
    """The task and its Retry-After, read until there is an answer."""
    path = f"/tasks/{part(limit.task_id or '')}"

    def attempt() -> Flow[tuple[Task, float]]:
        held = int(min(hold, limit.deadline.left()))
        headers = {"Prefer": f"wait={held}"} if held else {}
        request = api.request("GET", path, headers=headers, read_seconds=held + 30.0)
        answer = yield from fetch(request, limit.deadline)
        return read_task(answer), retry_after(answer.headers) or 0.0

    return (yield from Retries(limit).run(attempt))


def _sleep(seconds: float, limit: Limit) -> Flow[None]:
    left = limit.deadline.left()
    if seconds > 0:
        yield Sleep(min(seconds, left))
    if seconds >= left:
        raise limit.timed_out()


@dataclass
class _Teller:
    """Tells progress that differs from what was told before."""

    limit: Limit
    on_progress: OnProgress | None
    seen: Task | None = None
    told: tuple[Any, ...] = ()
    phase: Phase = "generating"

    def task(self, task: Task) -> Flow[None]:
        self.seen = task
        phase = _ends.get(task["status"])
        if phase is None:
            in_review = task.get("billing_status") == "review"
            phase = "review" if in_review else "generating" if self.phase == "review" else self.phase
        yield from self._tell(phase)

    def event(self, event: dict[str, Any]) -> Flow[None]:
        phase = _phases.get(event["type"])
        if phase is not None:
            yield from self._tell(phase, event.get("percent"), event.get("position"))

    def _tell(self, phase: Phase, percent: int | None = None, position: int | None = None) -> Flow[None]:
        self.phase = phase
        self.limit.review = phase == "review"
        now = (phase, percent, position)
        if now == self.told or self.seen is None:
            return
        if percent is None and position is None and self.told[:1] == (phase,):
            return
        self.told = now
        if self.on_progress is not None:
            yield Call(self.on_progress, Progress(phase, self.seen, percent, position))  # type: ignore[arg-type]


def _failed(task: Task, limit: Limit) -> FilmgateError:
    told = task.get("error") or {}
    error = FilmgateError(
        str(told.get("message") or "The generation failed."),
        code=str(told.get("code") or "generation_failed"),
        task_id=str(task["id"]),
        task=task,  # type: ignore[arg-type]
    )
    error.idempotency_key = limit.idempotency_key
    return error
