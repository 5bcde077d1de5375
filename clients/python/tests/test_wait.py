"""A wait ends with its task, by whatever way the server tells it, and never asks faster than the server wants."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from api_server import Api, Handler, task_of

from filmgate import Filmgate, FilmgateError, Progress
from filmgate._core import retry, wait


def put(api: Api, **fields: Any) -> str:
    """A task that is there already."""
    api.tasks["earlier"] = task_of("vt_7", "processing", **fields)
    return "vt_7"


def paths(api: Api) -> list[str]:
    return [seen.path.removeprefix("/api/v1") for seen in api.seen]


def pieces(*parts: str) -> Callable[[Handler], None]:
    """A stream of exactly these pieces, which then ends."""

    def answer(handler: Handler) -> None:
        handler.send(200, "".join(parts).encode(), {"Content-Type": "text/event-stream; charset=utf-8"})

    return answer


def test_events_tell_progress_once_each_and_the_task_is_read_at_the_end(api: Api, client: Filmgate) -> None:
    told: list[Progress] = []
    video = client.wait(put(api), on_progress=told.append)
    assert [(each.phase, each.percent) for each in told] == [
        ("queued", None),
        ("generating", None),
        ("generating", 50),
        ("copying", None),
        ("settled", None),
    ]
    assert paths(api) == ["/tasks/vt_7", "/tasks/vt_7/events", "/tasks/vt_7"]
    assert told[-1].task == video.task
    assert video.url.endswith("/videos/vt_7.mp4")


def test_a_stream_that_ends_early_is_resumed_behind_its_last_event(api: Api, client: Filmgate, quick: None) -> None:
    first = pieces("retry: 5\n\n", 'id: 1\ndata: {"id":"1","type":"queued"}\n\n', 'id: 2\ndata: {"id":"2","type":"acc')
    api.script = [lambda handler: handler.send_json(200, task_of(put(api), "processing")), first]
    told: list[str] = []
    client.wait("vt_7", on_progress=lambda progress: told.append(progress.phase))
    streams = [seen.headers.get("last-event-id") for seen in api.seen if seen.path.endswith("/events")]
    assert streams == [None, "1"]
    assert told == ["queued", "generating", "generating", "copying", "settled"]


def test_an_event_that_comes_again_is_told_once(api: Api, client: Filmgate, quick: None) -> None:
    put(api)
    whole = "".join(f"id: {each['id']}\ndata: {json.dumps(each)}\n\n" for each in api.events[:3])
    api.script = [pieces("retry: 5\n\n", whole), pieces(whole)]
    assert [event["id"] for event in client.tasks.events("vt_7")] == ["1", "2", "3", "4", "5"]


def test_without_streams_reads_are_held_and_paced(api: Api, client: Filmgate, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("filmgate._drive.time.sleep", slept.append)
    api.streams = False
    api.ends_at_read = 4
    client.wait(put(api))
    assert [seen.headers.get("prefer") for seen in api.seen] == [None, None, "wait=60", "wait=60", "wait=60"]
    assert paths(api)[1] == "/tasks/vt_7/events"
    assert len(slept) == 2 and all(9 < seconds <= 10 for seconds in slept)


@pytest.mark.parametrize(
    "fault",
    [
        lambda handler: handler.refuse(503, "service_unavailable", Retry_After="0"),
        lambda handler: handler.refuse(429, "rate_limited", Retry_After="0"),
        lambda handler: handler.send(502, b"<html>"),
        lambda handler: setattr(handler, "close_connection", True),
        lambda handler: handler.send(200, b'{"id": "vt_7"', {"Content-Type": "application/json"}),
        pieces("data: no json\n\n"),
        pieces(": " + "x" * 2_000_000),
        pieces(),
        lambda handler: handler.refuse(429, "rate_limited", {"limit": "event_streams"}, Retry_After="10"),
        lambda handler: handler.send_json(200, {"object": "list", "data": []}),
    ],
)
@pytest.mark.parametrize("before", [0, 1, 2])
def test_what_breaks_on_the_way_does_not_end_a_wait(
    api: Api,
    client: Filmgate,
    quick: None,
    fault: Callable[[Handler], None],
    before: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("filmgate._drive.time.sleep", lambda _: None)
    if before == 0 and "text/event-stream" in str(fault):
        pytest.skip("a read gets no stream")
    put(api)
    api.ends_at_read = 3
    api.script = [*[None] * before, fault, fault]
    assert client.wait("vt_7").task["status"] == "completed"


@pytest.mark.parametrize(
    ("status", "code"), [(401, "invalid_api_key"), (404, "task_not_found"), (400, "invalid_task_id")]
)
@pytest.mark.parametrize("before", [0, 1])
def test_what_will_not_change_ends_a_wait(
    api: Api, client: Filmgate, quick: None, status: int, code: str, before: int
) -> None:
    put(api)
    api.script = [None] * before + [lambda handler: handler.refuse(status, code)]
    with pytest.raises(FilmgateError) as raised:
        client.wait("vt_7")
    assert (raised.value.code, raised.value.task_id, len(api.seen)) == (code, "vt_7", before + 1)


def test_a_failed_task_is_raised_with_its_reason(api: Api, client: Filmgate) -> None:
    error = {"code": "output_moderated", "message": "The provider withheld it."}
    api.events = [{"id": "1", "type": "failed", "at": "", "error": error}]
    api.ends_as = {"status": "failed", "error": error, "billing_status": "refund_pending"}
    with pytest.raises(FilmgateError) as raised:
        client.generate(model="alpha-h3", prompt="x", idempotency_key="mine")
    failed = raised.value
    assert (failed.code, failed.message, failed.status) == ("output_moderated", "The provider withheld it.", None)
    assert (failed.task_id, failed.idempotency_key) == ("vt_1", "mine")
    assert failed.task is not None and failed.task["billing_status"] == "refund_pending"


def test_a_timeout_names_the_task_and_how_to_go_on(api: Api, client: Filmgate, quick: None) -> None:
    api.events = [{"id": "1", "type": "in_review", "at": ""}]
    told: list[str] = []
    began = time.monotonic()
    with pytest.raises(FilmgateError) as raised:
        client.generate(model="alpha-h3", prompt="x", timeout=1, on_progress=lambda each: told.append(each.phase))
    error = raised.value
    assert time.monotonic() - began < 3
    assert (error.code, error.task_id) == ("timeout", "vt_1")
    assert 'client.wait("vt_1") resumes it' in str(error)
    assert "its credits stay held" in str(error)
    assert told == ["review"]


def test_an_outage_of_the_server_ends_a_wait_with_the_id(
    api: Api, client: Filmgate, quick: None, monkeypatch: Any
) -> None:
    monkeypatch.setattr(retry, "outage_seconds", 0.2)
    put(api)
    api.script = [None] + [lambda handler: setattr(handler, "close_connection", True)] * 500
    with pytest.raises(FilmgateError) as raised:
        client.wait("vt_7")
    assert (raised.value.code, raised.value.task_id) == ("connection_failed", "vt_7")


def quiet(seconds: float) -> Callable[[Handler], None]:
    """A stream with nothing but comments, which is cut."""

    def answer(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        handler.wfile.write(b"3\r\n:\n\n\r\n")
        time.sleep(seconds)
        handler.close_connection = True

    return answer


@pytest.mark.parametrize("follow", ["wait", "events"])
def test_streams_that_are_quiet_and_cut_again_and_again_are_no_outage(
    api: Api, client: Filmgate, quick: None, monkeypatch: pytest.MonkeyPatch, follow: str
) -> None:
    monkeypatch.setattr(retry, "outage_seconds", 0.15)
    put(api)
    streams = [quiet(0.2), quiet(0.2)]
    if follow == "events":
        api.script = [*streams]
        assert [event["id"] for event in client.tasks.events("vt_7")] == ["1", "2", "3", "4", "5"]
    else:
        api.script = [None, *streams]
        assert client.wait("vt_7").task["status"] == "completed"


@pytest.mark.parametrize(
    "stream",
    [
        lambda handler: setattr(handler, "close_connection", True),
        lambda handler: handler.refuse(500, "internal_error"),
        lambda handler: handler.refuse(501, "not_implemented"),
        lambda handler: handler.refuse(503, "service_unavailable", Retry_After="3600"),
        lambda handler: handler.send(502, b"<html>"),
    ],
)
def test_streams_that_never_come_do_not_end_a_wait_whose_reads_are_answered(
    api: Api, client: Filmgate, quick: None, monkeypatch: pytest.MonkeyPatch, stream: Callable[[Handler], None]
) -> None:
    monkeypatch.setattr(retry, "outage_seconds", 0.15)
    monkeypatch.setattr(retry, "back_off_seconds_max", 0.02, raising=False)
    monkeypatch.setattr(wait, "poll_seconds", 0.1)
    monkeypatch.setattr(wait, "retry_after", lambda _: 0.0)
    put(api)
    api.stream = lambda handler, _: stream(handler)  # type: ignore[method-assign]
    api.ends_at_read = 5
    assert client.wait("vt_7").task["status"] == "completed"
    assert api.reads["vt_7"] == 5


def test_a_follower_of_events_outlives_a_stream_route_that_fails_for_a_while(
    api: Api, client: Filmgate, quick: None
) -> None:
    put(api)
    api.script = [lambda handler: handler.refuse(500, "internal_error")] * 5
    assert [event["id"] for event in client.tasks.events("vt_7")] == ["1", "2", "3", "4", "5"]


def test_a_wait_whose_streams_never_come_ends_at_its_timeout(api: Api, client: Filmgate, quick: None) -> None:
    put(api)
    api.stream = lambda handler, _: handler.refuse(503, "service_unavailable", Retry_After="3600")  # type: ignore
    with pytest.raises(FilmgateError) as raised:
        client.wait("vt_7", timeout=0.3)
    assert (raised.value.code, raised.value.task_id) == ("timeout", "vt_7")


def test_a_task_that_has_ended_is_returned_at_once(api: Api, client: Filmgate) -> None:
    output = {"video_url": "https://videos.example.com/a.mp4"}
    done = task_of("vt_7", "completed", output=output)
    assert client.wait(done).url == output["video_url"]  # type: ignore[arg-type]
    assert api.seen == []
    with pytest.raises(FilmgateError, match="a task or its id"):
        client.wait(None)  # type: ignore[arg-type]
    for wrong in ("", "..", "."):
        with pytest.raises(FilmgateError, match="is no id"):
            client.wait(wrong)


def test_an_id_leads_nowhere_else(api: Api, client: Filmgate) -> None:
    with pytest.raises(FilmgateError):
        client.tasks.get("../credits?x=/y")
    assert api.seen[0].path == "/api/v1/tasks/..%2Fcredits%3Fx%3D%2Fy"


def test_polls_are_never_faster_than_ten_seconds() -> None:
    assert wait.poll_seconds == 10.0
