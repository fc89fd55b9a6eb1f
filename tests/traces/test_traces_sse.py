"""Events are the same however their bytes are cut, and nothing that is sent breaks the reader or fills the memory."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from agent_trace.sse import Event, EventParser

ENDS = st.sampled_from(["\n", "\r\n", "\r"])
TEXT = st.text(st.characters(blacklist_characters="\r\n", blacklist_categories=["Cs"]), max_size=12)


def parsed(chunks: list[bytes]) -> list[Event]:
    parser = EventParser()
    return [*(event for chunk in chunks for event in parser.feed(chunk)), *parser.end()]


def cut(data: bytes, places: list[int]) -> list[bytes]:
    marks = sorted({0, len(data), *(place % (len(data) + 1) for place in places)})
    return [data[a:b] for a, b in itertools.pairwise(marks)]


@st.composite
def streams(draw: st.DrawFn) -> tuple[bytes, list[Event]]:
    """A stream in one kind of line end, and its events."""
    end, written, wanted = draw(ENDS), "", []
    for _ in range(draw(st.integers(0, 5))):
        name, lines = draw(st.sampled_from(["", "ping", "a b"])), draw(st.lists(TEXT, max_size=3))
        if draw(st.booleans()):
            written += f": {draw(TEXT)}{end}id: 7{end}retry: x{end}"
        if name:
            written += f"event: {name}{end}"
        written += "".join(f"data: {line}{end}" for line in lines) + end
        if lines:
            wanted.append(Event(name or "message", "\n".join(lines)))
    return written.encode(), wanted


@given(streams(), st.lists(st.integers(0, 10_000), max_size=12))
def test_what_was_written_is_read_wherever_it_is_cut(stream: tuple[bytes, list[Event]], places: list[int]):
    data, wanted = stream
    assert parsed(cut(data, places)) == wanted


@given(st.binary(max_size=300), st.lists(st.integers(0, 1000), max_size=12))
def test_any_bytes_give_the_same_events_however_they_are_cut(data: bytes, places: list[int]):
    assert parsed(cut(data, places)) == parsed([data])


@given(
    st.lists(
        st.sampled_from([b"data: x\n", b"\r", b"\n", b"data:", b"event: a\r\n", b"\xef\xbb\xbf", b": c\n"]), max_size=20
    )
)
def test_one_byte_at_a_time_is_as_good_as_all_at_once(pieces: list[bytes]):
    data = b"".join(pieces)
    assert parsed([bytes([one]) for one in data]) == parsed([data])


def test_an_event_that_the_stream_breaks_off_is_given_at_the_end():
    assert parsed([b"data: a\n\ndata: b"]) == [Event("message", "a"), Event("message", "b")]


def test_an_event_without_end_is_dropped_and_counted_and_the_next_one_is_read():
    parser = EventParser(largest=100)
    assert list(parser.feed(b"data: " + b"x" * 1000)) == []
    assert list(parser.feed(b"\ndata: rest\n\ndata: y\n\n")) == [Event("message", "y")]
    many = b"".join(b"data: 0123456789\n" for _ in range(20))
    assert list(parser.feed(many + b"\ndata: z\n\n")) == [Event("message", "z")]
    assert parser.oversized == 2
