"""What the client for threads does beside making videos."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, Union

from ._core.core import Core, endpoint_path, given, task_path, upload_path
from ._core.flow import Flow
from ._core.upload import Source, read_source

if TYPE_CHECKING:
    from ._generated import (
        CreatedWebhookEndpoint,
        Model,
        ModelList,
        RotatedWebhookEndpoint,
        TaskEvent,
        TaskStatus,
        Upload,
        UsageRecord,
        UsageSummary,
        VideoTask,
        WebhookDelivery,
        WebhookDeliveryStatus,
        WebhookEndpoint,
        WebhookEventType,
        WebhookReplayed,
    )

T = TypeVar("T")


class Run(Protocol):
    def __call__(self, flow: Flow[T]) -> T: ...


Iterate = Callable[[Any], Iterator[Any]]


class Models:
    """What may be asked of each model, and what it costs."""

    def __init__(self, core: Core, run: Run) -> None:
        self._core, self._run = core, run

    def list(self) -> ModelList:
        """All models with their modes, fields, limits and prices."""
        return self._run(self._core.get("/models"))

    def get(self, model: str) -> Model:
        """One model. Raises `unknown_model` where there is none of that name."""
        return self._run(self._core.find_model(model))


class Tasks:
    """Tasks of the account, newest first."""

    def __init__(self, core: Core, run: Run, iterate: Iterate) -> None:
        self._core, self._run, self._iterate = core, run, iterate

    def get(self, task_id: str) -> VideoTask:
        """The task as it is now. `wait` waits for its end."""
        return self._run(self._core.get(task_path(task_id)))

    def list(
        self,
        *,
        status: Union[TaskStatus, None] = None,
        tag: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> Iterator[VideoTask]:
        """All tasks, page after page as they are read. `tag`: `project=spring`. `limit`: of one page, 1 to 100."""
        return self._iterate(self._core.pages("/tasks", status=status, tag=tag, cursor=cursor, limit=limit))

    def find(self, idempotency_key: str) -> VideoTask | None:
        """The task that this API key made under an Idempotency-Key; None where there is none."""
        return self._run(self._core.find_task(idempotency_key))

    def cancel(self, task_id: str) -> VideoTask:
        """Ends a task that no provider has, or asks its provider to. Read the task for what comes of it.

        Raises `not_cancellable`, with the reason in `details`. It can be repeated.
        """
        return self._run(self._core.send("POST", task_path(task_id, "/cancel")))

    def events(
        self, task_id: str, *, last_event_id: int | str = 0, timeout: float | None = None
    ) -> Iterator[TaskEvent]:
        """What happens to a task, each event once, until its last. A stream that breaks is resumed.

        `last_event_id`: only what comes after it. Ignore types that you do not know. `timeout`: seconds, else an hour.
        """
        return self._iterate(self._core.events(task_id, last_event_id, timeout))


class Usage:
    """What was charged and what came back. `from_` and `to`: days such as `2026-11-01`, or moments."""

    def __init__(self, core: Core, run: Run, iterate: Iterate) -> None:
        self._core, self._run, self._iterate = core, run, iterate

    def list(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        model: str | None = None,
        key_id: str | None = None,
        tag: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> Iterator[UsageRecord]:
        """Usage records, newest first, page after page as they are read. `limit`: of one page, 1 to 500."""
        query = {"from_": from_, "to": to, "model": model, "key_id": key_id, "tag": tag}
        return self._iterate(self._core.pages("/usage", **query, cursor=cursor, limit=limit))

    def summary(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        model: str | None = None,
        key_id: str | None = None,
        tag: str | None = None,
        by: str | None = None,
    ) -> UsageSummary:
        """Sums by day and model, or by what `by` names: `day`, `model`, `key`, `tag:NAME`, separated by commas."""
        query = {"from_": from_, "to": to, "model": model, "key_id": key_id, "tag": tag}
        return self._run(self._core.get("/usage/summary", **query, by=by))

    def summary_csv(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        model: str | None = None,
        key_id: str | None = None,
        tag: str | None = None,
        by: str | None = None,
    ) -> str:
        """The same sums as CSV with a head line."""
        query = {"from_": from_, "to": to, "model": model, "key_id": key_id, "tag": tag}
        return self._run(self._core.text("/usage/summary", "text/csv", **query, by=by))


class Uploads:
    """Files of your own as inputs. They are private to the account and deleted after a day."""

    def __init__(self, core: Core, run: Run) -> None:
        self._core, self._run = core, run

    def create(self, source: Source, *, type: str | None = None, timeout: float | None = None) -> str:
        """Uploads a file, by its path or its bytes, and returns the URL to name in a request, such as `image_url`.

        At most 50 MiB: JPEG, PNG, WebP, MP4, MOV, MP3 or WAV. `type`: its media type, where its bytes don't show it.
        `timeout` in seconds, else 10 minutes. Raises `upload_limit` where the account has uploaded too much.
        """
        content, media_type = read_source(source, type)
        return self._run(self._core.upload(content, media_type, timeout))

    def get(self, upload_id: str) -> Upload:
        """Whether the file has arrived, and what checking it found."""
        return self._run(self._core.get(upload_path(upload_id)))


class Webhooks:
    """Addresses of yours that are told how tasks end. `filmgate.verify_webhook` reads what they get."""

    def __init__(self, core: Core, run: Run, iterate: Iterate) -> None:
        self._core, self._run, self._iterate = core, run, iterate

    def list(self) -> Sequence[WebhookEndpoint]:
        """The endpoints of the account, at most 20."""
        return self._run(self._core.rows("/webhook-endpoints"))

    def get(self, endpoint_id: str) -> WebhookEndpoint:
        """One endpoint, without its secret."""
        return self._run(self._core.get(endpoint_path(endpoint_id)))

    def create(
        self, url: str, *, events: Sequence[WebhookEventType] | None = None, description: str | None = None
    ) -> CreatedWebhookEndpoint:
        """A new endpoint and its `secret`, which only this answer has. Without `events` it is told of all.

        It is not repeated by itself: after `connection_failed` read the list first.
        """
        body = given(url=url, events=events, description=description)
        return self._run(self._core.send_once("POST", "/webhook-endpoints", body))

    def change(
        self,
        endpoint_id: str,
        *,
        url: str | None = None,
        events: Sequence[WebhookEventType] | None = None,
        description: str | None = None,
    ) -> WebhookEndpoint:
        """The changed endpoint. What is left out stays as it is."""
        body = given(url=url, events=events, description=description)
        return self._run(self._core.send("PATCH", endpoint_path(endpoint_id), body))

    def delete(self, endpoint_id: str) -> None:
        """Deletes an endpoint. Deliveries that wait are not sent."""
        self._run(self._core.send("DELETE", endpoint_path(endpoint_id)))

    def rotate(self, endpoint_id: str) -> RotatedWebhookEndpoint:
        """A new `secret`, which only this answer has. For a day deliveries are signed by both. It is not repeated."""
        return self._run(self._core.send_once("POST", endpoint_path(endpoint_id, "/rotate")))

    def test(self, endpoint_id: str) -> WebhookDelivery:
        """Sends an event of type `webhook.test`. Its delivery is in the list."""
        return self._run(self._core.send_once("POST", endpoint_path(endpoint_id, "/test")))

    def resume(self, endpoint_id: str) -> WebhookEndpoint:
        """Resumes a paused endpoint: what still waits is sent."""
        return self._run(self._core.send("POST", endpoint_path(endpoint_id, "/resume")))

    def deliveries(
        self,
        endpoint_id: str,
        *,
        status: Union[WebhookDeliveryStatus, None] = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> Iterator[WebhookDelivery]:
        """What was sent in the last 30 days with every attempt, newest first, page after page as they are read."""
        path = endpoint_path(endpoint_id, "/deliveries")
        return self._iterate(self._core.pages(path, status=status, cursor=cursor, limit=limit))

    def replay(
        self, endpoint_id: str, *, delivery_id: str | None = None, from_: str | None = None, to: str | None = None
    ) -> WebhookReplayed:
        """Sends one delivery again, or all of a span, under their ids."""
        body = given(**{"delivery_id": delivery_id, "from": from_, "to": to})
        return self._run(self._core.send_once("POST", endpoint_path(endpoint_id, "/replay"), body))
