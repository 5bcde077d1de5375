"""What may be said beside the fields of a request, as keyword arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, TypedDict, Union

if TYPE_CHECKING:
    from ._generated import VideoTask
    from .progress import Progress


class EstimateOptions(TypedDict, total=False):
    timeout: float
    """Seconds for the call with its retries: by default an hour for `generate`, 15 minutes for `create`."""


class CreateOptions(EstimateOptions, total=False):
    idempotency_key: str
    """Names the generation: a repeat with the same key is the same task. Made where it is left out."""
    tags: Mapping[str, str]
    """At most 8 names and values of your own, which lists and usage are filtered by."""
    cancel_after_seconds: int
    """A task that is not done by then is cancelled where its provider can."""
    on_created: Callable[[VideoTask], object]
    """Told the task, as soon as there is one and before anything else: store its id, and `wait(id)` resumes."""


class GenerateOptions(CreateOptions, total=False):
    save_to: Union[str, PathLike[str]]
    """Where the file goes: it is whole there, or not there at all."""
    on_progress: Callable[[Progress], object]
    """Told how far the task is."""
