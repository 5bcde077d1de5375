"""What the callbacks of `generate` and `wait` are told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .errors import FilmgateError

if TYPE_CHECKING:
    from ._generated import VideoTask

Phase = Literal["queued", "generating", "copying", "review", "settled", "failed"]


@dataclass(frozen=True)
class Progress:
    """How far a task is.

    `queued`: credits are held. `generating`: a provider makes it. `copying`: it is copied to managed storage.
    `review`: whether there will be a video is not known yet; credits stay held until it is.
    `settled`: it is there and paid. `failed`: there is none, and the credits come back.
    """

    phase: Phase
    #: The task as it was last read: it may be a step behind the phase.
    task: VideoTask
    #: How far the provider is, where it tells it.
    percent: int | None = None
    #: The place in the provider's queue, where it tells it.
    position: int | None = None


@dataclass(frozen=True)
class Retry:
    """A request that is about to be sent again, with the same bytes and the same Idempotency-Key."""

    #: 1 before the second try.
    attempt: int
    #: How long it waits before.
    seconds: float
    #: Why.
    error: FilmgateError
