"""Papers come from files: PDF, Markdown with its images, LaTeX in a directory, an archive or one file."""

import bz2
import io
import lzma
import os
import tarfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reproducegym.errors import MisuseError, StorageError, UnreadablePaperError
from reproducegym.parsing import parser_for
from reproducegym.parsing.sources import read_latex, read_markdown, read_pdf
from reproducegym.parsing.sources.archive import ArchiveLimits, unpack
from reproducegym.parsing.sources.main_file import main_file
from reproducegym.schema.paper import Source

PDF = b"%PDF-1.7\nnot much of a paper"
TEX = b"\\documentclass{article}\n\\begin{document}\nHello.\n\\end{document}\n"


def packed(entries: list[tuple[str, bytes]], *, odd: tarfile.TarInfo | None = None) -> bytes:
    """A `.tar.gz` of files, and of one odd entry."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, content in entries:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
        if odd is not None:
            tar.addfile(odd)
    return out.getvalue()


def zipped(entries: list[tuple[zipfile.ZipInfo | str, bytes]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in entries:
            made.writestr(name, content)
    return out.getvalue()


def odd_entry(kind: bytes, name: str = "link.tex", target: str = "main.tex") -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname = kind, target
    return entry


def test_a_pdf_becomes_a_source_named_without_its_directory(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(PDF)
    source = read_pdf(tmp_path / "a.pdf")
    assert (source.kind, source.origin, source.content) == ("pdf", "a.pdf", PDF)


def test_files_that_are_missing_empty_directories_or_too_large_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.pdf").touch()
    (tmp_path / "big.pdf").write_bytes(b"x" * 100)
    os.mkfifo(tmp_path / "pipe.pdf")
    for path, word in (
        (tmp_path / "none.pdf", "does not exist"),
        (tmp_path / "empty.pdf", "empty"),
        (tmp_path, "directory"),
        (tmp_path / "big.pdf", "100 bytes"),
        (tmp_path / "big.pdf" / "inside.pdf", "does not exist"),
        (tmp_path / "pipe.pdf", "device, pipe or socket"),
        (Path("/dev/zero"), "device, pipe or socket"),
    ):
        with pytest.raises(UnreadablePaperError, match=word) as caught:
            read_pdf(path, limit=50)
        assert "\n" not in str(caught.value)
    with pytest.raises(StorageError, match="cannot be read"):
        read_pdf(tmp_path / "a\0b.pdf")


def test_a_file_that_may_not_be_read_is_a_storage_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.pdf").write_bytes(PDF)

    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(StorageError, match="permission denied"):
        read_pdf(tmp_path / "a.pdf")


def test_markdown_brings_the_images_of_its_own_directory_and_no_others(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(b"private")
    own = tmp_path / "paper"
    (own / "figures").mkdir(parents=True)
    (own / "figures" / "a b.png").write_bytes(b"A")
    (own / "b.svg").write_bytes(b"B")
    (own / "notes.txt").write_bytes(b"C")
    (own / "out.png").symlink_to(tmp_path / "secret.png")
    (own / "in.png").symlink_to("figures/a b.png")
    (own / "figures" / "unlinked.png").write_bytes(b"D")
    (own / "p.md").write_text(
        "# T\n\n![one](figures/a%20b.png) ![two](./b.svg 'title') <img alt='x' src=\"in.png\">\n\n"
        "![web](https://host/x.png) ![](data:image/png;base64,AA==) ![up](../secret.png)\n"
        f"![abs]({tmp_path}/secret.png) ![out](out.png) ![gone](gone.png) ![text](notes.txt) ![dir](figures)\n"
        "`![code](b.svg)`\n",
        encoding="utf-8",
    )
    got = read_markdown(own / "p.md")
    assert (got.source.kind, got.source.origin) == ("markdown", "p.md")
    assert got.source.beside == {"figures/a b.png": b"A", "b.svg": b"B", "in.png": b"A"}
    reasons = "\n".join(got.warnings)
    assert len(got.warnings) == 6
    assert "../secret.png was not read: its path leads out of the paper's directory" in reasons
    assert "out.png was not read: it is a link that leads out" in reasons
    assert "gone.png was not read: there is no such file" in reasons
    assert "notes.txt was not read: it is no image file" in reasons
    assert "figures was not read: it is no file" in reasons


def test_what_is_no_text_has_no_images(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"A")
    (tmp_path / "p.md").write_bytes(b"%PDF-1.7 \xff\xfe ![a](a.png)")
    assert read_markdown(tmp_path / "p.md").source.beside == {}


def test_latex_is_read_alike_from_a_directory_and_from_archives(tmp_path: Path) -> None:
    files = {"main.tex": TEX, "sections/one.tex": b"\\section{One}\n", "fig/a.pdf": PDF}
    project = tmp_path / "project"
    for name, content in files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_bytes(content)
    (project / ".git").mkdir()
    (project / ".git" / "config").write_bytes(b"x")
    (tmp_path / "p.tar.gz").write_bytes(packed([(f"./{name}", content) for name, content in files.items()]))
    (tmp_path / "p.zip").write_bytes(zipped([*files.items(), ("__MACOSX/._main.tex", b"x")]))
    (tmp_path / "lone.tex").write_bytes(TEX)
    for name in ("project", "p.tar.gz", "p.zip"):
        source = read_latex(tmp_path / name).source
        assert (source.kind, source.origin, source.content) == ("latex", name, TEX)
        assert source.beside == files
    assert read_latex(tmp_path / "lone.tex").source.beside == {"lone.tex": TEX}


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("p.tar.xz", lzma.compress(TEX), "is no text and no archive that is known; give a .tex, .tar.gz"),
        ("p.tar.bz2", bz2.compress(TEX * 99), "is no text and no archive that is known"),
        ("p.tex", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0", "is no text and no archive that is known"),
        ("p.md", b"# Title\n\nText.\n", "is Markdown and no LaTeX; give it with --md"),
        ("p.pdf", PDF, "is a PDF and no LaTeX; give it with --pdf"),
    ],
)
def test_what_is_no_latex_says_what_it_is(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UnreadablePaperError) as caught:
        read_latex(tmp_path / name)
    assert str(caught.value).startswith(f"{name} {words}")


def test_text_of_any_encoding_may_be_latex(tmp_path: Path) -> None:
    for encoding in ("utf-8-sig", "latin-1", "utf-16"):
        (tmp_path / "p.tex").write_bytes(f"\\section{{Größe}}\r\n{'Tür.' * 50}\f".encode(encoding))
        assert read_latex(tmp_path / "p.tex").source.kind == "latex"


def test_links_in_a_directory_are_followed_inside_of_it_only(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "private.tex").write_bytes(b"secret")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "x.tex").write_bytes(b"secret")
    (project / "main.tex").write_bytes(TEX)
    (project / "alias.tex").symlink_to("main.tex")
    (project / "out.tex").symlink_to(tmp_path / "private.tex")
    (project / "linked").symlink_to(tmp_path / "elsewhere")
    (project / "loop").symlink_to(project)
    got = read_latex(project)
    assert set(got.source.beside) == {"main.tex", "alias.tex"}
    assert got.warnings == ("out.tex was not read: it is a link that leads out of the paper's directory",)


def test_a_latex_source_without_a_paper_in_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "bits.zip").write_bytes(zipped([("a.tex", b"x"), ("b.tex", b"% \\documentclass{a} \\begin{document}")]))
    with pytest.raises(UnreadablePaperError, match=r"bits.zip holds no LaTeX paper: none of its 2 files"):
        read_latex(tmp_path / "bits.zip")
    (tmp_path / "a.tex").write_bytes(PDF)
    with pytest.raises(UnreadablePaperError, match="give it with --pdf"):
        read_latex(tmp_path / "a.tex")
    (tmp_path / "none").mkdir()
    with pytest.raises(UnreadablePaperError, match="holds no LaTeX paper"):
        read_latex(tmp_path / "none")


def test_the_main_file_is_the_paper_and_not_a_picture_or_a_part() -> None:
    picture = b"\\documentclass[tikz]{standalone}\\begin{document}" + b"x" * 9999 + b"\\end{document}"
    commented = b"%\\documentclass{article}\n%\\begin{document}\n"
    assert main_file({"fig.tex": picture, "deep/main.tex": TEX, "zz.tex": TEX, "part.tex": commented}) == "zz.tex"
    assert main_file({"aa.tex": TEX + b"long", "paper.tex": TEX}) == "paper.tex"
    assert main_file({"aa.tex": TEX, "bb.tex": TEX + b"longer"}) == "bb.tex"
    told = {"main.tex": TEX, "supp.tex": TEX, "00README.txt": b"supp.tex toplevelfile\n"}
    assert main_file(told) == "supp.tex"
    assert main_file({"old.ltx": b"\\documentstyle[12pt]{article}\\begin {document}"}) == "old.ltx"
    assert main_file({"fig.tex": picture}) == "fig.tex"
    assert main_file({"a.txt": TEX}) is None


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (packed([("../a.tex", b"x")]), "leads out"),
        (packed([("/etc/a.tex", b"x")]), "leads out"),
        (packed([("C:/a.tex", b"x")]), "leads out"),
        (packed([("a\nb.tex", b"x")]), "leads out"),
        (packed([("x" * 301, b"x")]), "leads out"),
        (packed([("a.tex", b"x"), ("./a.tex", b"y")]), "twice"),
        (packed([], odd=odd_entry(tarfile.SYMTYPE)), "no plain file"),
        (packed([], odd=odd_entry(tarfile.LNKTYPE)), "no plain file"),
        (packed([], odd=odd_entry(tarfile.CHRTYPE)), "no plain file"),
        (packed([], odd=odd_entry(tarfile.FIFOTYPE)), "no plain file"),
        (packed([(f"{n}.tex", b"x") for n in range(21)]), "more than 20 files"),
        (packed([("a.tex", b"x" * 5001)]), "limits"),
        (packed([(f"{n}.tex", b"x" * 4000) for n in range(6)]), "limits"),
        (packed([("a.tex", b"\0" * 50_000_000)]), "unpacks to more than"),
        (packed([("a.tex", TEX)])[:-30], "truncated"),
        (zipped([("../a.tex", b"x")]), "leads out"),
        (zipped([("a.tex", b"x" * 5001)]), "limits"),
        (zipped([("a.tex", TEX)]).replace(b"a.tex", b"\0.tex"), "without a name"),
        (zipped([("a.tex", TEX)])[:-30], "damaged"),
        (b"BZh91AY&SY", "no archive that can be read"),
    ],
)
def test_odd_archives_are_refused_in_one_line(content: bytes, why: str) -> None:
    with pytest.raises(UnreadablePaperError, match=why) as caught:
        unpack(content, "p.tar.gz", ArchiveLimits(files=20, one=5000, total=20_000))
    assert "\n" not in str(caught.value)


def test_links_and_secrets_in_a_zip_are_refused() -> None:
    link = zipfile.ZipInfo("link.tex")
    link.external_attr = 0o120777 << 16
    with pytest.raises(UnreadablePaperError, match="no plain file"):
        unpack(zipped([(link, b"/etc/passwd")]), "p.zip")
    locked = bytearray(zipped([("a.tex", TEX)]))
    at = locked.index(b"PK\x01\x02") + 8
    locked[at] |= 1
    with pytest.raises(UnreadablePaperError, match="encrypted"):
        unpack(bytes(locked), "p.zip")


@settings(max_examples=150)
@given(st.booleans(), st.integers(0, 10_000), st.binary(min_size=1, max_size=4))
def test_a_damaged_archive_gives_files_or_one_line(as_zip: bool, at: int, change: bytes) -> None:
    entries = [("main.tex", TEX * 20), ("fig/a.png", bytes(range(256)))]
    plain = bytearray(zipped(list(entries)) if as_zip else packed(entries))
    at %= len(plain)
    plain[at : at + len(change)] = change
    try:
        files = unpack(bytes(plain), "p")
    except UnreadablePaperError as error:
        assert "\n" not in str(error)
    else:
        assert all(not name.startswith("/") and ".." not in name.split("/") for name in files)


def test_each_kind_has_its_parser_and_another_backend_says_which_fits() -> None:
    pdf = Source(kind="pdf", origin="a.pdf", content=PDF)
    markdown = Source(kind="markdown", origin="a.md", content=b"# T")
    latex = Source(kind="latex", origin="a.tex", content=TEX)
    assert [parser_for(source).name for source in (pdf, markdown, latex)] == ["pymupdf", "markdown", "latex"]
    assert parser_for(pdf, "pymupdf").name == "pymupdf"
    assert parser_for(pdf, "marker").name == "marker"
    with pytest.raises(
        MisuseError, match=r"--parser marker reads PDF and a\.md is Markdown; use --parser auto or markdown"
    ):
        parser_for(markdown, "marker")
    with pytest.raises(MisuseError, match="use --parser auto or pymupdf or marker"):
        parser_for(pdf, "latex")
    with pytest.raises(MisuseError, match="unknown; known are auto, pymupdf, marker, markdown, latex"):
        parser_for(pdf, "nougat")
