"""The end of one call, which all its requests share, and what its errors name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..errors import FilmgateError
from ..progress import Retry
from .flow import Deadline

OnRetry = Callable[[Retry], Any]


@dataclass
class Limit:
    """One call. `chosen`: the caller set its end, and nothing ends it before."""

    deadline: Deadline
    chosen: bool = False
    on_retry: OnRetry | None = field(default=None, repr=False)
    idempotency_key: str | None = None
    task_id: str | None = None
    #: The task is in review.
    review: bool = False

    def named(self, error: FilmgateError) -> FilmgateError:
        """The error with what this call knows: it says how to go on."""
        error.idempotency_key = self.idempotency_key
        error.task_id = self.task_id = error.task_id or self.task_id
        if _is_outcome_unknown(error):
            error.hint = self.resume_words()
        return error

    def resume_words(self) -> str | None:
        """How a caller goes on with what the server may still be making."""
        if self.task_id is not None:
            review = (
                " Whether there will be a video is not known yet, and its credits stay held." if self.review else ""
            )
            return f'The task {self.task_id} goes on: client.wait("{self.task_id}") resumes it.{review}'
        if self.idempotency_key is not None:
            return (
                "Whether there is a task is not known: the same request with "
                f'idempotency_key="{self.idempotency_key}" is never charged twice.'
            )
        return None

    def timed_out(self, cause: BaseException | None = None) -> FilmgateError:
        error = self.named(FilmgateError(f"Not done within {self.deadline.seconds:g} s.", code="timeout"))
        error.__cause__ = cause
        return error


def limit_of(
    timeout: float | None,
    fallback: float,
    on_retry: OnRetry | None,
    idempotency_key: str | None = None,
    task_id: str | None = None,
) -> Limit:
    """`timeout` in seconds, else `fallback`."""
    if timeout is not None and not timeout > 0:
        raise FilmgateError("timeout must be a number of seconds above 0.", code="invalid_argument")
    return Limit(
        Deadline(fallback if timeout is None else timeout), timeout is not None, on_retry, idempotency_key, task_id
    )


def _is_outcome_unknown(error: FilmgateError) -> bool:
    if error.status is None or error.status == 408:
        return True
    if error.code == "generation_unavailable":
        return False
    return error.status >= 500 or (error.code == "unexpected_answer" and error.status < 300)
