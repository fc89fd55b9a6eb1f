"""The scan of everything that an agent sees."""

import hashlib
import struct
import zlib

import pytest
from made_paper import PNG, read_paper, spec

from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.exposure.leak import scan
from reproducegym.pipeline.task import brief, render_task, visible


def blocking(name: str, data: bytes) -> bool:
    return any(one.blocking for one in scan({name: data}, spec()))


def test_a_rendered_task_shows_nothing() -> None:
    claim = spec()
    task = render_task(claim, brief(claim, read_paper(), "masked", 8.0), contract_of(claim), 8.0)
    assert not [one for one in scan(visible(task), claim) if one.blocking]


@pytest.mark.parametrize(
    "text",
    [
        "regret 97.3",
        "regret 97.30",
        "9.73e1 here",
        '{"note": "152.4"}',
        "a,97.3,b",
        "a\n\n152,4.\n152.40",
        "regret of 97",
        "a regret of ninety-seven",
    ],
)
def test_spellings_of_a_hidden_number_block(text: str) -> None:
    assert blocking("notes.txt", text.encode())


def test_names_metadata_and_digests_are_looked_at() -> None:
    assert blocking("figures/ucb1-97.3.svg", b"")
    assert blocking("a.txt", hashlib.sha256(b"97.3").hexdigest().encode())
    assert blocking("a.txt", f"task {spec().spec_hash}".encode())
    assert blocking("a.txt", spec().claim_uid.encode())


@pytest.mark.parametrize("compressed", [False, True])
def test_text_inside_an_image_is_read(compressed: bool) -> None:
    text = b"regret is 97.3"
    body = b"note\0\0" + zlib.compress(text) if compressed else b"note\0" + text
    kind = b"zTXt" if compressed else b"tEXt"
    chunk = struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    assert blocking("figures/f.png", PNG[:8] + chunk + PNG[8:])
    assert blocking("figures/f.png", PNG + text)
    assert not blocking("figures/f.png", PNG)


def test_what_cannot_be_read_blocks() -> None:
    assert blocking("figures/f.jpg", b"\xff\xd8\xff\xe0")


def test_coincidences_are_listed_and_do_not_block() -> None:
    findings = scan({"a.txt": b"The room has 97 seats. Set-up: 20 seeds."}, spec())
    assert [(one.spelling, one.blocking) for one in findings] == [("97", False)]


def test_a_table_cell_is_judged_by_its_row_and_column() -> None:
    page = b"| Method | Regret | Rooms |\n| --- | --- | --- |\n| other | 55 | 3 |\n| room | 1 | 97 |\n"
    found = {(one.spelling, one.blocking) for one in scan({"paper.md": page}, spec())}
    assert found == {("55", True), ("97", False)}
