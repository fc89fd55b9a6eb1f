"""Outputs of untrusted runs are read by content, and nothing that stands in them troubles the host."""

import io
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reproducegym.families.auditor.executing.outputs import UnreadableOutputError, metrics_of, weights_digest


def packed(day: int = 1, method: int = zipfile.ZIP_STORED, **arrays: bytes) -> bytes:
    """An archive of these members, written on a day."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in arrays.items():
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, day, 0, 0, 0)), content, compress_type=method)
    return file.getvalue()


def saved(**arrays: np.ndarray) -> bytes:
    """What NumPy writes."""
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def test_arrays_are_compared_by_content_and_not_by_when_they_were_packed():
    one = weights_digest("w.npz", packed(day=1, a=b"12", b=b"3"))
    assert one == weights_digest("w.npz", packed(day=2, b=b"3", a=b"12"))
    assert one == weights_digest("w.npz", packed(method=zipfile.ZIP_DEFLATED, a=b"12", b=b"3"))
    assert one != weights_digest("w.npz", packed(a=b"1", b=b"23"))
    assert one != weights_digest("w.npz", packed(c=b"12", b=b"3"))
    assert weights_digest("w.npz", saved(w=np.zeros(3))) != weights_digest("w.npz", saved(w=np.array([0, 0, -0.0])))


def test_json_weights_are_compared_as_values():
    assert weights_digest("w.json", b'{"a": 1, "b": 2}') == weights_digest("w.json", b'{"b":2,"a":1}')


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no archive",
        packed(method=zipfile.ZIP_DEFLATED, a=bytes(80 << 20)),
        packed(**{f"a{n}": b"" for n in range(1001)}),
        packed(method=zipfile.ZIP_LZMA, a=b"1"),
        packed(a=b"1" * 100)[:-30],
    ],
    ids=["empty", "text", "bomb", "many", "lzma", "cut"],
)
def test_a_hostile_archive_is_refused_in_one_line(content: bytes):
    with pytest.raises(UnreadableOutputError) as refused:
        weights_digest("out/w.npz", content)
    assert "\n" not in str(refused.value)
    assert "out/w.npz" in str(refused.value)


@pytest.mark.parametrize("content", [b"[" * 100_000, b"\xff", b"[1]", b"1" * 5000, b'{"a": ' + b"9" * 5000 + b"}"])
def test_hostile_metrics_are_refused(content: bytes):
    with pytest.raises(UnreadableOutputError):
        metrics_of("out/metrics.json", content)


def test_metrics_are_the_finite_numbers():
    told = metrics_of("m.json", b'{"a": 1, "b": NaN, "c": "2", "d": true, "e": 1e999, "f": 0.5}')
    assert told.numbers == {"a": 1.0, "f": 0.5}


@settings(max_examples=150)
@given(st.integers(0, 400), st.binary(min_size=1, max_size=8))
def test_a_damaged_archive_is_read_or_refused_and_never_fails(place: int, put: bytes):
    whole = packed(method=zipfile.ZIP_DEFLATED, a=b"1234" * 20, b=b"5")
    at = place % len(whole)
    try:
        weights_digest("w.npz", whole[:at] + put + whole[at + len(put) :])
    except UnreadableOutputError as refused:
        assert str(refused)
