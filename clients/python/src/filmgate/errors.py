"""The one error that this package raises."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from ._generated import VideoTask

    #: Codes that no answer of the API has: they are made here.
    ClientErrorCode = Literal[
        "connection_failed",
        "timeout",
        "unexpected_answer",
        "invalid_configuration",
        "invalid_argument",
        "save_failed",
        "upload_failed",
        "invalid_webhook",
    ]


#: `details` has them all.
issues_shown_max = 5


class FilmgateError(Exception):
    """A refusal of the API, a task that failed, or an answer that did not come.

    `code` says which. Those of the API are in its reference under Errors. This client has further ones:
    `connection_failed`: no answer of the API, for longer than retries go on.
    `timeout`: your `timeout` passed. A task goes on: `wait(error.task_id)` resumes it.
    `unexpected_answer`: not an answer of this API, such as a redirect or a proxy's page.
    `invalid_configuration`, `invalid_argument`: nothing was sent.
    `save_failed`: the video is made and was not saved: bytes did not arrive whole, or the disk refused them.
    `upload_failed`: bytes did not arrive whole.
    `invalid_webhook`: the payload is not signed with this secret, or is too old.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int | None = None,
        details: Mapping[str, Any] | None = None,
        request_id: str | None = None,
        retry_after_seconds: float | None = None,
        task_id: str | None = None,
        task: VideoTask | None = None,
    ) -> None:
        super().__init__(message)
        #: For people. The words may change.
        self.message = message
        #: For programs.
        self.code = code
        #: The HTTP status; None where there was no answer, and for a task that failed.
        self.status = status
        #: Facts beside the code; which ones depends on it.
        self.details: dict[str, Any] = dict(details or {})
        #: Names the answer: tell it when you ask about one.
        self.request_id = request_id
        #: After how many seconds the server would be asked again.
        self.retry_after_seconds = retry_after_seconds
        #: The task that the error is about, where it is known: `wait(task_id)` goes on with it.
        self.task_id = task_id
        #: The task as it was last read, where it failed.
        self.task = task
        #: What the call sent: the same request with this key is the same task, and is charged once.
        self.idempotency_key: str | None = None
        #: True where the POST of a generation, or a try of it before, may have made a task that the error can't name.
        #: The same request with `idempotency_key`, or `tasks.find(idempotency_key)`, tells. False once a task is known
        #: by its POST's answer, and after a definite refusal.
        self.outcome_unknown = False
        #: How to go on, where that is not obvious.
        self.hint: str | None = None

    def __str__(self) -> str:
        hint = f" {self.hint}" if self.hint else ""
        issues = self.details.get("issues")
        if isinstance(issues, list):
            words = [str(issue.get("message")) for issue in issues[:issues_shown_max] if isinstance(issue, dict)]
            hint = f" {'; '.join(words)}.{hint}"
        request = f" (request {self.request_id})" if self.request_id else ""
        return f"{self.code}: {self.message}{hint}{request}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restore, (self.message, dict(self.__dict__)))


def _restore(message: str, state: dict[str, Any]) -> FilmgateError:
    error = FilmgateError(message, code=state["code"])
    error.__dict__.update(state)
    return error
