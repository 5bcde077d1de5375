"""Does what a flow asks for, with httpx: once for threads, once for asyncio."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any, TypeVar

import httpx

from ._core.flow import Call, Close, Deadline, Effect, Emit, Fault, Flow, Open, Read, Request, Sleep, Stream
from .errors import FilmgateError

T = TypeVar("T")

connect_seconds = 15.0
write_seconds = 60.0
redirects_max = 5


def _timeout(request: Request, deadline: Deadline) -> httpx.Timeout:
    left = deadline.left()
    if left <= 0:
        raise Fault("No time is left.", sent=False)
    return httpx.Timeout(
        connect=min(connect_seconds, left),
        read=min(request.read_seconds, left),
        write=min(write_seconds, left),
        pool=min(write_seconds, left),
    )


def _fault(error: Exception) -> Exception:
    """What httpx raises, in the words of flows."""
    if isinstance(error, (httpx.UnsupportedProtocol, httpx.LocalProtocolError, httpx.InvalidURL)):
        return FilmgateError(f"The request can't be sent: {error}", code="invalid_argument")
    sent = not isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
    words = str(error) or type(error).__name__
    return Fault(f"No answer came ({words}).", sent=sent)


_failures = (httpx.RequestError, httpx.InvalidURL)


class _Result:
    """Where a flow's result is put while what it emits is iterated."""

    value: Any = None


class SyncDriver:
    """Runs flows in the calling thread."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http

    def run(self, flow: Flow[T]) -> T:
        """The result of a flow."""
        result = _Result()
        for _ in self.iterate(flow, result):
            pass
        return result.value  # type: ignore[no-any-return]

    def iterate(self, flow: Flow[Any], result: _Result | None = None) -> Iterator[Any]:
        """What a flow emits."""
        streams: set[Stream] = set()
        try:
            effect = next(flow)
            while True:
                if isinstance(effect, Emit):
                    yield effect.value
                    effect = next(flow)
                    continue
                try:
                    done = self._do(effect, streams)
                except BaseException as error:
                    effect = flow.throw(error)
                else:
                    effect = flow.send(done)
        except StopIteration as stop:
            if result is not None:
                result.value = stop.value
        finally:
            flow.close()
            for stream in list(streams):
                self._end(stream, streams)

    def _do(self, effect: Effect, streams: set[Stream]) -> Any:
        if isinstance(effect, Open):
            return self._open(effect.request, effect.deadline, streams)
        if isinstance(effect, Read):
            return self._read(effect, streams)
        if isinstance(effect, Close):
            return self._end(effect.stream, streams)
        if isinstance(effect, Sleep):
            return time.sleep(effect.seconds)
        if isinstance(effect, Call):
            return effect.function(effect.argument)
        raise AssertionError(effect)

    def _open(self, asked: Request, deadline: Deadline, streams: set[Stream]) -> Stream:
        timeout = _timeout(asked, deadline)
        try:
            request = self.http.build_request(
                asked.method, asked.url, headers=dict(asked.headers), content=asked.content, timeout=timeout
            )
            response = self.http.send(request, stream=True, auth=None, follow_redirects=asked.raw)
        except _failures as error:
            raise _fault(error) from error
        pieces = response.iter_raw() if asked.raw else response.iter_bytes()
        stream = Stream(response.status_code, response.headers, (response, pieces))
        streams.add(stream)
        return stream

    def _read(self, effect: Read, streams: set[Stream]) -> bytes:
        pieces = effect.stream.handle[1]
        try:
            if effect.deadline.left() <= 0:
                raise Fault("No time is left.")
            piece: bytes = next(pieces, b"")
        except Exception as error:
            self._end(effect.stream, streams)
            if isinstance(error, _failures):
                raise _fault(error) from error
            raise
        if not piece:
            self._end(effect.stream, streams)
        return piece

    def _end(self, stream: Stream, streams: set[Stream]) -> None:
        streams.discard(stream)
        for part in reversed(stream.handle):
            part.close()


class AsyncDriver:
    """Runs flows in the task that awaits them."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http

    async def run(self, flow: Flow[T]) -> T:
        """The result of a flow."""
        result = _Result()
        async for _ in self.iterate(flow, result):
            pass
        return result.value  # type: ignore[no-any-return]

    async def iterate(self, flow: Flow[Any], result: _Result | None = None) -> AsyncIterator[Any]:
        """What a flow emits."""
        streams: set[Stream] = set()
        try:
            effect = next(flow)
            while True:
                if isinstance(effect, Emit):
                    yield effect.value
                    effect = next(flow)
                    continue
                try:
                    done = await self._do(effect, streams)
                except BaseException as error:
                    effect = flow.throw(error)
                else:
                    effect = flow.send(done)
        except StopIteration as stop:
            if result is not None:
                result.value = stop.value
        finally:
            flow.close()
            for stream in list(streams):
                await self._end(stream, streams)

    async def _do(self, effect: Effect, streams: set[Stream]) -> Any:
        if isinstance(effect, Open):
            return await self._open(effect.request, effect.deadline, streams)
        if isinstance(effect, Read):
            return await self._read(effect, streams)
        if isinstance(effect, Close):
            return await self._end(effect.stream, streams)
        if isinstance(effect, Sleep):
            return await asyncio.sleep(effect.seconds)
        if isinstance(effect, Call):
            made = effect.function(effect.argument)
            return await made if inspect.isawaitable(made) else made
        raise AssertionError(effect)

    async def _open(self, asked: Request, deadline: Deadline, streams: set[Stream]) -> Stream:
        timeout = _timeout(asked, deadline)
        try:
            request = self.http.build_request(
                asked.method, asked.url, headers=dict(asked.headers), content=asked.content, timeout=timeout
            )
            response = await self.http.send(request, stream=True, auth=None, follow_redirects=asked.raw)
        except _failures as error:
            raise _fault(error) from error
        pieces = response.aiter_raw() if asked.raw else response.aiter_bytes()
        stream = Stream(response.status_code, response.headers, (response, pieces))
        streams.add(stream)
        return stream

    async def _read(self, effect: Read, streams: set[Stream]) -> bytes:
        pieces = effect.stream.handle[1]
        try:
            if effect.deadline.left() <= 0:
                raise Fault("No time is left.")
            piece: bytes = await _next_piece(pieces)
        except Exception as error:
            await self._end(effect.stream, streams)
            if isinstance(error, _failures):
                raise _fault(error) from error
            raise
        if not piece:
            await self._end(effect.stream, streams)
        return piece

    async def _end(self, stream: Stream, streams: set[Stream]) -> None:
        streams.discard(stream)
        for part in reversed(stream.handle):
            await part.aclose()


async def _next_piece(pieces: AsyncIterator[bytes]) -> bytes:
    try:
        return await pieces.__anext__()
    except StopAsyncIteration:
        return b""
