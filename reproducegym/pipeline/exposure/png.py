"""PNG without a drawing library: its chunks, its pixels without what must not be seen, and no metadata."""

import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate

__all__ = ["SIGNATURE", "Area", "Pixels", "chunks", "plain", "read_pixels", "written"]

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_SHOWING = {b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"}
_CHANNELS = {0: 1, 2: 3}
_MOST = 200_000_000
"""Bytes of pixels beyond which an image is not opened."""

Area = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; right and bottom are outside."""


@dataclass(frozen=True)
class Pixels:
    """Rows of grey or RGB pixels of eight bits."""

    width: int
    height: int
    channels: int
    rows: tuple[bytes, ...]


def chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Kind and body of every chunk up to the end of the image."""
    at = len(SIGNATURE)
    while at + 8 <= len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        kind = data[at + 4 : at + 8]
        yield kind, data[at + 8 : at + 8 + size]
        if kind == b"IEND":
            return
        at += 12 + size


def plain(data: bytes) -> bytes:
    """The same image without text, times, colour profiles and whatever follows its end."""
    return SIGNATURE + b"".join(_chunk(kind, body) for kind, body in chunks(data) if kind in _SHOWING)


def read_pixels(data: bytes) -> Pixels | None:
    """The pixels of a PNG as MuPDF writes it; None for any other kind of PNG, and for one that is cut or too large."""
    found = list(chunks(data)) if data.startswith(SIGNATURE) else []
    if not found or found[0][0] != b"IHDR" or len(found[0][1]) != 13:
        return None
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", found[0][1])
    channels = _CHANNELS.get(colour)
    if channels is None or depth != 8 or interlaced or width * height * channels > _MOST:
        return None
    stride = width * channels + 1
    try:
        raw = zlib.decompressobj().decompress(
            b"".join(body for kind, body in found if kind == b"IDAT"), height * stride
        )
    except zlib.error:
        return None
    if len(raw) < height * stride or not set(raw[::stride]) <= {0, 1}:
        return None
    lines = (raw[at : at + stride] for at in range(0, height * stride, stride))
    return Pixels(width, height, channels, tuple(_unfiltered(line, channels) for line in lines))


def written(image: Pixels, kept: Iterable[Area], emptied: Iterable[Area], restored: Iterable[Area]) -> bytes:
    """A white image of the same size with only some areas of it: `kept`, less `emptied` (framed), and `restored`."""
    wide = image.width * image.channels
    canvas = [bytearray(b"\xff" * wide) for _ in range(image.height)]
    for area in kept:
        _copy(image, canvas, area)
    for area in emptied:
        _frame(image, canvas, area)
    for area in restored:
        _copy(image, canvas, area)
    head = struct.pack(">IIBBBBB", image.width, image.height, 8, 2 if image.channels == 3 else 0, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + bytes(row) for row in canvas), 6)
    return SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def _unfiltered(line: bytes, channels: int) -> bytes:
    if line[0] == 0:
        return line[1:]
    row = bytearray(line[1:])
    for channel in range(channels):
        row[channel::channels] = bytes(value & 255 for value in accumulate(row[channel::channels]))
    return bytes(row)


def _copy(image: Pixels, canvas: list[bytearray], area: Area) -> None:
    left, top, right, bottom = _within(image, area)
    part = slice(left * image.channels, right * image.channels)
    for row in range(top, bottom):
        canvas[row][part] = image.rows[row][part]


def _frame(image: Pixels, canvas: list[bytearray], area: Area) -> None:
    """White, with a thin black line around it."""
    left, top, right, bottom = _within(image, area)
    wide = right - left
    if wide < 3 or bottom - top < 3:
        return
    part = slice(left * image.channels, right * image.channels)
    edge, inside = b"\0" * image.channels, b"\xff" * (image.channels * (wide - 2))
    for row in range(top, bottom):
        line = b"\0" * (image.channels * wide) if row in (top, bottom - 1) else edge + inside + edge
        canvas[row][part] = line


def _within(image: Pixels, area: Area) -> Area:
    left, right = max(area[0], 0), min(area[2], image.width)
    top, bottom = max(area[1], 0), min(area[3], image.height)
    return (left, top, max(left, right), max(top, bottom))


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
