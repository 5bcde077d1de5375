"""Events are read alike however their bytes were cut."""

from __future__ import annotations

import pytest

from filmgate._core.sse import EventParser, MalformedStream, ServerEvent

text = '\ufeffretry: 1500\r\n\r\n:\n\nid: 1\ndata: {"a":"é"}\r\ndata: two\n\nevent: x\rid: 2\rdata:three\r\r'
text += "id: 3\n\ndata: four\n\ndata: cut"
events = [ServerEvent("1", '{"a":"é"}\ntwo'), ServerEvent("2", "three"), ServerEvent("3", "four")]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 1000])
def test_pieces_of_any_size_give_the_same_events(size: int) -> None:
    data = text.encode()
    parser = EventParser()
    found = [event for begin in range(0, len(data), size) for event in parser.feed(data[begin : begin + size])]
    assert found == events
    assert parser.retry_seconds == 1.5


def test_two_pieces_cut_anywhere_give_the_same_events() -> None:
    data = text.encode()
    for cut in range(len(data)):
        parser = EventParser()
        assert parser.feed(data[:cut]) + parser.feed(data[cut:]) == events


def test_an_event_without_an_end_is_not_kept() -> None:
    parser = EventParser()
    with pytest.raises(MalformedStream):
        for _ in range(1_100):
            parser.feed(b"data: " + b"x" * 1_000)
    quiet = EventParser()
    for _ in range(1_100):
        assert quiet.feed(b": " + b"x" * 1_000 + b"\n\n") == []
