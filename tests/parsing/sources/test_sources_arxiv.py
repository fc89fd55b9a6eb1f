"""arXiv ids and links name one paper; its PDF comes with its LaTeX source where there is one."""

import gzip
import io
import tarfile
from collections.abc import Iterator

import pytest
from misbehaving_site import PDF, Patient, Site, running_site, send, status

from reproducegym.errors import MisuseError, SourceUnreachableError, UnreadablePaperError
from reproducegym.parsing.sources import ArxivId, arxiv_id, arxiv_link, fetch_arxiv
from reproducegym.parsing.sources.gathered import Gathered

TEX = b"\\documentclass{article}\n\\begin{document}\nHello.\n\\end{document}\n"


@pytest.fixture
def site() -> Iterator[Site]:
    with running_site() as running:
        yield running


def tar_gz(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return out.getvalue()


def fetched(site: Site, name: str) -> Gathered:
    return fetch_arxiv(arxiv_id(name), base=site.base, manners=Patient().manners())


@pytest.mark.parametrize(
    ("text", "name", "version"),
    [
        ("2503.20783", "2503.20783", ""),
        ("2503.20783v2", "2503.20783", "v2"),
        (" arXiv:0704.0001v12 ", "0704.0001", "v12"),
        ("arxiv:cs/0112017", "cs/0112017", ""),
        ("math.GT/0309136v1", "math.GT/0309136", "v1"),
        ("hep-th/9901001", "hep-th/9901001", ""),
        ("arXiv:2503.20783v1 [cs.LG]", "2503.20783", "v1"),
        ("10.48550/arXiv.2503.20783", "2503.20783", ""),
        ("https://doi.org/10.48550/arXiv.2503.20783", "2503.20783", ""),
        ("https://arxiv.org/abs/2503.20783v2", "2503.20783", "v2"),
        ("http://www.arxiv.org/pdf/2503.20783v2.pdf", "2503.20783", "v2"),
        ("https://export.arxiv.org/abs/cs/0112017v3", "cs/0112017", "v3"),
        ("https://arxiv.org/html/2503.20783v1/#S3.T2", "2503.20783", "v1"),
        ("arxiv.org/abs/2503.20783?context=cs", "2503.20783", ""),
    ],
)
def test_ids_and_links_name_a_paper(text: str, name: str, version: str) -> None:
    assert arxiv_id(text) == ArxivId(name, version)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2503",
        "2503.1",
        "2503.20783v0",
        "2599.20783",
        "../../etc",
        "http://x/2503.20783",
        "2503.20783 v1",
        "https://arxiv.org/list/cs.LG/recent",
        "https://arxiv.org.evil.example/abs/2503.20783",
        "ftp://arxiv.org/abs/2503.20783",
        "http://[::1/abs/2503.20783",
    ],
)
def test_what_names_no_paper_is_misuse(text: str) -> None:
    assert arxiv_link(text) is None
    with pytest.raises(MisuseError, match="not an arXiv id"):
        arxiv_id(text)


def test_links_to_a_mirror_are_known_by_its_address(site: Site) -> None:
    link = f"{site.base}/archive/abs/2503.20783v2"
    assert arxiv_link(link, base=f"{site.base}/archive/") == ArxivId("2503.20783", "v2")
    assert arxiv_link(link) is None


def test_a_paper_comes_with_its_latex_source_below_latex(site: Site) -> None:
    site.on("/pdf/2503.20783v2", send(PDF))
    site.on("/e-print/2503.20783v2", send(tar_gz({"main.tex": TEX, "fig/a.png": b"png"}), "application/gzip"))
    got = fetched(site, "2503.20783v2")
    assert (got.source.kind, got.source.origin, got.source.content) == ("pdf", "arXiv:2503.20783v2", PDF)
    assert got.source.beside == {"latex/main.tex": TEX, "latex/fig/a.png": b"png"}
    assert got.warnings == ()


def test_the_latest_version_is_named_where_the_server_tells_it(site: Site) -> None:
    site.on("/pdf/2503.20783", send(PDF, Content_Disposition='inline; filename="2503.20783v3.pdf"'))
    site.on("/e-print/2503.20783v3", send(gzip.compress(TEX), "application/gzip"))
    got = fetched(site, "2503.20783")
    assert got.source.origin == "arXiv:2503.20783v3"
    assert got.source.beside == {"latex/main.tex": TEX}


def test_the_source_is_looked_for_at_both_addresses(site: Site) -> None:
    site.on("/pdf/cs/0112017", send(PDF))
    site.on("/src/cs/0112017", send(TEX, "text/plain"))
    assert fetched(site, "cs/0112017").source.beside == {"latex/main.tex": TEX}
    assert site.paths() == ["/pdf/cs/0112017", "/e-print/cs/0112017", "/src/cs/0112017"]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (PDF, "gave a PDF only"),
        (b"<html>busy</html>", "no archive"),
        (tar_gz({"notes.txt": b"hello"}), "documentclass"),
        (tar_gz({"../main.tex": TEX}), "leads out"),
        (tar_gz({"main.tex": TEX})[:-20], "truncated"),
    ],
)
def test_without_a_usable_source_the_pdf_is_read_and_a_warning_says_why(site: Site, body: bytes, why: str) -> None:
    site.on("/pdf/2503.20783v1", send(PDF))
    site.on("/e-print/2503.20783v1", send(body, "application/gzip"))
    got = fetched(site, "2503.20783v1")
    assert got.source.content == PDF
    assert got.source.beside == {}
    (warning,) = got.warnings
    assert warning.startswith("the LaTeX source of arXiv:2503.20783v1 was not read: ")
    assert why in warning


def test_a_source_that_cannot_be_fetched_is_a_warning_but_a_missing_pdf_an_error(site: Site) -> None:
    site.on("/pdf/2503.20783v1", send(PDF))
    site.on("/e-print/2503.20783v1", status(503))
    assert "answered 404" in fetched(site, "2503.20783v1").warnings[0]
    with pytest.raises(SourceUnreachableError, match="404"):
        fetched(site, "2503.00001")
    site.on("/pdf/2503.00002", send(b"<html>are you a robot?</html>", "text/html"))
    with pytest.raises(UnreadablePaperError, match=r"no PDF for 2503\.00002"):
        fetched(site, "2503.00002")
