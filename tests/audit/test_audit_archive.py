"""Archives that lie: nothing is unpacked to disk, nothing leads outside, and no bomb bursts."""

import gzip
import io
import tarfile
import tracemalloc
from pathlib import Path

import pytest
from speaking_github import FILES, archive

from ml_audit.github.archive import Bounds, Unpacked, unpacked
from ml_audit.github.faults import ArchiveError


def given(tmp_path: Path, packed: bytes, bounds: Bounds | None = None) -> Unpacked:
    path = tmp_path / "a.tar.gz"
    path.write_bytes(packed)
    return unpacked(path, bounds)


def link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    member = tarfile.TarInfo(f"top/{name}")
    member.type, member.linkname = kind, target
    return member


def test_names_that_lead_outside_are_left_out_and_links_never_followed(tmp_path: Path):
    odd = {f"../../{tmp_path.name}/out.py": b"", "a\nb.py": b"", "a\\b.py": b"", "d/" * 70 + "deep.py": b""}
    links = {"1": link("passwd.py", "/etc/passwd"), "2": link("twin.py", "top/train.py", tarfile.LNKTYPE)}
    pipe = {"3": link("pipe.py", "", tarfile.FIFOTYPE)}
    found = given(tmp_path, archive({**odd, **links, **pipe, **FILES}, top="top/"))
    assert (found.unsafe, found.cut) == (4, "")
    assert set(found.files) == set(FILES)
    assert set(found.listed) == {*FILES, "passwd.py", "twin.py"}
    assert [p.name for p in tmp_path.iterdir()] == ["a.tar.gz"]


def test_the_first_of_two_files_of_one_name_counts_and_bytes_may_be_anything(tmp_path: Path):
    name = "m\udcff.py"
    twice = archive({"x.py": b"\xff\xfe\x00", name: b"caf\xe9", ".git/y.py": b"import torch"})
    assert given(tmp_path, twice).files == {"m�.py": b"caf\xe9", "x.py": b"\xff\xfe\x00"}


def test_pointers_submodules_and_what_is_kept_out_are_counted(tmp_path: Path):
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"
    found = given(tmp_path, archive({"data.json": pointer, ".gitattributes": b"tests export-ignore\n", **FILES}))
    assert (found.pointers, found.kept_out, set(found.files)) == (1, 1, set(FILES))
    assert found.listed["data.json"] == len(pointer)


def test_a_bomb_is_refused_in_little_memory(tmp_path: Path):
    head = tarfile.TarInfo("top/zeros.py")
    head.size = 400_000_000
    stream = io.BytesIO()
    with gzip.GzipFile(fileobj=stream, mode="wb", compresslevel=1, mtime=0) as packed:
        packed.write(head.tobuf())
        for _ in range(20):
            packed.write(bytes(1_000_000))
    tracemalloc.start()
    with pytest.raises(ArchiveError, match="bomb"):
        given(tmp_path, stream.getvalue(), Bounds(free=5_000_000, ratio=50))
    assert tracemalloc.get_traced_memory()[1] < 3_000_000
    tracemalloc.stop()


def test_a_header_without_end_is_refused(tmp_path: Path):
    head = tarfile.TarInfo("top/x")
    head.type, head.size = tarfile.XHDTYPE, 30_000_000
    with pytest.raises(ArchiveError, match="header without end"):
        given(tmp_path, gzip.compress(head.tobuf() + bytes(3_000_000)))


def test_headers_for_all_members_do_not_pile_up(tmp_path: Path):
    plain = b""
    for n in range(20):
        for_all = tarfile.TarInfo.create_pax_global_header({f"k{n}": "x" * 400_000})
        plain += for_all + tarfile.TarInfo(f"top/{n}.py").tobuf()
    packed = gzip.compress(plain + bytes(1024), 1)
    tracemalloc.start()
    assert len(given(tmp_path, packed).listed) == 20
    assert tracemalloc.get_traced_memory()[1] < 12_000_000  # as much for five as for sixty
    tracemalloc.stop()


def test_files_with_holes_are_refused(tmp_path: Path):
    holes = tarfile.TarInfo("top/x.py")
    holes.pax_headers = {"GNU.sparse.map": "0,1", "GNU.sparse.size": "9", "GNU.sparse.name": "top/x.py"}
    with pytest.raises(ArchiveError, match="holes"):
        given(tmp_path, archive({"x.py": holes}))


def test_too_many_entries_or_bytes_give_a_partial_result(tmp_path: Path):
    packed = archive({f"{n}.py": b"x = 1\n" * 5_000 for n in range(9)})
    assert len(given(tmp_path, packed, Bounds(entries=4)).files) == 4
    large = given(tmp_path, packed, Bounds(unpacked=100_000))
    assert 0 < len(large.files) < 9
    assert "MB" in large.cut


def test_broken_archives_are_told(tmp_path: Path):
    whole = archive({f"{n}.py": b"%d\n" % n**99 * 20 for n in range(99)})
    for packed in (whole[:-9], whole[:900], whole[:700] + b"\xff" * 90 + whole[790:]):
        try:
            assert given(tmp_path, packed).cut == "it breaks off"
        except ArchiveError as error:
            assert "breaks off" in str(error)
    with pytest.raises(ArchiveError):
        given(tmp_path, b"")
    middle = gzip.decompress(whole)[:20_480] + b"\xff" * 20_480
    assert given(tmp_path, gzip.compress(middle)).cut == "it breaks off"
