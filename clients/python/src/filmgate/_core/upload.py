"""Brings a file where requests can name it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Union

from ..errors import FilmgateError
from .api import Api, user_agent
from .calls import call
from .flow import Flow, Request, fetch
from .limit import Limit
from .retry import Retries

#: The largest file that any model takes.
upload_bytes_max = 52_428_800
upload_seconds = 600.0

Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview]

_types = {
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
    ".mp4": "video/mp4",
    ".mov": "video/quicktime",
    ".mp3": "audio/mpeg",
    ".wav": "audio/wav",
}


def read_source(source: Source, media_type: str | None) -> tuple[bytes, str]:
    """The bytes and their media type: as given, else by what they begin with, else by the file's ending."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        content, ending = bytes(source), ""
    else:
        path = Path(os.fspath(source))
        content, ending = _read(path), path.suffix.lower()
    if not 0 < len(content) <= upload_bytes_max:
        raise FilmgateError(f"A file has 1 to {upload_bytes_max} bytes.", code="invalid_argument")
    found = media_type or _type_of(content) or _types.get(ending)
    if found is None:
        raise FilmgateError(
            'The kind of the file is not known: give type="image/jpeg" or another.', code="invalid_argument"
        )
    return content, found


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > upload_bytes_max:
            raise FilmgateError(f"{path} has more than {upload_bytes_max} bytes.", code="invalid_argument")
        return path.read_bytes()
    except OSError as error:
        words = f"{path} could not be read: {error.strerror or error}."
        raise FilmgateError(words, code="invalid_argument") from error
    except ValueError as error:
        raise FilmgateError(f"{str(path)!r} is no path: {error}.", code="invalid_argument") from error


def _type_of(content: bytes) -> str | None:
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if content[:4] == b"RIFF":
        return {b"WEBP": "image/webp", b"WAVE": "audio/wav"}.get(content[8:12])
    if content[4:8] == b"ftyp":
        return "video/quicktime" if content[8:12] == b"qt  " else "video/mp4"
    if content.startswith(b"ID3"):
        return "audio/mpeg"
    return None


def upload(api: Api, content: bytes, media_type: str, limit: Limit) -> Flow[str]:
    """The URL by which requests name the file. The PUT has no key: its address is signed."""
    opened: dict[str, Any] = yield from call(
        api, limit, "POST", "/uploads", body={"type": media_type, "bytes": len(content)}
    )
    headers = {str(name): str(value) for name, value in opened["put_headers"].items()}
    request = Request("PUT", str(opened["put_url"]), {"User-Agent": user_agent, **headers}, content)

    def attempt() -> Flow[None]:
        answer = yield from fetch(request, limit.deadline)
        if not 200 <= answer.status < 300:
            raise FilmgateError(
                f"The upload was answered with {answer.status}.", code="upload_failed", status=answer.status
            )

    yield from Retries(limit).run(attempt)
    return str(opened["url"])
