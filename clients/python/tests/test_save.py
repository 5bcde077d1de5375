"""A video is saved whole or not at all, and no other host gets the key."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from api_server import Api, Handler, film, serve, task_of

from filmgate import Filmgate, FilmgateError, Video


def video_at(client: Filmgate, url: str) -> Video:
    return client.wait(task_of("vt_1", "completed", output={"video_url": url}))  # type: ignore[arg-type]


def partly(count: int, **headers: str) -> Callable[[Handler], None]:
    """Promises the whole film and cuts it after so many bytes."""

    def answer(handler: Handler) -> None:
        handler.send_response(200)
        for name, value in {"Content-Length": str(len(film)), "ETag": '"film"', **headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(film[:count])
        handler.close_connection = True

    return answer


def test_another_host_gets_neither_the_key_nor_a_redirect_with_it(api: Api, client: Filmgate, tmp_path: Path) -> None:
    with serve() as other:
        other.script = [lambda handler: handler.send(302, b"", {"Location": f"{api.url}/videos/b.mp4"})]
        video = video_at(client, f"{other.url}/videos/a.mp4")
        video.save(tmp_path / "a.mp4")
        with video.response() as response:
            assert response.read() == film
        requests = other.seen + api.seen
    assert (tmp_path / "a.mp4").read_bytes() == film
    assert len(requests) == 3
    assert all("authorization" not in seen.headers and "sk_live" not in str(seen) for seen in requests)


def test_a_cut_is_resumed_where_it_was(api: Api, client: Filmgate, tmp_path: Path, quick: None) -> None:
    api.script = [partly(100)]
    video_at(client, f"{api.url}/videos/a.mp4").save(tmp_path / "a.mp4")
    assert (tmp_path / "a.mp4").read_bytes() == film
    assert [seen.headers.get("range") for seen in api.seen] == [None, "bytes=100-"]


def wrong_rest(handler: Handler) -> None:
    handler.send(206, film[99:], {"Content-Range": f"bytes 99-{len(film) - 1}/{len(film)}"})


def other_length(handler: Handler) -> None:
    handler.send(206, film[100:], {"Content-Range": f"bytes 100-{len(film)}/{len(film) + 1}"})


@pytest.mark.parametrize(
    "second",
    [
        wrong_rest,
        other_length,
        lambda handler: handler.send(416, b""),
        lambda handler: handler.send(200, film, {"ETag": '"newer"'}),
        lambda handler: handler.send(200, film, {"Content-Encoding": "gzip"}),
        lambda handler: handler.send(200, b""),
        lambda handler: handler.send(503, b"", {"Retry-After": "0"}),
    ],
)
def test_a_rest_that_does_not_fit_is_never_joined(
    api: Api, client: Filmgate, tmp_path: Path, quick: None, second: Callable[[Handler], None]
) -> None:
    api.script = [partly(100), second]
    video_at(client, f"{api.url}/videos/a.mp4").save(tmp_path / "a.mp4")
    assert (tmp_path / "a.mp4").read_bytes() == film
    assert os.listdir(tmp_path) == ["a.mp4"]


def test_what_cannot_be_saved_leaves_what_was_there(api: Api, client: Filmgate, tmp_path: Path, quick: None) -> None:
    target = tmp_path / "a.mp4"
    target.write_bytes(b"before")
    api.script = [lambda handler: handler.send(404, b"")]
    video = video_at(client, f"{api.url}/videos/a.mp4")
    with pytest.raises(FilmgateError) as raised:
        video.save(target)
    assert (raised.value.code, raised.value.status, raised.value.task_id) == ("save_failed", 404, "vt_1")
    assert 'client.wait("vt_1") gives it again' in str(raised.value)
    api.script = [partly(100)] * 99
    with pytest.raises(FilmgateError, match="save_failed"):
        video.save(target, timeout=0.2)
    assert os.listdir(tmp_path) == ["a.mp4"]
    assert target.read_bytes() == b"before"


def test_a_path_that_cannot_be_written_is_refused_before_anything_is_charged(
    api: Api, client: Filmgate, tmp_path: Path
) -> None:
    (tmp_path / "folder.mp4").mkdir()
    (tmp_path / "file").touch()
    for name in (".", "folder.mp4", "none/a.mp4", "file/a.mp4", "a\0.mp4", "a\0/b.mp4"):
        for path in (tmp_path / name, str(tmp_path / name)):
            with pytest.raises(FilmgateError) as raised:
                client.generate(model="alpha-h3", prompt="x", save_to=path)
            assert raised.value.code == "invalid_argument"
            with pytest.raises(FilmgateError) as raised:
                client.wait("vt_1", save_to=path)
            assert raised.value.code == "invalid_argument"
    assert api.seen == []


def gone(folder: Path) -> None:
    folder.rmdir()


def replaced(folder: Path) -> None:
    folder.rmdir()
    folder.touch()


def taken(folder: Path) -> None:
    (folder / "a.mp4").mkdir()


@pytest.mark.parametrize("change", [gone, replaced, taken])
@pytest.mark.parametrize("moment", ["on_created", "on_progress"])
def test_a_folder_that_goes_away_after_the_charge_loses_no_task(
    api: Api, client: Filmgate, tmp_path: Path, change: Callable[[Path], None], moment: str
) -> None:
    folder = tmp_path / "videos"
    folder.mkdir()
    changes = iter([change])

    def once(_: object) -> None:
        for each in changes:
            each(folder)

    with pytest.raises(FilmgateError) as raised:
        client.generate(
            model="alpha-h3", prompt="x", idempotency_key="mine", save_to=folder / "a.mp4", **{moment: once}
        )
    error = raised.value
    assert (error.code, error.task_id, error.idempotency_key) == ("save_failed", "vt_1", "mine")
    assert 'client.wait("vt_1") gives it again' in str(error)
    assert client.wait("vt_1", save_to=tmp_path / "b.mp4").task["id"] == "vt_1"
    assert (tmp_path / "b.mp4").read_bytes() == film


def test_a_video_that_is_there_names_its_task_where_the_folder_is_not(
    api: Api, client: Filmgate, tmp_path: Path
) -> None:
    video = video_at(client, f"{api.url}/videos/a.mp4")
    for path in (tmp_path, tmp_path / "none" / "a.mp4"):
        with pytest.raises(FilmgateError) as raised:
            video.save(path)
        assert (raised.value.code, raised.value.task_id) == ("save_failed", "vt_1")
    assert api.seen == []
