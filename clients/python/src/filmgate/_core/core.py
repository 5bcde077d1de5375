"""Every call of a client as a flow. Both clients run these and differ in nothing else."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, Union

from ..errors import FilmgateError
from .api import Api, make_api, part, post_read_seconds
from .calls import call, call_seconds, pages, text_call
from .create import NewGeneration, key_for
from .events import emit_events
from .flow import Flow
from .generate import Following, create_seconds, created, finish, generate, save_seconds, wait_seconds
from .limit import Limit, OnRetry, limit_of
from .save import check_target, save, target_of, video_url
from .upload import upload, upload_seconds
from .wait import OnProgress

if TYPE_CHECKING:
    from .._generated import Model, VideoTask

Body = Mapping[str, Any]
T = TypeVar("T")
#: The surface names some parameters for Python, the API for HTTP.
_names = {"from_": "from"}


def core_from(api_key: str | None, base_url: str | None, on_retry: OnRetry | None, post_seconds: float | None) -> Core:
    """Settings as given, else from the environment."""
    key = api_key if api_key is not None else os.environ.get("FILMGATE_API_KEY")
    url = base_url if base_url is not None else os.environ.get("FILMGATE_URL")
    return Core(make_api((key or "").strip(), (url or "").strip(), post_seconds or post_read_seconds), on_retry)


def merged(request: Body | None, fields: Body) -> Body:
    """The body of a request that is given as a mapping, as keywords, or as both."""
    return {**(request or {}), **fields}


@dataclass(frozen=True)
class NewOptions:
    """What `generate` and `create` take beside a request."""

    idempotency_key: str | None = None
    tags: Mapping[str, str] | None = None
    cancel_after_seconds: int | None = None
    on_created: Callable[[Any], Any] | None = None
    timeout: float | None = None


@dataclass(frozen=True)
class Core:
    """The API, and who is told of retries."""

    api: Api
    on_retry: OnRetry | None = None

    def limit(
        self,
        timeout: float | None = None,
        fallback: float = call_seconds,
        idempotency_key: str | None = None,
        task_id: str | None = None,
    ) -> Limit:
        return limit_of(timeout, fallback, self.on_retry, idempotency_key, task_id)

    def create(self, body: Body, options: NewOptions) -> Flow[dict[str, Any]]:
        new = self._new(body, options)
        limit = self.limit(options.timeout, create_seconds, idempotency_key=new.idempotency_key)
        return created(self.api, new, limit, options.on_created)

    def estimate(self, body: Body, timeout: float | None) -> Flow[Any]:
        return call(self.api, self.limit(timeout), "POST", "/video/estimate", body=body)

    def generate(
        self, body: Body, options: NewOptions, on_progress: OnProgress | None, save_to: str | os.PathLike[str] | None
    ) -> Flow[tuple[dict[str, Any], str]]:
        """The completed task and the Idempotency-Key it was made under."""
        new = self._new(body, options)
        limit = self.limit(options.timeout, wait_seconds, idempotency_key=new.idempotency_key)
        following = Following(options.on_created, on_progress, None if save_to is None else target_of(save_to))
        return (yield from generate(self.api, new, limit, following)), new.idempotency_key

    def wait(
        self, task: Any, on_progress: OnProgress | None, save_to: str | os.PathLike[str] | None, timeout: float | None
    ) -> Flow[dict[str, Any]]:
        following = Following(None, on_progress, None if save_to is None else target_of(save_to))
        limit = self.limit(timeout, wait_seconds)
        if not isinstance(task, str) and not (isinstance(task, Mapping) and isinstance(task.get("id"), str)):
            raise FilmgateError("wait takes a task or its id.", code="invalid_argument")
        if following.save_to is not None:
            check_target(following.save_to)
        return finish(self.api, task if isinstance(task, str) else dict(task), limit, following)

    def save(self, task: Any, path: str | os.PathLike[str], timeout: float | None) -> Flow[Any]:
        return save(video_url(task), target_of(path), self.limit(timeout, save_seconds, task_id=str(task["id"])))

    def events(self, task_id: str, last_event_id: int | str, timeout: float | None) -> Flow[None]:
        return emit_events(self.api, task_id, int(last_event_id), self.limit(timeout, wait_seconds))

    def upload(self, content: bytes, media_type: str, timeout: float | None) -> Flow[str]:
        return upload(self.api, content, media_type, self.limit(timeout, upload_seconds))

    # What comes is what the route is known to answer with: each caller says its type.

    def get(self, path: str, **query: Any) -> Flow[T]:
        return call(self.api, self.limit(), "GET", path, query=_named(query))

    def text(self, path: str, accept: str, **query: Any) -> Flow[str]:
        return text_call(self.api, self.limit(), path, _named(query), accept)

    def pages(self, path: str, **query: Any) -> Flow[None]:
        return pages(self.api, self.limit, path, _named(query))

    def send(self, method: str, path: str, body: Body | None = None) -> Flow[T]:
        """What can be repeated: it changes nothing, or the same thing once."""
        return call(self.api, self.limit(), method, path, body=body)

    def send_once(self, method: str, path: str, body: Body | None = None) -> Flow[T]:
        """What would happen twice if it were repeated: sent again only where the server surely did not take it."""
        return call(self.api, self.limit(), method, path, body=body, again="refused")

    def rows(self, path: str) -> Flow[list[Any]]:
        """The rows of a list of one page."""
        page: Any = yield from self.get(path)
        return list(page.get("data") or [])

    def find_task(self, idempotency_key: str) -> Flow[Union[VideoTask, None]]:
        page: Any = yield from self.get("/tasks", idempotency_key=key_for(idempotency_key))
        return next(iter(page.get("data") or []), None)

    def find_model(self, model: str) -> Flow[Model]:
        models: Any = yield from self.get("/models")
        for each in models.get("data") or []:
            if each.get("id") == model:
                return each  # type: ignore[no-any-return]
        raise FilmgateError(f"There is no model {model}.", code="unknown_model")

    def _new(self, body: Body, options: NewOptions) -> NewGeneration:
        return NewGeneration(body, key_for(options.idempotency_key), options.tags, options.cancel_after_seconds)


def task_path(task_id: str, rest: str = "") -> str:
    return f"/tasks/{part(task_id)}{rest}"


def endpoint_path(endpoint_id: str, rest: str = "") -> str:
    return f"/webhook-endpoints/{part(endpoint_id)}{rest}"


def upload_path(upload_id: str) -> str:
    return f"/uploads/{part(upload_id)}"


def given(**fields: Any) -> dict[str, Any]:
    """A body of what is not left out."""
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in fields.items() if value is not None
    }


def _named(query: Mapping[str, Any]) -> dict[str, Any]:
    return {_names.get(name, name): value for name, value in query.items()}
