"""What the client for asyncio does beside making videos."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
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
    def __call__(self, flow: Flow[T]) -> Coroutine[Any, Any, T]: ...


Iterate = Callable[[Any], AsyncIterator[Any]]


class AsyncModels:
    """What may be asked of each model, and what it costs."""

    def __init__(self, core: Core, run: Run) -> None:
        self._core, self._run = core, run

    async def list(self) -> ModelList:
        """All models with their modes, fields, limits and prices."""
        return await self._run(self._core.get("/models"))

    async def get(self, model: str) -> Model:
        """One model. Raises `unknown_model` where there is none of that name."""
        return await self._run(self._core.find_model(model))


class AsyncTasks:
    """Tasks of the account, newest first."""

    def __init__(self, core: Core, run: Run, iterate: Iterate) -> None:
        self._core, self._run, self._iterate = core, run, iterate

    async def get(self, task_id: str) -> VideoTask:
        """The task as it is now. `wait` waits for its end."""
        return await self._run(self._core.get(task_path(task_id)))

    def list(
        self,
        *,
        status: Union[TaskStatus, None] = None,
        tag: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[VideoTask]:
        """All tasks, page after page as they are read. `tag`: `project=spring`. `limit`: of one page, 1 to 100."""
        return self._iterate(self._core.pages("/tasks", status=status, tag=tag, cursor=cursor, limit=limit))

    async def find(self, idempotency_key: str) -> VideoTask | None:
        """The task that this API key made under an Idempotency-Key; None where there is none."""
        return await self._run(self._core.find_task(idempotency_key))

    async def cancel(self, task_id: str) -> VideoTask:
        """Ends a task that no provider has, or asks its provider to. Read the task for what comes of it.

        Raises `not_cancellable`, with the reason in `details`. It can be repeated.
        """
        return await self._run(self._core.send("POST", task_path(task_id, "/cancel")))

    def events(
        self, task_id: str, *, last_event_id: int | str = 0, timeout: float | None = None
    ) -> AsyncIterator[TaskEvent]:
        """What happens to a task, each event once, until its last. A stream that breaks is resumed.

        `last_event_id`: only what comes after it. Ignore types that you do not know. `timeout`: seconds, else an hour.
        Leave it early within `contextlib.aclosing`, which ends its connection at once.
        """
        return self._iterate(self._core.events(task_id, last_event_id, timeout))


class AsyncUsage:
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
    ) -> AsyncIterator[UsageRecord]:
        """Usage records, newest first, page after page as they are read. `limit`: of one page, 1 to 500."""
        query = {"from_": from_, "to": to, "model": model, "key_id": key_id, "tag": tag}
        return self._iterate(self._core.pages("/usage", **query, cursor=cursor, limit=limit))

    async def summary(
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
        return await self._run(self._core.get("/usage/summary", **query, by=by))

    async def summary_csv(
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
        return await self._run(self._core.text("/usage/summary", "text/csv", **query, by=by))


class AsyncUploads:
    """Files of your own as inputs. They are private to the account and deleted after a day."""

    def __init__(self, core: Core, run: Run) -> None:
        self._core, self._run = core, run

    async def create(self, source: Source, *, type: str | None = None, timeout: float | None = None) -> str:
        """Uploads a file, by its path or its bytes, and returns the URL to name in a request, such as `image_url`.

        At most 50 MiB: JPEG, PNG, WebP, MP4, MOV, MP3 or WAV. `type`: its media type, where its bytes don't show it.
        `timeout` in seconds, else 10 minutes. Raises `upload_limit` where the account has uploaded too much.
        """
        content, media_type = await asyncio.to_thread(read_source, source, type)
        return await self._run(self._core.upload(content, media_type, timeout))

    async def get(self, upload_id: str) -> Upload:
        """Whether the file has arrived, and what checking it found."""
        return await self._run(self._core.get(upload_path(upload_id)))


class AsyncWebhooks:
    """Addresses of yours that are told how tasks end. `filmgate.verify_webhook` reads what they get."""

    def __init__(self, core: Core, run: Run, iterate: Iterate) -> None:
        self._core, self._run, self._iterate = core, run, iterate

    async def list(self) -> Sequence[WebhookEndpoint]:
        """The endpoints of the account, at most 20."""
        return await self._run(self._core.rows("/webhook-endpoints"))

    async def get(self, endpoint_id: str) -> WebhookEndpoint:
        """One endpoint, without its secret."""
        return await self._run(self._core.get(endpoint_path(endpoint_id)))

    async def create(
        self, url: str, *, events: Sequence[WebhookEventType] | None = None, description: str | None = None
    ) -> CreatedWebhookEndpoint:
        """A new endpoint and its `secret`, which only this answer has. Without `events` it is told of all.

        It is not repeated by itself: after `connection_failed` read the list first.
        """
        body = given(url=url, events=events, description=description)
        return await self._run(self._core.send_once("POST", "/webhook-endpoints", body))

    async def change(
        self,
        endpoint_id: str,
        *,
        url: str | None = None,
        events: Sequence[WebhookEventType] | None = None,
        description: str | None = None,
    ) -> WebhookEndpoint:
        """The changed endpoint. What is left out stays as it is."""
        body = given(url=url, events=events, description=description)
        return await self._run(self._core.send("PATCH", endpoint_path(endpoint_id), body))

    async def delete(self, endpoint_id: str) -> None:
        """Deletes an endpoint. Deliveries that wait are not sent."""
        await self._run(self._core.send("DELETE", endpoint_path(endpoint_id)))

    async def rotate(self, endpoint_id: str) -> RotatedWebhookEndpoint:
        """A new `secret`, which only this answer has. For a day deliveries are signed by both. It is not repeated."""
        return await self._run(self._core.send_once("POST", endpoint_path(endpoint_id, "/rotate")))

    async def test(self, endpoint_id: str) -> WebhookDelivery:
        """Sends an event of type `webhook.test`. Its delivery is in the list."""
        return await self._run(self._core.send_once("POST", endpoint_path(endpoint_id, "/test")))

    async def resume(self, endpoint_id: str) -> WebhookEndpoint:
        """Resumes a paused endpoint: what still waits is sent."""
        return await self._run(self._core.send("POST", endpoint_path(endpoint_id, "/resume")))

    def deliveries(
        self,
        endpoint_id: str,
        *,
        status: Union[WebhookDeliveryStatus, None] = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[WebhookDelivery]:
        """What was sent in the last 30 days with every attempt, newest first, page after page as they are read."""
        path = endpoint_path(endpoint_id, "/deliveries")
        return self._iterate(self._core.pages(path, status=status, cursor=cursor, limit=limit))

    async def replay(
        self, endpoint_id: str, *, delivery_id: str | None = None, from_: str | None = None, to: str | None = None
    ) -> WebhookReplayed:
        """Sends one delivery again, or all of a span, under their ids."""
        body = given(**{"delivery_id": delivery_id, "from": from_, "to": to})
        return await self._run(self._core.send_once("POST", endpoint_path(endpoint_id, "/replay"), body))
