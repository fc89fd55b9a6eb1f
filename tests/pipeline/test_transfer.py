"""The strict reader of what leaves a sandbox: plain files pass unchanged, all else is refused with its reason."""

import contextlib
import io
import tarfile
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reproducegym.errors import InfrastructureError, ReproduceGymError
from reproducegym.pipeline.judging.transfer import RefusedFileError, archive_of, check_name, read_archive
from reproducegym.ports import CopyLimits

ROOMY = CopyLimits(max_files=100, max_bytes=10_000, max_file_bytes=5_000)


def entry(name: str, kind: bytes = tarfile.REGTYPE, **fields: object) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type = kind
    for field, value in fields.items():
        setattr(made, field, value)
    return made


def archive(*entries: tuple[tarfile.TarInfo, bytes], form: int = tarfile.PAX_FORMAT) -> io.BytesIO:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form) as tar:
        tar.addfile(entry("out", tarfile.DIRTYPE, mode=0o755))
        for made, content in entries:
            if made.isreg():
                made.size = len(content)
            tar.addfile(made, io.BytesIO(content))
    buffer.seek(0)
    return buffer


def refused(*entries: tuple[tarfile.TarInfo, bytes], limits: CopyLimits = ROOMY, form: int = tarfile.PAX_FORMAT) -> str:
    with pytest.raises(RefusedFileError) as error:
        read_archive(archive(*entries, form=form), limits, root="out")
    assert str(error.value).isprintable()
    return error.value.reason


def test_plain_files_pass_by_their_names_below_the_root() -> None:
    files = read_archive(
        archive((entry("out/a"), b"1"), (entry("out/d", tarfile.DIRTYPE), b""), (entry("out/d/b"), b"2")),
        ROOMY,
        root="out",
    )
    assert files == {"a": b"1", "d/b": b"2"}


def test_a_root_that_is_a_file_stands_alone() -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        made = entry("m.csv", size=2)
        tar.addfile(made, io.BytesIO(b"ok"))
    buffer.seek(0)
    assert read_archive(buffer, ROOMY, root="m.csv") == {"m.csv": b"ok"}
    buffer.seek(0)
    assert read_archive(buffer, replace(ROOMY, one_file=True), root="m.csv") == {"m.csv": b"ok"}


def test_a_directory_is_no_file_whatever_it_holds() -> None:
    assert refused((entry("out/out"), b"ok"), limits=replace(ROOMY, one_file=True)) == "directory"


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (tarfile.SYMTYPE, "link"),
        (tarfile.LNKTYPE, "link"),
        (tarfile.FIFOTYPE, "device"),
        (tarfile.CHRTYPE, "device"),
        (tarfile.BLKTYPE, "device"),
        (tarfile.CONTTYPE, "device"),
        (tarfile.GNUTYPE_SPARSE, "sparse"),
        (b"Z", "device"),
    ],
)
def test_what_is_no_plain_file_is_refused(kind: bytes, reason: str) -> None:
    assert refused((entry("out/x", kind, linkname="/etc/passwd"), b"")) == reason


def test_a_link_in_place_of_the_root_is_refused() -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        tar.addfile(entry("out", tarfile.SYMTYPE, linkname="/etc"))
    buffer.seek(0)
    with pytest.raises(RefusedFileError, match="links"):
        read_archive(buffer, ROOMY, root="out")


@pytest.mark.parametrize("mode", [0o4755, 0o2755, 0o6755])
def test_set_id_files_are_refused(mode: int) -> None:
    assert refused((entry("out/x", mode=mode), b"1")) == "set_id"


def test_a_sparse_file_in_a_pax_header_is_refused() -> None:
    made = entry("out/x", pax_headers={"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "out/x"})
    with pytest.raises((RefusedFileError, InfrastructureError)):
        read_archive(archive((made, b"0\n" + bytes(510))), ROOMY, root="out")


@pytest.mark.parametrize(
    "name",
    ["/etc/x", "elsewhere/x", "../out/x", "out/../x", "out/a/../../x", "out/./x", "out//x", "out/a\nb", "out/\udcff",
     "out/" + "n" * 2000, "out/" + "d/" * 80 + "x"],
)  # fmt: skip
def test_bad_names_are_refused(name: str) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT, errors="surrogateescape") as tar:
        tar.addfile(entry(name, size=1), io.BytesIO(b"1"))
    buffer.seek(0)
    with pytest.raises(RefusedFileError) as error:
        read_archive(buffer, ROOMY, root="out")
    assert error.value.reason == "name"


def test_a_pax_header_cannot_smuggle_a_name() -> None:
    assert refused((entry("out/x", pax_headers={"path": "/etc/passwd"}), b"1")) == "name"


def test_the_same_name_twice_is_refused() -> None:
    assert refused((entry("out/x"), b"1"), (entry("out/x"), b"2")) == "duplicate"
    assert refused((entry("out/x"), b"1"), (entry("out/x", tarfile.DIRTYPE), b"")) == "duplicate"
    assert refused((entry("out/x"), b"1"), (entry("out/x/y/z"), b"2")) == "duplicate", "a file and a directory"
    with pytest.raises(RefusedFileError, match="a file and a directory at once"):
        archive_of({"x/y": b"", "x": b""}, executable=(), uid=0)


def test_limits_hold_on_count_file_and_total() -> None:
    tight = CopyLimits(max_files=2, max_bytes=10, max_file_bytes=8)
    assert refused(*((entry(f"out/{n}"), b"") for n in range(3)), limits=tight) == "count"
    assert refused(*((entry(f"out/{n}", tarfile.DIRTYPE), b"") for n in range(3)), limits=tight) == "count"
    assert refused((entry("out/a"), bytes(9)), limits=tight) == "size"
    assert refused((entry("out/a"), bytes(6)), (entry("out/b"), bytes(6)), limits=tight) == "size"


def test_a_huge_file_is_refused_by_its_header_before_its_content_is_read() -> None:
    header = entry("out/x", size=1 << 50).tobuf(tarfile.GNU_FORMAT)
    with pytest.raises(RefusedFileError) as error:
        read_archive(io.BytesIO(header), ROOMY, root="out")
    assert error.value.reason == "size"


def test_a_stream_that_is_cut_off_is_the_engine_s_fault() -> None:
    whole = archive((entry("out/a"), bytes(3000))).getvalue()
    for cut in (0, 100, 512, 700, 1024, 1600, 2000, 4096, 4608):
        with pytest.raises(InfrastructureError):
            read_archive(io.BytesIO(whole[:cut]), ROOMY, root="out")


names = st.lists(
    st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters="/"), min_size=1, max_size=30),
    min_size=1,
    max_size=4,
).map("/".join)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(names, st.binary(max_size=200), max_size=5))
def test_what_is_packed_is_read_back_unchanged(files: dict[str, bytes]) -> None:
    clean = {name: content for name, content in files.items() if set(name.split("/")).isdisjoint({".", ".."})}
    prefixed = {f"out/{name}": content for name, content in clean.items()}
    clash = any(other.startswith(f"{name}/") for name in prefixed for other in prefixed)
    if clash:
        return
    packed = archive_of(prefixed, executable=(), uid=12345)
    assert read_archive(io.BytesIO(packed), CopyLimits(1000, 1 << 20, 1 << 20), root="out") == clean
    assert packed == archive_of(dict(reversed(prefixed.items())), executable=(), uid=12345)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=3000))
def test_any_bytes_are_read_or_refused_and_nothing_else(data: bytes) -> None:
    with contextlib.suppress(ReproduceGymError):
        read_archive(io.BytesIO(data), ROOMY, root="out")


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_flipped_archive_is_read_or_refused_and_nothing_else(data: st.DataObject) -> None:
    whole = bytearray(archive((entry("out/a"), b"1"), (entry("out/\u00e9" * 60), b"2" * 600)).getvalue())
    for _ in range(data.draw(st.integers(1, 5))):
        whole[data.draw(st.integers(0, min(len(whole), 4000) - 1))] = data.draw(st.integers(0, 255))
    try:
        files = read_archive(io.BytesIO(bytes(whole)), ROOMY, root="out")
    except ReproduceGymError:
        return
    for name in files:
        check_name(name)
