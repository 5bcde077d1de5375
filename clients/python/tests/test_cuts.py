"""A connection that is cut, reset or silent at any byte: still one task, and the whole video is saved."""

from __future__ import annotations

import asyncio
import os
import ssl
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from api_server import Api, Fault, FaultyProxy, film, key

from filmgate import AsyncFilmgate, Filmgate

#: Every byte by default takes minutes; the short form takes each so many.
step = int(os.environ.get("FILMGATE_CUT_STEP", "61"))
silent_step = step * 4


#: Made once: it takes longer than a call.
tls = ssl.create_default_context()


def connect(proxy: FaultyProxy) -> dict[str, object]:
    return {"api_key": key, "base_url": f"{proxy.url}/api/v1", "post_read_seconds": 0.3}


def generate(port: int, folder: Path, fault: Fault | None, kind: str) -> list[dict[str, int]]:
    """One call over a proxy of its own. Returns how many bytes its connections carried."""
    proxy = FaultyProxy(port, fault)
    name = f"{fault}"
    target = folder / f"{name}.mp4"
    try:
        if kind == "sync":
            with httpx.Client(verify=tls) as http:
                client = Filmgate(**connect(proxy), http_client=http)  # type: ignore[arg-type]
                client.generate(model="alpha-h3", prompt=name, idempotency_key=key_of(name), save_to=target)
        else:
            asyncio.run(generate_async(proxy, name, target))
    finally:
        proxy.close()
    assert target.read_bytes() == film, fault
    return proxy.counts


async def generate_async(proxy: FaultyProxy, name: str, target: Path) -> None:
    async with httpx.AsyncClient(verify=tls) as http:
        client = AsyncFilmgate(**connect(proxy), http_client=http)  # type: ignore[arg-type]
        await client.generate(model="alpha-h3", prompt=name, idempotency_key=key_of(name), save_to=target)


def key_of(name: str) -> str:
    return "".join(letter if letter.isalnum() else "." for letter in name)


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_one_task_and_a_whole_video_whatever_byte_a_connection_breaks_at(
    api: Api, tmp_path: Path, quick: None, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("events.silent_seconds", "save.read_seconds"):
        monkeypatch.setattr(f"filmgate._core.{name}", 0.3)
    monkeypatch.setattr("filmgate._core.api.read_seconds", 0.3)
    port = int(api.url.rsplit(":", 1)[1])
    usual = generate(port, tmp_path, None, kind)
    faults = [
        Fault(connection, direction, after, fault)
        for connection, counts in enumerate(usual)
        for direction, count in counts.items()
        for fault, each in (("cut", step), ("reset", step * 2), ("stall", silent_step))
        for after in range(0, count, each)
    ]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda fault: generate(port, tmp_path, fault, kind), faults))
    assert len(api.tasks) == len(faults) + 1
    assert not list(tmp_path.glob("*.part")) and not list(tmp_path.glob(".*.part"))
