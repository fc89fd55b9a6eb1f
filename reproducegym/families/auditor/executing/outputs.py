"""What a run left, as values: a digest of weights by content, and metrics. The bytes come from untrusted code."""

import hashlib
import io
import json
import math
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from reproducegym.ports import CopyLimits

__all__ = ["OUTPUT_LIMITS", "Metrics", "UnreadableOutputError", "metrics_of", "weights_digest"]

_MIB = 2**20
OUTPUT_LIMITS = CopyLimits(max_files=1, max_bytes=16 * _MIB, max_file_bytes=16 * _MIB, one_file=True)
_MOST_UNPACKED = 64 * _MIB
_MOST_MEMBERS = 1000
_MOST_METRICS = 200
_CHUNK = 1 << 16
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, KeyError, IndexError)
_BROKEN_TOO = (struct.error, NotImplementedError, RuntimeError, OverflowError, RecursionError)

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"


class UnreadableOutputError(Exception):
    """An output that is not what the project should write; the message says what it is, in one line."""


@dataclass(frozen=True)
class Metrics:
    """The numbers of a metrics file, and the digest of all that stands in it."""

    numbers: dict[str, float]
    digest: str


def weights_digest(name: str, content: bytes) -> str:
    """sha256 of weights by content: names and bytes of an archive's members whenever they were packed, or a JSON value.

    Raises:
        UnreadableOutputError: neither a sound `.npz` nor JSON, or too large when unpacked.
    """
    if not name.endswith(".npz"):
        return _digest_of(_json(name, content))
    whole = hashlib.sha256()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = sorted(archive.infolist(), key=lambda one: one.filename)
            if not members or len(members) > _MOST_MEMBERS:
                raise UnreadableOutputError(f"{name} holds {len(members)} arrays; 1 to {_MOST_MEMBERS} are read")
            left = _MOST_UNPACKED
            for member in members:
                inner = hashlib.sha256()
                left = _unpacked(archive, member, inner.update, left, name)
                whole.update(
                    f"{len(member.filename)} {member.filename} {inner.hexdigest()}\n".encode("utf-8", "replace")
                )
    except (*_BROKEN, *_BROKEN_TOO) as error:
        raise UnreadableOutputError(f"{name} is no sound .npz file: {_line(error)}") from error
    return whole.hexdigest()


def _unpacked(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, feed: Callable[[bytes], None], left: int, name: str
) -> int:
    """Feed a member piece by piece; what is left of the bytes that may be unpacked."""
    if member.compress_type not in _METHODS or member.flag_bits & 1:
        raise UnreadableOutputError(f"{name} is packed in a way that is not read")
    with archive.open(member) as stream:
        while chunk := stream.read(_CHUNK):
            left -= len(chunk)
            if left < 0:
                raise UnreadableOutputError(f"{name} unpacks to more than {_MOST_UNPACKED // _MIB} MiB")
            feed(chunk)
    return left


def metrics_of(name: str, content: bytes) -> Metrics:
    """The metrics of a JSON object.

    Raises:
        UnreadableOutputError: not a JSON object with a number in it.
    """
    told = _json(name, content)
    if not isinstance(told, dict):
        raise UnreadableOutputError(f"{name} holds no JSON object")
    numbers: dict[str, float] = {}
    for key, value in told.items():
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(number := float(value)):
            numbers[key] = number
    return Metrics(dict(sorted(numbers.items())[:_MOST_METRICS]), _digest_of(told))


def _json(name: str, content: bytes) -> Json:
    try:
        told: Json = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise UnreadableOutputError(f"{name} is no JSON: {_line(error)}") from error
    return told


def _digest_of(told: Json) -> str:
    try:
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()
    except (ValueError, RecursionError) as error:
        raise UnreadableOutputError(f"JSON that cannot be written again: {_line(error)}") from error


def _line(error: Exception) -> str:
    return str(error).splitlines()[0][:200] if str(error).strip() else type(error).__name__
