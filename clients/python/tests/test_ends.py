"""Calls that are interrupted, cancelled, shared and closed leave nothing behind, and no task is lost."""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from api_server import Api, Handler, film, key

from filmgate import AsyncFilmgate, Filmgate, FilmgateError

body: dict[str, Any] = {"model": "alpha-h3", "prompt": "A paper boat"}


def test_ctrl_c_tells_how_to_go_on(api: Api, client: Filmgate) -> None:
    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    created: list[str] = []
    with pytest.raises(KeyboardInterrupt) as raised:
        client.generate(**body, on_created=lambda task: created.append(task["id"]), on_progress=interrupt)
    assert created == ["vt_1"]
    assert 'client.wait("vt_1") resumes it' in str(raised.value)
    with pytest.raises(KeyboardInterrupt, match="vt_1"):
        client.wait("vt_1", on_progress=interrupt)


def test_ctrl_c_before_an_answer_tells_the_key(api: Api, client: Filmgate, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("filmgate._drive.time.sleep", interrupt)
    for call in (client.generate, client.create):
        api.script = [lambda handler: handler.refuse(503, "service_unavailable")]
        with pytest.raises(KeyboardInterrupt, match='idempotency_key="mine" is never charged twice'):
            call(**body, idempotency_key="mine")


def open_sockets(http: httpx.Client | httpx.AsyncClient) -> int:
    return len(http._transport._pool.connections)  # type: ignore[attr-defined]


def test_a_callback_that_raises_ends_the_call_and_its_connection(api: Api, client: Filmgate, tmp_path: Path) -> None:
    # Its traceback keeps all that was open, so that nothing is closed because nobody knows it any more.
    with pytest.raises(ZeroDivisionError) as kept:
        client.generate(**body, on_progress=lambda _: 1 / 0, save_to=tmp_path / "a.mp4")
    assert kept and open_sockets(client._driver.http) == 0
    with pytest.raises(RuntimeError):
        client.generate(**body, on_created=lambda _: next(iter(())))
    assert list(tmp_path.iterdir()) == []
    assert client.wait("vt_1").task["status"] == "completed"


def test_an_error_of_a_callback_is_not_taken_for_one_of_the_stream(api: Api, client: Filmgate) -> None:
    own = FilmgateError("mine", code="service_unavailable", status=503)

    def fail(_: object) -> None:
        raise own

    with pytest.raises(FilmgateError) as raised:
        client.generate(**body, on_progress=fail)
    assert raised.value is own
    assert [seen.path for seen in api.seen][1:] == ["/api/v1/tasks/vt_1/events"]


def test_a_stream_that_its_reader_leaves_is_closed(api: Api, client: Filmgate) -> None:
    client.create(**body)
    for event in client.tasks.events("vt_1"):
        assert event["type"] == "queued"
        break
    gc.collect()
    assert open_sockets(client._driver.http) == 0
    assert [event["id"] for event in client.tasks.events("vt_1", last_event_id=3)] == ["4", "5"]
    assert list(client.tasks.events("vt_1", last_event_id="5")) == []


def test_threads_share_a_client(api: Api, client: Filmgate, tmp_path: Path) -> None:
    def make(index: int) -> str:
        return client.generate(**body, save_to=tmp_path / f"{index}.mp4").task["id"]

    with ThreadPoolExecutor(16) as pool:
        made = list(pool.map(make, range(32)))
    assert len(set(made)) == len(api.tasks) == 32
    assert all(path.read_bytes() == film for path in tmp_path.iterdir()) and len(list(tmp_path.iterdir())) == 32


def test_a_client_closes_its_own_connections_alone(api: Api, tls: Any) -> None:
    with Filmgate(key, f"{api.url}/api/v1") as own:
        own.create(**body)
    with pytest.raises(RuntimeError, match="closed"):
        own.create(**body)
    with httpx.Client(verify=tls) as http:
        with Filmgate(key, f"{api.url}/api/v1", http_client=http) as client:
            client.create(**body)
        assert not http.is_closed


hang = threading.Event()


def silent(_: Handler) -> None:
    hang.wait(20)


@pytest.mark.parametrize("before", [0, 1, 2, 3])
def test_a_cancelled_call_ends_at_once_wherever_it_is(api: Api, tls: Any, tmp_path: Path, before: int) -> None:
    """In the POST, the stream, the read and the download."""
    created: list[str] = []

    async def main() -> None:
        async with httpx.AsyncClient(verify=tls) as http:
            client = AsyncFilmgate(key, f"{api.url}/api/v1", http_client=http)

            async def note(task: Any) -> None:
                await asyncio.sleep(0)
                created.append(task["id"])

            api.script = [*[None] * before, silent]
            call = asyncio.create_task(client.generate(**body, on_created=note, save_to=tmp_path / "a.mp4"))  # type: ignore[arg-type]
            while len(api.seen) <= before:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.05)
            call.cancel()
            with pytest.raises(asyncio.CancelledError) as kept:
                await asyncio.wait_for(call, 2)
            assert kept and open_sockets(http) == 0
            assert created == ["vt_1"][:before]
            told = "vt_1" if created else "idempotency_key="
            assert sys.version_info < (3, 11) or any(told in note for note in kept.value.__notes__)
            assert list(tmp_path.iterdir()) == []
            if created:
                assert (await client.wait("vt_1")).task["status"] == "completed"

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        asyncio.run(main())
        gc.collect()
    hang.set()
    hang.clear()


def test_many_calls_of_one_loop_run_at_once(api: Api, tls: Any, tmp_path: Path) -> None:
    async def main() -> None:
        async with httpx.AsyncClient(verify=tls) as http:
            client = AsyncFilmgate(key, f"{api.url}/api/v1", http_client=http)
            videos = await asyncio.gather(*(client.generate(model="alpha-h3", prompt=str(n)) for n in range(20)))
            await asyncio.gather(*(video.save(tmp_path / video.task["id"]) for video in videos))
            async with videos[0].response() as response:
                assert await response.aread() == film

    asyncio.run(main())
    assert len(api.tasks) == 20 and all(path.read_bytes() == film for path in tmp_path.iterdir())


def test_asyncio_timeouts_and_own_ones_end_a_call(api: Api, tls: Any) -> None:
    async def main() -> None:
        async with httpx.AsyncClient(verify=tls) as http:
            client = AsyncFilmgate(key, f"{api.url}/api/v1", http_client=http)
            api.script = [silent]
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(client.create(**body), 0.2)
            api.script = [silent]
            with pytest.raises(FilmgateError, match="timeout"):
                await client.create(**body, timeout=0.2)

    asyncio.run(main())
    hang.set()
    hang.clear()
