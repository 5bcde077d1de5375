"""From a request to a saved video."""

from __future__ import annotations

import sys
from asyncio import CancelledError
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .api import Api
from .create import NewGeneration, create
from .flow import Call, Flow
from .limit import Limit
from .save import check_target, save, video_url
from .wait import OnProgress, wait

#: A video takes minutes, a long one half an hour.
wait_seconds = 3600.0
#: Some times the 250 seconds that an admission may take.
create_seconds = 900.0
save_seconds = 900.0

Task = dict[str, Any]


@dataclass(frozen=True)
class Following:
    """What a caller wants of a task that is being made."""

    on_created: Callable[[Any], Any] | None = None
    on_progress: OnProgress | None = None
    save_to: Path | None = None


def created(api: Api, new: NewGeneration, limit: Limit, on_created: Callable[[Any], Any] | None) -> Flow[Task]:
    """The task, which its caller is told of before anything else happens."""
    with _resumable(limit):
        task = yield from create(api, new, limit)
        if on_created is not None:
            yield Call(on_created, task)
        return task


def generate(api: Api, new: NewGeneration, limit: Limit, following: Following) -> Flow[Task]:
    """The completed task."""
    if following.save_to is not None:
        check_target(following.save_to)
    task = yield from created(api, new, limit, following.on_created)
    return (yield from finish(api, task, limit, following))


def finish(api: Api, task: Task | str, limit: Limit, following: Following) -> Flow[Task]:
    """Waits for a task, and saves it where that is wanted."""
    with _resumable(limit):
        ended = yield from wait(api, task, limit, following.on_progress)
        if following.save_to is not None:
            yield from save(video_url(ended), following.save_to, limit)
        return ended


@contextmanager
def _resumable(limit: Limit) -> Iterator[None]:
    """The traceback of a Ctrl-C says how to go on, in asyncio since Python 3.11."""
    try:
        yield
    except KeyboardInterrupt as interrupt:
        interrupt.args = (limit.resume_words(),)
        raise
    except CancelledError as cancelled:
        if sys.version_info >= (3, 11):
            cancelled.add_note(limit.resume_words() or "")
        raise
