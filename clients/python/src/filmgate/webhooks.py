"""Verifies webhooks, as Standard Webhooks say."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

from .errors import FilmgateError

if TYPE_CHECKING:
    from ._generated import VideoTask

#: How far the sender's clock and ours may be apart: a recorded request is refused later.
tolerance_seconds = 300


class TaskEventData(TypedDict):
    task: VideoTask
    #: As they were given when the task was made.
    tags: dict[str, str]


class BalanceLowData(TypedDict):
    available_credits: int
    threshold_credits: int


class TaskWebhook(TypedDict):
    type: Literal["task.completed", "task.failed", "task.in_review"]
    timestamp: str
    data: TaskEventData


class BalanceLowWebhook(TypedDict):
    type: Literal["balance.low"]
    timestamp: str
    data: BalanceLowData


class TestWebhook(TypedDict):
    type: Literal["webhook.test"]
    timestamp: str
    data: dict[str, Any]


WebhookEvent = Union[TaskWebhook, BalanceLowWebhook, TestWebhook]


def verify_webhook(payload: bytes | str, headers: Mapping[str, Any], secret: str) -> WebhookEvent:
    """The event of a request that was posted to your endpoint.

    `payload`: the body exactly as it came. `headers`: in any case of letters. `secret`: `whsec_…` of the endpoint, or
    the `callback_secret` of a request. An event may come twice: skip a `webhook-id` that you have handled. Ignore
    types that you do not know. Raises FilmgateError with the code `invalid_webhook` where it is not signed with the
    secret, or is older than 5 minutes.
    """
    body = payload.encode() if isinstance(payload, str) else bytes(payload)
    given = {str(name).lower(): str(value) for name, value in headers.items()}
    identifier, moment = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    signatures = given.get("webhook-signature", "")
    if not (identifier and moment and signatures):
        raise _refused("a header webhook-id, webhook-timestamp or webhook-signature is missing")
    if not (moment.isascii() and moment.isdigit() and len(moment) < 13):
        raise _refused("webhook-timestamp is no time")
    signed = hmac.new(_key_of(secret), f"{identifier}.{moment}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(signed)
    # While a secret is rotated there is a signature by each.
    if not any(hmac.compare_digest(expected, each.encode("utf-8", "replace")) for each in signatures.split(" ")):
        raise _refused("no signature is by this secret")
    if abs(time.time() - int(moment)) > tolerance_seconds:
        raise _refused("it is not of the last 5 minutes")
    try:
        event = json.loads(body)
    except ValueError:
        event = None
    if not isinstance(event, dict) or not isinstance(event.get("type"), str):
        raise _refused("it is not an event")
    return event  # type: ignore[return-value]


def _key_of(secret: str) -> bytes:
    if not secret.startswith("whsec_"):
        key = secret.encode()
    else:
        try:
            key = base64.b64decode(secret[len("whsec_") :], validate=True)
        except (binascii.Error, ValueError):
            raise FilmgateError("The secret is not whsec_ and base64.", code="invalid_argument") from None
    if not key:
        raise FilmgateError("The secret is empty.", code="invalid_argument")
    return key


def _refused(why: str) -> FilmgateError:
    return FilmgateError(f"This is no webhook of your endpoint: {why}.", code="invalid_webhook")
