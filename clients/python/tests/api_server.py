"""A small API on a port of its own, and a proxy before it that cuts and stalls at a chosen byte."""

from __future__ import annotations

import json
import re
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

key = "sk_live_test"
film = bytes(range(256)) * 3


class Handler(BaseHTTPRequestHandler):
    """One connection. What a test wants to be different is in `server.api`."""

    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, *_: Any) -> None:
        pass

    def handle(self) -> None:
        with suppress(OSError):
            super().handle()

    def do_GET(self) -> None:
        self.answer(b"")

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", 0))
        body = self.rfile.read(length)
        if len(body) < length:
            self.close_connection = True
        else:
            self.answer(body)

    do_PUT = do_PATCH = do_DELETE = do_POST

    def answer(self, body: bytes) -> None:
        self.server.api.answer(self, body)

    def send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def send_json(self, status: int, value: object, headers: dict[str, str] | None = None) -> None:
        sent = {"Content-Type": "application/json", "X-Request-Id": "4b" * 16, **(headers or {})}
        self.send(status, json.dumps(value).encode(), sent)

    def refuse(self, status: int, code: str, details: object = None, **headers: str) -> None:
        error = {"code": code, "message": f"{code} in words"} | ({} if details is None else {"details": details})
        self.send_json(status, {"error": error}, {name.replace("_", "-"): value for name, value in headers.items()})


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    api: Api


@dataclass
class Seen:
    """A request as it arrived whole."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Api:
    """Tasks by Idempotency-Key. `script`: functions that answer the first requests instead; None leaves it to it."""

    url: str = ""
    seen: list[Seen] = field(default_factory=list)
    script: list[Any] = field(default_factory=list)
    tasks: dict[str, dict[str, Any]] = field(default_factory=dict)
    bodies: dict[str, bytes] = field(default_factory=dict)
    #: What becomes of a task at its stream's end.
    ends_as: dict[str, Any] = field(default_factory=lambda: {"status": "completed", "billing_status": "settled"})
    events: list[dict[str, Any]] = field(
        default_factory=lambda: [
            {"id": "1", "type": "queued", "at": "2026-11-26T09:00:00.000Z", "credits_used": 40},
            {"id": "2", "type": "accepted", "at": "2026-11-26T09:00:01.000Z"},
            {"id": "3", "type": "running", "at": "2026-11-26T09:00:02.000Z", "percent": 50},
            {"id": "4", "type": "copying", "at": "2026-11-26T09:00:03.000Z"},
            {"id": "5", "type": "completed", "at": "2026-11-26T09:00:04.000Z", "credits_used": 40},
        ]
    )
    streams: bool = True
    #: Which read of a task shows its end, where no stream has told it before.
    ends_at_read: int | None = None
    reads: dict[str, int] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, handler: Handler, body: bytes) -> None:
        path = handler.path
        with self.lock:
            headers = {name.lower(): value for name, value in handler.headers.items()}
            self.seen.append(Seen(handler.command, path, headers, body))
            scripted = self.script.pop(0) if self.script else None
        if scripted is not None:
            return scripted(handler)
        if path.startswith("/videos/"):
            return self.send_film(handler)
        if handler.headers.get("authorization") != f"Bearer {key}":
            return handler.refuse(401, "invalid_api_key")
        if handler.command == "POST" and path == "/api/v1/video/generations":
            return self.post(handler, body)
        if matched := re.fullmatch(r"/api/v1/tasks/([^/]+)/events", path):
            return self.stream(handler, matched[1])
        if matched := re.fullmatch(r"/api/v1/tasks/([^/?]+)", path):
            return self.read(handler, matched[1])
        handler.refuse(404, "not_found")

    def post(self, handler: Handler, body: bytes) -> None:
        name = handler.headers.get("idempotency-key", "")
        if not name or not body:
            # The connection was cut within the head, which http.server takes for its end.
            handler.close_connection = True
            return
        with self.lock:
            replayed = name in self.tasks
            if replayed and self.bodies[name] != body:
                return handler.refuse(409, "idempotency_key_reused")
            if not replayed:
                self.bodies[name] = body
                self.tasks[name] = task_of(f"vt_{len(self.tasks) + 1}", "processing")
        handler.send_json(200 if replayed else 202, self.tasks[name], {"Retry-After": "10"})

    def task(self, task_id: str) -> dict[str, Any] | None:
        return next((task for task in self.tasks.values() if task["id"] == task_id), None)

    def end(self, task: dict[str, Any], handler: Handler) -> None:
        task.update(self.ends_as)
        if task["status"] == "completed":
            task["output"] = {"video_url": f"http://{handler.headers['host']}/videos/{task['id']}.mp4"}

    def read(self, handler: Handler, task_id: str) -> None:
        task = self.task(task_id)
        if task is None:
            return handler.refuse(404, "task_not_found")
        self.reads[task_id] = self.reads.get(task_id, 0) + 1
        if self.ends_at_read is not None and self.reads[task_id] >= self.ends_at_read:
            self.end(task, handler)
        handler.send_json(200, task, {"Retry-After": "10"} if task["status"] == "processing" else None)

    def stream(self, handler: Handler, task_id: str) -> None:
        task = self.task(task_id)
        if task is None:
            return handler.refuse(404, "task_not_found")
        if not self.streams:
            return handler.refuse(404, "not_found")
        after = int(handler.headers.get("last-event-id", "0"))
        if after >= len(self.events):
            handler.send_response(204)
            handler.end_headers()
            return
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.send_header("Connection", "close")
        handler.end_headers()
        pieces = ["retry: 10\n\n", ":\n\n"]
        pieces += [f"id: {event['id']}\ndata: {json.dumps(event)}\n\n" for event in self.events[after:]]
        if self.events[-1]["type"] in ("completed", "failed", "refunded"):
            self.end(task, handler)
        for piece in pieces:
            handler.wfile.write(f"{len(piece):x}\r\n{piece}\r\n".encode())
        handler.wfile.write(b"0\r\n\r\n")
        handler.close_connection = True

    def send_film(self, handler: Handler) -> None:
        asked = re.fullmatch(r"bytes=(\d+)-", handler.headers.get("range", ""))
        common = {"Content-Type": "video/mp4", "ETag": '"film"', "Accept-Ranges": "bytes"}
        if asked and handler.headers.get("if-range") == '"film"':
            begin = int(asked[1])
            return handler.send(
                206, film[begin:], {**common, "Content-Range": f"bytes {begin}-{len(film) - 1}/{len(film)}"}
            )
        handler.send(200, film, common)


def task_of(task_id: str, status: str, **fields: Any) -> dict[str, Any]:
    return {
        "id": task_id,
        "status": status,
        "model": "alpha-h3",
        "mode": "text-to-video",
        "credits_used": 40,
        "credits_refunded": 0,
        "output": None,
        "error": None,
        "created_at": "2026-11-26T09:00:00.000Z",
        "updated_at": "2026-11-26T09:00:00.000Z",
        "billing_status": "reserved",
        **fields,
    }


@contextmanager
def serve(api: Api | None = None) -> Iterator[Api]:
    """The API on a free port, until the block ends."""
    api = api or Api()
    server = Server(("127.0.0.1", 0), Handler)
    server.api = api
    api.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield api
    finally:
        server.shutdown()
        server.server_close()


@dataclass(frozen=True)
class Fault:
    """After so many bytes of one connection in one direction (`up`: to the API) it is cut, or falls silent."""

    connection: int
    direction: str
    after: int
    kind: str = "cut"


class FaultyProxy:
    """Carries connections to the API, one of which has a fault."""

    def __init__(self, port: int, fault: Fault | None = None, silent_seconds: float = 1.0) -> None:
        self.target = port
        self.fault = fault
        self.silent_seconds = silent_seconds
        self.counts: list[dict[str, int]] = []
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=16)
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                here, _ = self._listening.accept()
            except OSError:
                return
            index = len(self.counts)
            self.counts.append({"up": 0, "down": 0})
            there = socket.create_connection(("127.0.0.1", self.target))
            for direction, source, sink in (("up", here, there), ("down", there, here)):
                threading.Thread(target=self._carry, args=(index, direction, source, sink), daemon=True).start()

    def _carry(self, index: int, direction: str, source: socket.socket, sink: socket.socket) -> None:
        fault = self.fault
        mine = fault is not None and (fault.connection, fault.direction) == (index, direction)
        try:
            while piece := source.recv(65_536):
                count = self.counts[index][direction]
                if mine and fault is not None and count + len(piece) > fault.after:
                    sink.sendall(piece[: fault.after - count])
                    if fault.kind == "stall":
                        time.sleep(self.silent_seconds)
                    elif fault.kind == "reset":
                        sink.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    break
                self.counts[index][direction] = count + len(piece)
                sink.sendall(piece)
        except OSError:
            pass
        for end in (sink, source):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
