"""The client for asyncio."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any

import httpx

from ._core.core import Core, NewOptions, core_from, merged
from ._core.save import video_url
from ._drive import AsyncDriver, redirects_max
from .async_resources import AsyncModels, AsyncTasks, AsyncUploads, AsyncUsage, AsyncWebhooks
from .progress import Progress, Retry

if TYPE_CHECKING:
    from ._calls import CreateCall, EstimateCall, GenerateCall
    from ._generated import ApiKey, CreditBalance, Estimate, VideoTask


class AsyncVideo:
    """A completed task. Its file is kept for 30 days: save a copy of your own."""

    def __init__(self, task: VideoTask, core: Core, driver: AsyncDriver, idempotency_key: str | None = None) -> None:
        self.task = task
        #: The Idempotency-Key of the call that made it; None after `wait`.
        self.idempotency_key = idempotency_key
        self._core = core
        self._driver = driver

    def __repr__(self) -> str:
        return f"AsyncVideo(task={self.task['id']!r}, url={self.url!r})"

    @property
    def url(self) -> str:
        """Where the MP4 is. Not a private link: whoever holds it can fetch the video."""
        return video_url(self.task)  # type: ignore[arg-type]

    async def save(self, path: str | os.PathLike[str], *, timeout: float | None = None) -> None:
        """Writes the MP4 to `path`: whole, or not at all. A cut is resumed, for 15 minutes or `timeout` seconds."""
        await self._driver.run(self._core.save(self.task, path, timeout))

    @asynccontextmanager
    async def response(self) -> AsyncIterator[httpx.Response]:
        """The answer with the MP4, read by `async for piece in response.aiter_bytes()`. Errors are httpx's."""
        async with self._driver.http.stream("GET", self.url, auth=None, follow_redirects=True) as response:
            response.raise_for_status()
            yield response


class AsyncFilmgate:
    """Makes videos with the Filmgate API.

    `api_key` and `base_url` (which ends in /api/v1) come from FILMGATE_API_KEY and FILMGATE_URL where they are left
    out. The key is sent to the base URL alone. `on_retry` is told before a request is sent again. Callbacks may be
    coroutine functions. `http_client` is an httpx.AsyncClient of your own, for proxies or certificates, which you
    close yourself. `post_read_seconds`: how long the first answer to a generation may take before it is asked for
    again, under the same Idempotency-Key.

    Use a client in one event loop, where tasks may share it. Close it, or use it as a context manager. Every call
    raises FilmgateError.
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        on_retry: Callable[[Retry], Any] | None = None,
        http_client: httpx.AsyncClient | None = None,
        post_read_seconds: float | None = None,
    ) -> None:
        self._core = core_from(api_key, base_url, on_retry, post_read_seconds)
        self._owned = http_client is None
        self._driver = AsyncDriver(http_client or httpx.AsyncClient(max_redirects=redirects_max))
        run, iterate = self._driver.run, self._driver.iterate
        self.models = AsyncModels(self._core, run)
        self.tasks = AsyncTasks(self._core, run, iterate)
        self.usage = AsyncUsage(self._core, run, iterate)
        self.uploads = AsyncUploads(self._core, run)
        self.webhooks = AsyncWebhooks(self._core, run, iterate)

    if TYPE_CHECKING:
        # Exact for each model and mode, which a signature of its own could not say.
        generate: GenerateCall[Awaitable[AsyncVideo]]
        """Makes a video, waits for it, and saves it to `save_to`. It is charged once."""
        create: CreateCall[Awaitable[VideoTask]]
        """The task, once it is accepted; `wait` gives its video."""
        estimate: EstimateCall[Awaitable[Estimate]]
        """What the request would cost now, in credits, and whether the balance covers it. Nothing is charged."""
    else:

        async def generate(
            self,
            request=None,
            /,
            *,
            save_to=None,
            on_created=None,
            on_progress=None,
            idempotency_key=None,
            tags=None,
            cancel_after_seconds=None,
            timeout=None,
            **fields,
        ):
            """Makes a video, waits for it, and saves it to `save_to`. It is charged once, however often it is sent.

            The request is given as keywords, or as a dict; its type is exact for each model and mode. `on_created` is
            told the task before anything else happens: store its id, and `wait(id)` resumes after a crash.
            `idempotency_key` names the generation: keep one of your own beforehand, and the same call with it never
            makes a second video. `tags` mark the task for your own books. `cancel_after_seconds` cancels it then.
            `timeout` in seconds, else an hour.

            Raises FilmgateError: a refusal, the reason why the task failed, or `timeout` with `task_id`.
            """
            options = NewOptions(idempotency_key, tags, cancel_after_seconds, on_created, timeout)
            task, key = await self._driver.run(
                self._core.generate(merged(request, fields), options, on_progress, save_to)
            )
            return AsyncVideo(task, self._core, self._driver, key)

        async def create(
            self,
            request=None,
            /,
            *,
            on_created=None,
            idempotency_key=None,
            tags=None,
            cancel_after_seconds=None,
            timeout=None,
            **fields,
        ):
            """The task, once it is accepted; `wait` gives its video. With a key that was used before: the task of that
            time, even if it failed. `timeout` in seconds, else 15 minutes. Raises FilmgateError.
            """
            options = NewOptions(idempotency_key, tags, cancel_after_seconds, on_created, timeout)
            return await self._driver.run(self._core.create(merged(request, fields), options))

        async def estimate(self, request=None, /, *, timeout=None, **fields):
            """What the request would cost now, in credits, and whether the balance covers it. Nothing is charged."""
            return await self._driver.run(self._core.estimate(merged(request, fields), timeout))

    async def wait(
        self,
        task: VideoTask | str,
        *,
        save_to: str | os.PathLike[str] | None = None,
        on_progress: Callable[[Progress], Any] | None = None,
        timeout: float | None = None,
    ) -> AsyncVideo:
        """The video of a task or of its id, once it is completed. It can be called again at any time, also by another
        process. Raises FilmgateError: the reason why the task failed, or `timeout` (an hour) with `task_id`.
        """
        ended = await self._driver.run(self._core.wait(task, on_progress, save_to, timeout))
        return AsyncVideo(ended, self._core, self._driver)  # type: ignore[arg-type]

    async def credits(self) -> CreditBalance:
        """The paid credits that the API may spend."""
        return await self._driver.run(self._core.get("/credits"))

    async def key(self) -> ApiKey:
        """The API key that asks: its limits, budgets and spend."""
        return await self._driver.run(self._core.get("/keys/self"))

    async def close(self) -> None:
        """Closes its connections. A client of yours (`http_client`) stays open."""
        if self._owned:
            await self._driver.http.aclose()

    async def __aenter__(self) -> AsyncFilmgate:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
