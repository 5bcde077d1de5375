"""One POST of a generation, however often it has to be sent."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from ..errors import FilmgateError
from .api import Api, encode, read_task
from .flow import Flow, Request, fetch
from .limit import Limit
from .retry import Retries

_key_form = re.compile(r"[a-zA-Z0-9._:-]{1,160}")


@dataclass(frozen=True)
class NewGeneration:
    """A request and what is said beside it. The key is one a call: every retry has it."""

    body: Mapping[str, Any]
    idempotency_key: str
    tags: Mapping[str, str] | None = None
    cancel_after_seconds: int | None = None


def key_for(given: str | None) -> str:
    """The Idempotency-Key of a call."""
    if given is None:
        return str(uuid.uuid4())
    if not _key_form.fullmatch(given):
        raise FilmgateError("An idempotency_key has 1 to 160 letters, digits and . _ : -", code="invalid_argument")
    return given


def create(api: Api, new: NewGeneration, limit: Limit) -> Flow[dict[str, Any]]:
    """The task of a request. Retries send the same bytes under the same key, so that it is charged once."""
    request = _post(api, new)

    def attempt() -> Flow[dict[str, Any]]:
        return read_task((yield from fetch(request, limit.deadline)))

    task = yield from Retries(limit, makes=True).run(attempt)
    limit.task_id = task["id"]
    return task


def _post(api: Api, new: NewGeneration) -> Request:
    headers = {"Idempotency-Key": new.idempotency_key}
    if new.tags:
        headers["Filmgate-Tags"] = ",".join(f"{_quoted(name)}={_quoted(value)}" for name, value in new.tags.items())
    if new.cancel_after_seconds is not None:
        headers["Filmgate-Cancel-After"] = str(new.cancel_after_seconds)
    content = encode(new.body)
    return api.request("POST", "/video/generations", body=content, headers=headers, read_seconds=api.post_read_seconds)


def _quoted(text: str) -> str:
    return quote(str(text), safe="")
