"""Requests with one answer, and lists of many pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..errors import FilmgateError
from .api import Api, encode, read_object, refusal
from .flow import Emit, Flow, Request, fetch
from .limit import Limit
from .retry import Again, Retries

#: Seconds for a call and its retries.
call_seconds = 120.0


def call(
    api: Api,
    limit: Limit,
    method: str,
    path: str,
    *,
    body: Mapping[str, Any] | None = None,
    query: Mapping[str, Any] | None = None,
    again: Again = "same",
) -> Flow[Any]:
    """The JSON object that answers; None with 204."""
    request = api.request(method, path, body=None if body is None else encode(body), query=query)
    return (yield from Retries(limit, again).run(lambda: _answer(request, limit)))


def _answer(request: Request, limit: Limit) -> Flow[dict[str, Any] | None]:
    answer = yield from fetch(request, limit.deadline)
    return None if answer.status == 204 else read_object(answer)


def text_call(api: Api, limit: Limit, path: str, query: Mapping[str, Any], accept: str) -> Flow[str]:
    """The text that answers a GET."""
    request = api.request("GET", path, query=query, headers={"Accept": accept})

    def attempt() -> Flow[str]:
        answer = yield from fetch(request, limit.deadline)
        if answer.status != 200:
            raise refusal(answer)
        return answer.body.decode("utf-8", "replace")

    return (yield from Retries(limit).run(attempt))


def pages(api: Api, new_limit: Callable[[], Limit], path: str, query: Mapping[str, Any]) -> Flow[None]:
    """Emits each row of all pages from `query` on. A page is read when the rows before it are used up."""
    cursor = query.get("cursor")
    while True:
        page = yield from call(api, new_limit(), "GET", path, query={**query, "cursor": cursor})
        for row in page.get("data") or []:
            yield Emit(row)
        following = page.get("next_cursor")
        if not following:
            return
        if following == cursor:
            raise FilmgateError("The list has the same page twice.", code="unexpected_answer")
        cursor = following
