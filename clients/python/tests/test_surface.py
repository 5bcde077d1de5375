"""Both clients have the same calls, and each asks the API for what it says."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import pickle
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from api_server import Api, Handler, key, task_of

from filmgate import AsyncFilmgate, AsyncVideo, Filmgate, FilmgateError, Video
from filmgate.async_resources import AsyncModels, AsyncTasks, AsyncUploads, AsyncUsage, AsyncWebhooks
from filmgate.resources import Models, Tasks, Uploads, Usage, Webhooks

pairs: list[tuple[type, type]] = [
    (Filmgate, AsyncFilmgate),
    (Video, AsyncVideo),
    (Models, AsyncModels),
    (Tasks, AsyncTasks),
    (Usage, AsyncUsage),
    (Uploads, AsyncUploads),
    (Webhooks, AsyncWebhooks),
]


def calls_of(kind: type) -> dict[str, tuple[Any, ...]]:
    return {
        name: tuple((each.name, each.kind, each.default) for each in inspect.signature(value).parameters.values())
        for name, value in vars(kind).items()
        if inspect.isfunction(value) and not name.startswith("_")
    }


@pytest.mark.parametrize("pair", pairs)
def test_both_clients_have_the_same_calls_with_the_same_arguments_and_words(pair: tuple[type, type]) -> None:
    plain, other = (calls_of(each) for each in pair)
    assert plain == other
    for name in plain:
        assert (vars(pair[0])[name].__doc__ and vars(pair[1])[name].__doc__) or name in (
            "generate",
            "create",
            "estimate",
        ), name


def answer(value: object, status: int = 200) -> Callable[[Handler], None]:
    return lambda handler: handler.send_json(status, value)


page_one = {"object": "list", "data": [{"id": "a"}, {"id": "b"}], "has_more": True, "next_cursor": "more"}
page_two = {"object": "list", "data": [{"id": "c"}], "has_more": False, "next_cursor": None}
rows = [{"id": "a"}, {"id": "b"}, {"id": "c"}]
endpoint = "/webhook-endpoints/whe_1"

Case = tuple[Callable[[Any], Any], list[Any], list[tuple[str, str, Any]], Any]
cases: list[Case] = [
    (lambda c: c.credits(), [answer({"available_credits": 1})], [("GET", "/credits", None)], {"available_credits": 1}),
    (lambda c: c.key(), [answer({"key_id": "k"})], [("GET", "/keys/self", None)], {"key_id": "k"}),
    (
        lambda c: c.estimate(model="alpha-h3", prompt="x"),
        [answer({"credits": 40})],
        [("POST", "/video/estimate", {"model": "alpha-h3", "prompt": "x"})],
        {"credits": 40},
    ),
    (lambda c: c.models.list(), [answer(page_two)], [("GET", "/models", None)], page_two),
    (lambda c: c.models.get("b"), [answer(page_one)], [("GET", "/models", None)], {"id": "b"}),
    (lambda c: c.tasks.get("vt_1"), [answer(task_of("vt_1", "failed"))], [("GET", "/tasks/vt_1", None)], None),
    (
        lambda c: c.tasks.list(status="failed", tag="a=b c", limit=2),
        [answer(page_one), answer(page_two)],
        [
            ("GET", "/tasks?status=failed&tag=a%3Db+c&limit=2", None),
            ("GET", "/tasks?status=failed&tag=a%3Db+c&cursor=more&limit=2", None),
        ],
        rows,
    ),
    (lambda c: c.tasks.find("key"), [answer(page_two)], [("GET", "/tasks?idempotency_key=key", None)], {"id": "c"}),
    (lambda c: c.tasks.find("key"), [answer({"data": []})], [("GET", "/tasks?idempotency_key=key", None)], None),
    (
        lambda c: c.tasks.cancel("vt_1"),
        [answer({"id": "vt_1"})],
        [("POST", "/tasks/vt_1/cancel", None)],
        {"id": "vt_1"},
    ),
    (
        lambda c: c.usage.list(from_="2026-11-01", to="2026-12-01"),
        [answer(page_two)],
        [("GET", "/usage?from=2026-11-01&to=2026-12-01", None)],
        [{"id": "c"}],
    ),
    (
        lambda c: c.usage.summary(by="day,tag:project"),
        [answer({"data": []})],
        [("GET", "/usage/summary?by=day%2Ctag%3Aproject", None)],
        {"data": []},
    ),
    (
        lambda c: c.usage.summary_csv(model="alpha-h3"),
        [lambda handler: handler.send(200, b"day,model\n")],
        [("GET", "/usage/summary?model=alpha-h3", None)],
        "day,model\n",
    ),
    (lambda c: c.uploads.get("up_1"), [answer({"status": "waiting"})], [("GET", "/uploads/up_1", None)], None),
    (lambda c: c.webhooks.list(), [answer(page_two)], [("GET", "/webhook-endpoints", None)], [{"id": "c"}]),
    (lambda c: c.webhooks.get("whe_1"), [answer({})], [("GET", endpoint, None)], {}),
    (
        lambda c: c.webhooks.create("https://x.example.com", events=("task.failed",)),
        [answer({"secret": "s"}, 201)],
        [("POST", "/webhook-endpoints", {"url": "https://x.example.com", "events": ["task.failed"]})],
        {"secret": "s"},
    ),
    (
        lambda c: c.webhooks.change("whe_1", description="new"),
        [answer({})],
        [("PATCH", endpoint, {"description": "new"})],
        {},
    ),
    (lambda c: c.webhooks.delete("whe_1"), [lambda h: h.send(204, b"")], [("DELETE", endpoint, None)], None),
    (lambda c: c.webhooks.rotate("whe_1"), [answer({})], [("POST", f"{endpoint}/rotate", None)], {}),
    (lambda c: c.webhooks.test("whe_1"), [answer({}, 202)], [("POST", f"{endpoint}/test", None)], {}),
    (lambda c: c.webhooks.resume("whe_1"), [answer({})], [("POST", f"{endpoint}/resume", None)], {}),
    (
        lambda c: c.webhooks.deliveries("whe_1", status="failed"),
        [answer(page_one), answer(page_two)],
        [
            ("GET", f"{endpoint}/deliveries?status=failed", None),
            ("GET", f"{endpoint}/deliveries?status=failed&cursor=more", None),
        ],
        rows,
    ),
    (
        lambda c: c.webhooks.replay("whe_1", from_="2026-11-01", to="2026-11-02"),
        [answer({"replayed": 1}, 202)],
        [("POST", f"{endpoint}/replay", {"from": "2026-11-01", "to": "2026-11-02"})],
        {"replayed": 1},
    ),
]


def asked(api: Api) -> list[tuple[str, str, Any]]:
    seen = [
        (each.method, each.path.removeprefix("/api/v1"), json.loads(each.body) if each.body else None)
        for each in api.seen
    ]
    api.seen.clear()
    return seen


@pytest.mark.parametrize("case", cases)
def test_each_call_asks_for_what_it_says(api: Api, client: Filmgate, tls: Any, case: Case) -> None:
    call, script, requests, expected = case
    api.script = list(script)
    made = call(client)
    made = list(made) if inspect.isgenerator(made) else made
    assert asked(api) == requests
    assert expected is None or made == expected

    async def same() -> Any:
        async with httpx.AsyncClient(verify=tls) as http:
            made = call(AsyncFilmgate(key, f"{api.url}/api/v1", http_client=http))
            return [each async for each in made] if isinstance(made, AsyncIterator) else await made

    api.script = list(script)
    assert asyncio.run(same()) == made
    assert asked(api) == requests


def cut(handler: Handler) -> None:
    handler.close_connection = True


@pytest.mark.parametrize(
    ("call", "count"),
    [
        (lambda c: c.webhooks.create("https://x.example.com"), 1),
        (lambda c: c.webhooks.rotate("whe_1"), 1),
        (lambda c: c.webhooks.test("whe_1"), 1),
        (lambda c: c.webhooks.replay("whe_1", delivery_id="msg_1"), 1),
        (lambda c: c.webhooks.delete("whe_1"), 2),
        (lambda c: c.tasks.cancel("vt_1"), 2),
        (lambda c: c.credits(), 2),
    ],
)
def test_what_would_happen_twice_is_not_repeated_after_a_cut(
    api: Api, client: Filmgate, quick: None, call: Callable[[Filmgate], Any], count: int
) -> None:
    api.script = [cut, answer({})]
    if count == 1:
        with pytest.raises(FilmgateError, match="connection_failed"):
            call(client)
    else:
        call(client)
    assert len(api.seen) == count


def test_an_unknown_model_is_named(api: Api, client: Filmgate) -> None:
    api.script = [answer(page_two)]
    with pytest.raises(FilmgateError, match="no model alpha-h9"):
        client.models.get("alpha-h9")


def test_a_list_that_leads_back_to_itself_ends(api: Api, client: Filmgate) -> None:
    api.script = [answer(page_one), answer(page_one)]
    with pytest.raises(FilmgateError, match="same page twice"):
        list(client.tasks.list())


def test_a_file_is_put_without_the_key_where_the_api_says(
    api: Api, client: Filmgate, tmp_path: Path, quick: None
) -> None:
    opened = {
        "id": "up_1",
        "put_url": f"{api.url}/bucket/a",
        "put_headers": {"content-type": "image/png"},
        "url": "https://u",
    }
    picture = b"\x89PNG\r\n\x1a\n" + b"x" * 100
    path = tmp_path / "boat.wrong"
    path.write_bytes(picture)
    for source in (str(path), path, picture, bytearray(picture), memoryview(picture)):
        api.seen.clear()
        api.script = [answer(opened, 201), cut, lambda handler: handler.send(200, b"")]
        assert client.uploads.create(source) == "https://u"
        posted, *puts = api.seen
        assert json.loads(posted.body) == {"type": "image/png", "bytes": len(picture)}
        assert [(each.method, each.path, each.body) for each in puts] == [("PUT", "/bucket/a", picture)] * 2
        assert all("authorization" not in each.headers and each.headers["content-type"] == "image/png" for each in puts)
    api.script = [answer(opened, 201), lambda handler: handler.send(403, b"")]
    with pytest.raises(FilmgateError) as raised:
        client.uploads.create(picture)
    assert (raised.value.code, raised.value.status) == ("upload_failed", 403)
    for wrong in (b"", b"what is this"):
        with pytest.raises(FilmgateError, match="invalid_argument"):
            client.uploads.create(wrong)


def test_a_file_that_cannot_be_read_is_refused_before_anything_is_sent(
    api: Api, client: Filmgate, tmp_path: Path
) -> None:
    async def upload(path: Path | str) -> None:
        async with AsyncFilmgate(key, f"{api.url}/api/v1") as other:
            await other.uploads.create(path)

    for path, words in (
        (tmp_path / "missing.jpg", "missing.jpg could not be read"),
        (tmp_path, "could not be read"),
        ("a\0.jpg", "is no path"),
    ):
        for call in (client.uploads.create, lambda path: asyncio.run(upload(path))):
            with pytest.raises(FilmgateError, match=words) as raised:
                call(path)
            assert raised.value.code == "invalid_argument"
    assert api.seen == []


def test_an_error_survives_pickling_and_names_its_issues() -> None:
    issues = [{"path": "duration", "rule": "maximum", "message": "duration must be from 4 to 15, and is 99"}]
    error = FilmgateError("No.", code="invalid_request", status=400, details={"issues": issues}, request_id="r")
    error.idempotency_key, error.outcome_unknown = "k", True
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == "invalid_request: No. duration must be from 4 to 15, and is 99. (request r)"
    assert vars(again) == vars(error)


def test_it_imports_without_a_warning_and_shows_no_key(api: Api, client: Filmgate) -> None:
    env = {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-W", "error", "-c", "import filmgate.shapes"], capture_output=True, env=env)
    assert (done.returncode, done.stderr) == (0, b"")
    assert key not in repr(vars(client)) + repr(client._core)
