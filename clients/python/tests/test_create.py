"""One call makes one task, whatever happens to its requests, and sends again only what the contract allows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from api_server import Api, Handler, key, task_of

from filmgate import Filmgate, FilmgateError, Retry
from filmgate._core import retry

body = {"model": "alpha-h3", "prompt": "A paper boat"}


def refusal(status: int, code: str, details: object = None, **headers: str) -> Callable[[Handler], None]:
    return lambda handler: handler.refuse(status, code, details, **headers)


def page(status: int, text: bytes = b"<html>", **headers: str) -> Callable[[Handler], None]:
    return lambda handler: handler.send(
        status, text, {name.replace("_", "-"): value for name, value in headers.items()}
    )


def cut(handler: Handler) -> None:
    handler.close_connection = True


def truncated(handler: Handler) -> None:
    """Whole by its length, and not by its JSON."""
    handler.send(202, b'{"id": "vt_1", "sta', {"Content-Type": "application/json"})


def posts(api: Api) -> list[Any]:
    return [seen for seen in api.seen if seen.method == "POST"]


@pytest.mark.parametrize(
    "fault",
    [
        cut,
        truncated,
        refusal(503, "service_unavailable", Retry_After="0"),
        refusal(503, "acceptance_uncertain", {"task_id": "vt_1"}, Retry_After="0"),
        refusal(503, "generation_unavailable", Retry_After="0"),
        refusal(429, "rate_limited", Retry_After="0"),
        refusal(429, "unfinished_task_limit", Retry_After="0"),
        refusal(408, "request_timeout"),
        refusal(500, "internal_error"),
        page(502),
        page(504),
        page(200, b"not json"),
        page(202, b"{}"),
    ],
)
def test_what_may_be_sent_again_is_sent_with_the_same_key_and_bytes(
    api: Api, client: Filmgate, quick: None, fault: Callable[[Handler], None]
) -> None:
    api.script = [fault, fault]
    task = client.create(**body)
    first, *others = posts(api)
    assert task["id"] == "vt_1"
    assert [(seen.body, seen.headers["idempotency-key"]) for seen in others] == [
        (first.body, first.headers["idempotency-key"])
    ] * 2
    assert len(api.tasks) == 1


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "invalid_request"),
        (401, "invalid_api_key"),
        (402, "insufficient_credits"),
        (404, "not_found"),
        (409, "idempotency_key_reused"),
        (409, "cancelled"),
        (413, "body_too_large"),
        (505, "http_version_not_supported"),
    ],
)
def test_what_may_not_be_sent_again_is_raised_at_once(
    api: Api, client: Filmgate, quick: None, status: int, code: str
) -> None:
    api.script = [refusal(status, code, {"some": 1})]
    with pytest.raises(FilmgateError) as raised:
        client.create(**body)
    error = raised.value
    assert (error.status, error.code, error.details, error.request_id) == (status, code, {"some": 1}, "4b" * 16)
    assert error.idempotency_key == posts(api)[0].headers["idempotency-key"]
    assert len(api.seen) == 1


def test_a_refusal_with_a_failed_task_is_final_and_names_it(api: Api, client: Filmgate, quick: None) -> None:
    api.script = [refusal(503, "generation_unavailable", {"task_id": "vt_9"}, Retry_After="10")]
    with pytest.raises(FilmgateError) as raised:
        client.generate(**body)
    error = raised.value
    assert (error.code, error.task_id, error.retry_after_seconds) == ("generation_unavailable", "vt_9", 10)
    assert len(api.seen) == 1


before_look_up = [
    (401, "invalid_api_key"),
    (401, "missing_api_key"),
    (403, "forbidden"),
    (404, "not_found"),
    (400, "invalid_json"),
    (413, "body_too_large"),
]


@pytest.mark.parametrize(("status", "code"), before_look_up)
@pytest.mark.parametrize("between", [[], [refusal(429, "rate_limited", Retry_After="0")]])
def test_a_refusal_before_the_look_up_of_the_key_hides_no_attempt_that_may_have_arrived(
    api: Api, client: Filmgate, quick: None, status: int, code: str, between: list[Any]
) -> None:
    api.script = [taken_and_cut(api), *between, refusal(status, code)]
    with pytest.raises(FilmgateError) as raised:
        client.create(**body, idempotency_key="mine")
    error = raised.value
    assert (error.code, error.outcome_unknown, error.idempotency_key) == (code, True, "mine")
    assert 'Whether there is a task is not known: the same request with idempotency_key="mine"' in str(error)
    assert client.create(**body, idempotency_key="mine")["id"] == "vt_1" and len(api.tasks) == 1
    api.script = [*between, refusal(status, code)]
    with pytest.raises(FilmgateError) as raised:
        client.create(**body)
    assert not raised.value.outcome_unknown and "Whether" not in str(raised.value)


def taken_and_cut(api: Api) -> Callable[[Handler], None]:
    """The task is made and its answer is lost."""

    def answer(handler: Handler) -> None:
        made = {name.lower(): value for name, value in handler.headers.items()}["idempotency-key"]
        api.bodies[made] = api.seen[-1].body
        api.tasks[made] = task_of("vt_1", "processing")
        handler.close_connection = True

    return answer


def test_a_429_that_lasts_longer_than_the_call_says_what_it_hides(api: Api, client: Filmgate, quick: None) -> None:
    api.script = [cut, refusal(429, "rate_limited", Retry_After="999")]
    with pytest.raises(FilmgateError) as raised:
        client.generate(**body, idempotency_key="mine", timeout=5)
    assert (raised.value.code, raised.value.outcome_unknown) == ("rate_limited", True)
    assert 'idempotency_key="mine" is never charged twice' in str(raised.value)


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "invalid_request"),
        (402, "insufficient_credits"),
        (409, "idempotency_key_reused"),
        (409, "cancelled"),
        (503, "generation_unavailable"),
    ],
)
def test_a_refusal_after_the_look_up_of_the_key_is_definite(
    api: Api, client: Filmgate, quick: None, status: int, code: str
) -> None:
    api.script = [cut, *[refusal(status, code, Retry_After="0")] * 3]
    with pytest.raises(FilmgateError) as raised:
        client.create(**body)
    assert (raised.value.code, raised.value.outcome_unknown) == (code, False)
    assert "Whether" not in str(raised.value)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (cut, "timeout"),
        (page(200), "unexpected_answer"),
        (page(403), "unexpected_answer"),
        (page(502), "unexpected_answer"),
        (refusal(500, "internal_error"), "internal_error"),
        (refusal(505, "other"), "other"),
    ],
)
def test_no_answer_of_the_api_leaves_open_whether_there_is_a_task(
    api: Api, client: Filmgate, quick: None, answer: Callable[[Handler], None], code: str
) -> None:
    api.script = [answer] * 500
    with pytest.raises(FilmgateError) as raised:
        client.create(**body, idempotency_key="mine", timeout=0.5)
    # What is sent again may also meet the end of the time.
    assert raised.value.code in (code, "timeout") and raised.value.outcome_unknown
    assert 'idempotency_key="mine" is never charged twice' in str(raised.value)


def test_a_task_that_is_known_and_a_read_leave_nothing_open(api: Api, client: Filmgate, quick: None) -> None:
    api.events = [{"id": "1", "type": "running", "at": ""}]
    for call in (lambda: client.generate(**body, timeout=0.3), lambda: client.wait("vt_1", timeout=0.3)):
        with pytest.raises(FilmgateError) as raised:
            call()
        assert (raised.value.code, raised.value.task_id, raised.value.outcome_unknown) == ("timeout", "vt_1", False)
    api.script = [cut] * 500
    with pytest.raises(FilmgateError) as raised:
        client.wait("vt_1", timeout=0.3)
    assert (raised.value.code, raised.value.outcome_unknown) == ("timeout", False)


def test_a_redirect_is_not_followed_with_the_key(api: Api, client: Filmgate, quick: None) -> None:
    api.script = [page(307, b"", Location=f"{api.url}/elsewhere")]
    with pytest.raises(FilmgateError) as raised:
        client.create(**body)
    assert raised.value.code == "unexpected_answer"
    assert "/elsewhere" in str(raised.value)
    assert len(api.seen) == 1


def test_each_call_has_a_key_of_its_own_and_a_given_one_is_used(api: Api, client: Filmgate) -> None:
    client.create(**body)
    client.create(**body)
    again = client.create(body, idempotency_key="order-1042")
    assert client.create(**body, idempotency_key="order-1042")["id"] == again["id"]
    keys = [seen.headers["idempotency-key"] for seen in posts(api)]
    assert len(set(keys)) == 3
    assert all(re.fullmatch(r"[a-zA-Z0-9._:-]{1,160}", each) for each in keys)
    with pytest.raises(FilmgateError, match="idempotency_key"):
        client.create(**body, idempotency_key="a b")


def test_a_request_is_sent_as_it_is_given_with_what_is_said_beside_it(api: Api, client: Filmgate) -> None:
    client.create(
        model="alpha-h3", prompt="Ein Boot, öd", duration=5, tags={"project": "spring, x"}, cancel_after_seconds=90
    )
    sent = api.seen[0]
    assert json.loads(sent.body) == {"model": "alpha-h3", "prompt": "Ein Boot, öd", "duration": 5}
    assert sent.headers["filmgate-tags"] == "project=spring%2C%20x"
    assert sent.headers["filmgate-cancel-after"] == "90"
    assert sent.headers["authorization"] == f"Bearer {key}"


def test_retry_after_is_obeyed_and_each_retry_is_told(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("filmgate._drive.time.sleep", slept.append)
    told: list[Retry] = []
    api.script = [refusal(429, "rate_limited", Retry_After="7"), cut, cut, cut]
    with Filmgate(key, f"{api.url}/api/v1", on_retry=told.append) as client:
        client.create(**body)
    assert [each.attempt for each in told] == [1, 2, 3, 4]
    assert [each.seconds for each in told] == slept
    assert 7 <= slept[0] <= 12
    assert all(most / 2 <= seconds <= most for seconds, most in zip(slept[1:], [1, 2, 4], strict=True))
    assert [each.error.code for each in told] == ["rate_limited", *["connection_failed"] * 3]


def test_a_pause_beyond_the_timeout_is_not_waited_for(api: Api, client: Filmgate) -> None:
    api.script = [refusal(429, "unfinished_task_limit", Retry_After="3600")]
    with pytest.raises(FilmgateError) as raised:
        client.create(**body, timeout=30)
    assert raised.value.code == "unfinished_task_limit"
    api.script = [cut] * 99
    with pytest.raises(FilmgateError) as raised:
        client.create(**body, timeout=0.3)
    error = raised.value
    assert error.code == "timeout"
    assert f'idempotency_key="{error.idempotency_key}" is never charged twice' in str(error)


def test_an_address_where_nobody_answers_is_told_sooner_than_an_outage(
    monkeypatch: pytest.MonkeyPatch, quick: None
) -> None:
    monkeypatch.setattr(retry, "unreached_seconds", 0.1)
    with Filmgate(key, "http://127.0.0.1:9/api/v1") as client, pytest.raises(FilmgateError) as raised:
        client.create(**body)
    assert (raised.value.code, raised.value.outcome_unknown) == ("connection_failed", False)
    assert "Whether" not in str(raised.value)


@pytest.mark.parametrize(
    "url", ["", "ftp://x/api/v1", "https://user:word@x/api/v1", "x/api/v1", "https://x/api/v1?a=b"]
)
def test_settings_that_cannot_work_are_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FILMGATE_URL", raising=False)
    with pytest.raises(FilmgateError) as raised:
        Filmgate(key, url)
    assert raised.value.code == "invalid_configuration"
    assert key not in str(raised.value)


def test_settings_come_from_the_environment(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FILMGATE_API_KEY", key)
    monkeypatch.setenv("FILMGATE_URL", f"{api.url}/api/v1/")
    with Filmgate() as client:
        assert client.create(body)["status"] == "processing"
    monkeypatch.delenv("FILMGATE_API_KEY")
    with pytest.raises(FilmgateError, match="FILMGATE_API_KEY"):
        Filmgate()
