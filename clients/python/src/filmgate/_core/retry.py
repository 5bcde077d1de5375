"""Which failures are tried again, and when."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Literal, TypeVar

from ..errors import FilmgateError
from ..progress import Retry
from .flow import Call, Fault, Flow, Sleep
from .limit import Limit

first_seconds = 0.5
most_seconds = 15.0
#: Refusals that say surely that nothing runs, and may say so again.
definite_tries_max = 3
#: Without an answer so long a call ends, unless its caller chose another end.
#: A wrong address is told sooner than an outage.
outage_seconds = 300.0
unreached_seconds = 45.0
#: Longer pauses are not waited for where there is another way.
back_off_seconds_max = 60.0

#: `same`: the request can be repeated, because of its Idempotency-Key or because it changes nothing.
#: `refused`: only where the server surely did not take it.
Again = Literal["same", "refused"]
T = TypeVar("T")


def may_repeat(error: FilmgateError, fault: Fault | None, again: Again, is_last: bool) -> bool:
    """Whether the same bytes may be sent again after this error. `is_last`: of definite refusals this is the last."""
    if fault is not None:
        return again == "same" or not fault.sent
    if error.status == 429:
        return True
    if again == "refused" or error.status is None:
        return False
    if error.code == "unexpected_answer" and 200 <= error.status < 300:
        return True
    # With a task the refusal is final: it has failed, and its credits come back.
    if error.code == "generation_unavailable" and error.task_id is not None:
        return False
    if error.code in ("generation_unavailable", "internal_error"):
        return not is_last
    return error.status == 408 or (error.status >= 500 and error.status not in (501, 505))


class Retries:
    """The tries of one request."""

    def __init__(
        self, limit: Limit, again: Again = "same", definite_tries: float = definite_tries_max, makes: bool = False
    ) -> None:
        """`makes`: the request makes a task, so that errors say whether there may be one."""
        self._limit = limit
        self._again: Again = again
        self._definite_tries = definite_tries
        self._makes = makes
        self._may_be_made = False
        self._reached = limit.task_id is not None
        self._silent_since = time.monotonic()
        self._tries = 0

    def succeeded(self) -> None:
        """What comes next is tried as often as what came before."""
        self._reached = True
        self._silent_since = time.monotonic()
        self._tries = 0

    def heard(self) -> None:
        """The server is there, although what was asked for is not: this is no outage, and pauses go on growing."""
        self._reached = True
        self._silent_since = time.monotonic()

    def run(self, attempt: Callable[[], Flow[T]]) -> Flow[T]:
        """The result of the first attempt that has one."""
        while True:
            try:
                return (yield from attempt())
            except (Fault, FilmgateError) as failure:
                yield from self.pause(failure)

    def pause(self, failure: Fault | FilmgateError) -> Flow[None]:
        """Waits until the next try, or raises where there is none."""
        fault = failure if isinstance(failure, Fault) else None
        error = failure if isinstance(failure, FilmgateError) else _error_of(failure)
        self._tries += 1
        self._limit.named(error)
        if fault is None or fault.sent:
            self._reached = True
        elif not self._reached:
            error.hint = None
        if self._makes:
            self._may_be_made = _may_be_made(error, fault, self._may_be_made)
            error.outcome_unknown = self._may_be_made
            error.hint = self._limit.resume_words() if self._may_be_made else None
        if self._limit.deadline.left() <= 0 and error.status is None:
            raise self._timed_out(error)
        is_last = self._tries >= self._definite_tries
        if not may_repeat(error, fault, self._again, is_last) or self._is_outage(error):
            raise error
        seconds = _seconds(self._tries, error.retry_after_seconds)
        if seconds >= self._limit.deadline.left():
            raise self._timed_out(error) if error.status is None else error
        yield from self._sleep(seconds, error)

    def back_off(self, failure: Fault | FilmgateError) -> Flow[None]:
        """Waits after what no caller is told of, because there is another way. Raises only at the deadline."""
        error = failure if isinstance(failure, FilmgateError) else _error_of(failure)
        self._tries += 1
        self._limit.named(error)
        seconds = min(_seconds(self._tries, error.retry_after_seconds), back_off_seconds_max)
        left = self._limit.deadline.left()
        yield from self._sleep(min(seconds, left), error)
        if seconds >= left:
            raise self._limit.timed_out(error)

    def _sleep(self, seconds: float, error: FilmgateError) -> Flow[None]:
        if self._limit.on_retry is not None:
            yield Call(self._limit.on_retry, Retry(self._tries, seconds, error))
        yield Sleep(seconds)

    def _timed_out(self, error: FilmgateError) -> FilmgateError:
        late = self._limit.timed_out(error)
        late.hint, late.outcome_unknown = error.hint, error.outcome_unknown
        return late

    def _is_outage(self, error: FilmgateError) -> bool:
        if error.status == 429:
            self._silent_since = time.monotonic()
        silent = time.monotonic() - self._silent_since
        return not self._limit.chosen and silent > (outage_seconds if self._reached else unreached_seconds)


#: With these statuses the gateway refuses after its look-up of the Idempotency-Key: no earlier try made a task.
_after_look_up = (400, 402, 409, 429)
#: Except with these codes, which say nothing of an earlier try.
_before_look_up = (
    "rate_limited",
    "invalid_http",
    "too_many_pipelined",
    "invalid_content_type",
    "invalid_json",
    "missing_idempotency_key",
    "invalid_idempotency_key",
)


def _may_be_made(error: FilmgateError, fault: Fault | None, before: bool) -> bool:
    """Whether there may be a task after this try, and after what was not known `before` it."""
    if fault is not None:
        return before or fault.sent
    # The request could not be sent.
    if error.status is None:
        return before
    if error.code == "generation_unavailable":
        return False
    if error.code == "unexpected_answer" or error.status == 408 or error.status >= 500:
        return True
    return before and (error.status not in _after_look_up or error.code in _before_look_up)


def _error_of(fault: Fault) -> FilmgateError:
    error = FilmgateError(fault.message, code=fault.code, retry_after_seconds=fault.retry_after_seconds)
    error.__cause__ = fault.__cause__
    return error


def _seconds(tries: int, told: float | None) -> float:
    most = min(most_seconds, first_seconds * 2 ** min(tries - 1, 10))
    back_off = random.uniform(most / 2, most)
    # Clients that were told the same moment come back spread.
    return back_off if told is None else told + random.uniform(0.0, min(most, 5.0))
