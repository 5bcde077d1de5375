"""Requests of the API and what their answers mean."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from importlib import metadata
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from ..errors import FilmgateError
from .flow import Answer, Request

try:
    version = metadata.version("filmgate")
except metadata.PackageNotFoundError:
    version = "0.0.0"

user_agent = f"filmgate-python/{version}"
#: The first POST checks media and hands the request to a provider.
post_read_seconds = 260.0
read_seconds = 65.0


@dataclass(frozen=True)
class Api:
    """Where the API is, and the key for it, which only requests made here have."""

    base_url: str
    api_key: str = field(repr=False)
    #: How long a POST of a generation may be without an answer before it is sent again under its key.
    post_read_seconds: float = post_read_seconds

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        read_seconds: float = read_seconds,
    ) -> Request:
        """A request with the key. `path` begins with a slash; its parts are quoted by `part`."""
        given = {name: value for name, value in (query or {}).items() if value is not None}
        own = {"Authorization": f"Bearer {self.api_key}", "Accept": "application/json", "User-Agent": user_agent}
        if body is not None:
            own["Content-Type"] = "application/json"
        url = f"{self.base_url}{path}{f'?{urlencode(given)}' if given else ''}"
        return Request(method, url, {**own, **(headers or {})}, body, read_seconds)


def make_api(api_key: str | None, base_url: str | None, post_seconds: float) -> Api:
    """Checks the settings of a client."""
    if not api_key:
        raise FilmgateError("Set FILMGATE_API_KEY, or give api_key.", code="invalid_configuration")
    if not base_url:
        raise FilmgateError(
            "Set FILMGATE_URL to an address that ends in /api/v1, or give base_url.", code="invalid_configuration"
        )
    parts = urlsplit(base_url)
    if (
        parts.scheme not in ("http", "https")
        or not parts.hostname
        or "@" in parts.netloc
        or parts.query
        or parts.fragment
    ):
        raise FilmgateError(
            "base_url (FILMGATE_URL) must be an http(s) address without user, query and fragment. It ends in /api/v1.",
            code="invalid_configuration",
        )
    if not api_key.isascii() or not api_key.isprintable() or " " in api_key:
        raise FilmgateError("The API key has characters that no key has.", code="invalid_configuration")
    return Api(base_url.rstrip("/"), api_key, post_seconds)


def part(identifier: str) -> str:
    """An id as a part of a path: it can't lead elsewhere."""
    if not isinstance(identifier, str) or identifier in ("", ".", ".."):
        raise FilmgateError(f"{identifier!r} is no id.", code="invalid_argument")
    return quote(identifier, safe="")


def encode(body: Mapping[str, Any]) -> bytes:
    """The bytes of a body, made once: every retry sends these."""
    return json.dumps(body, separators=(",", ":"), allow_nan=False).encode("ascii")


def read_object(answer: Answer) -> dict[str, Any]:
    """The JSON object of a 2xx answer. A refusal, or what is no answer of the API, is raised."""
    if not 200 <= answer.status < 300:
        raise refusal(answer)
    try:
        value = json.loads(answer.body)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise unexpected_answer(answer, "it is not a JSON object")
    return value


def read_task(answer: Answer) -> dict[str, Any]:
    """The VideoTask of an answer."""
    task = read_object(answer)
    output, error = task.get("output"), task.get("error")
    whole = isinstance(task.get("id"), str) and isinstance(task.get("status"), str)
    if task.get("status") == "completed":
        whole = whole and isinstance(output, dict) and isinstance(output.get("video_url"), str)
    if not whole or not (error is None or isinstance(error, dict)):
        raise unexpected_answer(answer, "it is not a task")
    return task


def refusal(answer: Answer) -> FilmgateError:
    """The error that an answer other than 2xx stands for."""
    try:
        told = json.loads(answer.body)["error"]
        code, message, details = told["code"], told["message"], told.get("details")
    except (ValueError, KeyError, TypeError, AttributeError):
        return unexpected_answer(answer, f"its status is {answer.status}{_where(answer)}")
    if not isinstance(code, str):
        return unexpected_answer(answer, f"its status is {answer.status}")
    details = details if isinstance(details, dict) else {}
    task_id = details.get("task_id")
    return FilmgateError(
        str(message),
        code=code,
        status=answer.status,
        details=details,
        request_id=answer.headers.get("x-request-id"),
        retry_after_seconds=retry_after(answer.headers),
        task_id=task_id if isinstance(task_id, str) else None,
    )


def unexpected_answer(answer: Answer, why: str) -> FilmgateError:
    return FilmgateError(
        f"This is no answer of the API: {why}.",
        code="unexpected_answer",
        status=answer.status,
        request_id=answer.headers.get("x-request-id"),
        retry_after_seconds=retry_after(answer.headers),
    )


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds of Retry-After, which is a number or a date."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit() and len(text) < 10:
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _where(answer: Answer) -> str:
    location = answer.headers.get("location")
    return f", to {location}: base_url must be where the API itself answers" if location else ""
