"""Saves a video as a file: whole, or not at all."""

from __future__ import annotations

import os
import re
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import FilmgateError
from .api import user_agent
from .flow import Close, Fault, Flow, Open, Read, Request, Stream
from .limit import Limit
from .retry import Retries

read_seconds = 30.0
_content_range = re.compile(r"bytes (\d+)-\d+/(\d+)")


def check_target(path: Path) -> None:
    """Refuses a path that surely can't be written, before anything is charged."""
    if "\0" in str(path):
        raise FilmgateError("A path has no null character.", code="invalid_argument")
    # Unlike Path.is_dir, os.path.isdir raises nothing where a folder above can't be looked into.
    if os.path.isdir(path):
        raise FilmgateError(f"{path} is a folder: name a file.", code="invalid_argument")
    if not os.path.isdir(path.parent) or not os.access(path.parent, os.W_OK):
        raise FilmgateError(f"{path.parent} is no folder that can be written.", code="invalid_argument")


def save(url: str, path: Path, limit: Limit) -> Flow[Path]:
    """Fetches `url` into a file beside `path` and renames it once it has its whole length. A cut is resumed."""
    temporary = path.with_name(f".filmgate-{secrets.token_hex(8)}.part")
    try:
        check_target(path)
        with open(temporary, "xb") as file:
            yield from _fetch_into(file, url, limit)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise _not_saved(limit, f"{path} could not be written: {error.strerror or error}.") from error
    except FilmgateError as error:
        failed = _not_saved(limit, error.message)
        failed.status = error.status
        raise failed from error
    finally:
        # Where the folder is gone, so is the file.
        with suppress(OSError, ValueError):
            temporary.unlink()
    return path


def _not_saved(limit: Limit, why: str) -> FilmgateError:
    error = limit.named(FilmgateError(why, code="save_failed"))
    error.hint = f'The video is made: client.wait("{limit.task_id}") gives it again.' if limit.task_id else None
    return error


class _Download:
    """How much is there, and of which version of the file."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.got = 0
        self.total: int | None = None
        self.version: str | None = None

    def headers(self) -> dict[str, str]:
        own = {"Accept-Encoding": "identity", "User-Agent": user_agent}
        if self.got and self.version:
            own.update({"Range": f"bytes={self.got}-", "If-Range": self.version})
        return own

    def begin(self, stream: Stream) -> None:
        """Takes an answer's head: where its bytes belong."""
        headers = stream.headers
        if headers.get("content-encoding", "identity") != "identity":
            raise Fault("The video came encoded, which nobody asked for.")
        if stream.status == 206:
            told = _content_range.fullmatch(headers.get("content-range", ""))
            if told is None or int(told[1]) != self.got or self.total not in (None, int(told[2])):
                self.version = None
                raise Fault("The rest of the video is not what was asked for.")
            self.total = int(told[2])
            return
        self.file.seek(0)
        self.file.truncate()
        self.got = 0
        length = headers.get("content-length", "")
        self.total = int(length) if length.isascii() and length.isdigit() else None
        etag = headers.get("etag", "")
        self.version = etag if etag.startswith('"') else None

    def take(self, piece: bytes) -> None:
        self.file.write(piece)
        self.got += len(piece)

    def check(self) -> None:
        if self.total is not None and self.got > self.total:
            self.version = None
        if self.got == 0 or (self.total is not None and self.got != self.total):
            raise Fault(f"{self.got} of {self.total} bytes of the video came.")


def _fetch_into(file: BinaryIO, url: str, limit: Limit) -> Flow[None]:
    download = _Download(file)
    retries = Retries(limit)
    while True:
        before = download.got
        try:
            yield from _once(download, url, limit)
            return
        except (Fault, FilmgateError) as failure:
            if download.got > before:
                retries.succeeded()
            yield from retries.pause(failure)


def _once(download: _Download, url: str, limit: Limit) -> Flow[None]:
    request = Request("GET", url, download.headers(), read_seconds=read_seconds, raw=True)
    stream: Stream = yield Open(request, limit.deadline)
    if stream.status not in (200, 206):
        yield Close(stream)
        if stream.status == 416:
            download.version = None
            raise Fault("The video has changed.")
        raise FilmgateError(f"The video answered with {stream.status}.", code="save_failed", status=stream.status)
    try:
        download.begin(stream)
    except Fault:
        yield Close(stream)
        raise
    while piece := (yield Read(stream, limit.deadline)):
        download.take(piece)
    download.check()


def target_of(path: str | os.PathLike[str]) -> Path:
    return Path(os.fspath(path))


def video_url(task: dict[str, Any]) -> str:
    """Where the video of a completed task is."""
    return str(task["output"]["video_url"])
