"""Client of the Filmgate video API: one call makes a video, waits for it and saves it."""

from ._core.api import version as __version__
from .async_client import AsyncFilmgate, AsyncVideo
from .client import Filmgate, Video
from .errors import FilmgateError
from .progress import Phase, Progress, Retry
from .webhooks import WebhookEvent, verify_webhook

__all__ = [
    "AsyncFilmgate",
    "AsyncVideo",
    "Filmgate",
    "FilmgateError",
    "Phase",
    "Progress",
    "Retry",
    "Video",
    "WebhookEvent",
    "__version__",
    "verify_webhook",
]
