"""Shared by all tests: a fresh API, a client of it, and retries that are short."""

from __future__ import annotations

import ssl
from collections.abc import Iterator

import httpx
import pytest
from api_server import Api, key, serve

from filmgate import Filmgate
from filmgate._core import retry, wait


@pytest.fixture
def api() -> Iterator[Api]:
    with serve() as running:
        yield running


@pytest.fixture(scope="session")
def tls() -> ssl.SSLContext:
    """Made once: it takes longer than a call."""
    return ssl.create_default_context()


@pytest.fixture
def client(api: Api, tls: ssl.SSLContext) -> Iterator[Filmgate]:
    with httpx.Client(verify=tls) as http:
        yield Filmgate(key, f"{api.url}/api/v1", http_client=http)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries and polls follow at once; what they would wait for is in tests of their own."""
    monkeypatch.setattr(retry, "first_seconds", 0.002)
    monkeypatch.setattr(retry, "most_seconds", 0.02)
    monkeypatch.setattr(wait, "poll_seconds", 0.01)
