"""`verify_webhook` takes what the field's own library signs, and nothing else."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone

import pytest
from standardwebhooks import Webhook

from filmgate import FilmgateError, verify_webhook

secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
other = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
body = json.dumps(
    {"type": "task.completed", "timestamp": "2026-11-26T09:00:00Z", "data": {"task": {"id": "vt_1"}, "tags": {}}}
)


def signed(*secrets: str, payload: str = body, at: datetime | None = None, name: str = "msg_1") -> dict[str, str]:
    at = at or datetime.now(tz=timezone.utc)
    return {
        "Webhook-Id": name,
        "Webhook-Timestamp": str(int(at.timestamp())),
        "Webhook-Signature": " ".join(Webhook(each).sign(name, at, payload) for each in secrets),
    }


@pytest.mark.parametrize("payload", [body, body.encode()])
def test_what_the_library_signs_is_verified(payload: str | bytes) -> None:
    headers = signed(secret)
    assert verify_webhook(payload, headers, secret) == json.loads(body)
    assert Webhook(secret).verify(payload, {name.lower(): value for name, value in headers.items()}) == json.loads(body)


def test_while_a_secret_is_rotated_either_verifies() -> None:
    for known in (secret, other):
        assert verify_webhook(body, signed(other, secret), known)["type"] == "task.completed"


def test_a_secret_of_a_callback_is_its_own_key() -> None:
    text = "a secret of my own"
    at = datetime.now(tz=timezone.utc)
    raw = Webhook(text.encode())
    headers = {**signed(secret, at=at), "Webhook-Signature": raw.sign("msg_1", at, body)}
    assert verify_webhook(body, headers, text)["type"] == "task.completed"


hour = timedelta(hours=1)


@pytest.mark.parametrize(
    ("payload", "headers"),
    [
        (body + " ", signed(secret)),
        (body, signed(other)),
        (body, {}),
        (body, {**signed(secret), "Webhook-Id": "msg_2"}),
        (body, {**signed(secret), "Webhook-Timestamp": "1"}),
        (body, {**signed(secret), "Webhook-Timestamp": "nan"}),
        (body, {**signed(secret), "Webhook-Timestamp": "٣"}),
        (body, {**signed(secret), "Webhook-Signature": "v1,"}),
        (body, {**signed(secret), "Webhook-Signature": "v1a," + signed(secret)["Webhook-Signature"][3:]}),
        (body, {**signed(secret), "Webhook-Signature": "\ud800"}),
        (body, signed(secret, at=datetime.now(tz=timezone.utc) - hour)),
        (body, signed(secret, at=datetime.now(tz=timezone.utc) + hour)),
        ("[]", signed(secret, payload="[]")),
        ("no json", signed(secret, payload="no json")),
    ],
)
def test_anything_else_is_refused(payload: str, headers: dict[str, str]) -> None:
    with pytest.raises(FilmgateError) as raised:
        verify_webhook(payload, headers, secret)
    assert raised.value.code == "invalid_webhook"
    assert secret not in str(raised.value)


@pytest.mark.parametrize("wrong", ["", "whsec_", "whsec_*"])
def test_a_secret_that_is_none_is_named(wrong: str) -> None:
    with pytest.raises(FilmgateError) as raised:
        verify_webhook(body, signed(secret), wrong)
    assert raised.value.code == "invalid_argument"
