"""Papers come from files, URLs and arXiv; what cannot be had is one clear line."""

import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from reproducegym.errors import MisuseError, SourceUnreachableError, StorageError, UnreadablePaperError
from reproducegym.parsing import fetch_arxiv, fetch_url, parser_for, read_file, sources

PDF = b"%PDF-1.7\nnot much of a paper"


class _Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path in ("/paper.pdf?token=secret", "/paper.pdf", "/pdf/2503.20783v2", "/pdf/cs/0112017"):
            self._send(200, "application/pdf", PDF)
        elif self.path == "/octets":
            self._send(200, "application/octet-stream", PDF)
        elif self.path == "/paper.md":
            self._send(200, "text/plain", b"# Title\n\nText.\n")
        elif self.path == "/page":
            self._send(200, "text/html; charset=utf-8", b"<!DOCTYPE html><html></html>")
        elif self.path == "/text":
            self._send(200, "text/plain", b"hello")
        elif self.path == "/empty":
            self._send(200, "application/pdf", b"")
        elif self.path == "/big":
            self._send(200, "application/pdf", PDF + b"x" * 5000)
        elif self.path == "/loop":
            self.send_response(302)
            self.send_header("Location", "/loop")
            self.end_headers()
        elif self.path == "/moved":
            self.send_response(301)
            self.send_header("Location", "/paper.pdf")
            self.end_headers()
        else:
            self._send(404, "text/plain", b"no")

    def _send(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_a_file_becomes_a_source_named_without_its_directory(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(PDF)
    (tmp_path / "b.MD").write_bytes(b"# T\n")
    pdf, markdown = read_file(tmp_path / "a.pdf"), read_file(tmp_path / "b.MD")
    assert (pdf.kind, pdf.origin, pdf.content) == ("pdf", "a.pdf", PDF)
    assert (markdown.kind, markdown.origin) == ("markdown", "b.MD")
    assert parser_for(pdf).name == "pymupdf"
    assert parser_for(markdown).name == "markdown"


def test_files_that_are_missing_empty_directories_or_too_large_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty.pdf").touch()
    (tmp_path / "big.pdf").write_bytes(b"x" * 100)
    monkeypatch.setattr(sources, "MAX_BYTES", 50)
    for name, word in (
        ("none.pdf", "does not exist"),
        ("empty.pdf", "empty"),
        ("", "directory"),
        ("big.pdf", "100 bytes"),
    ):
        with pytest.raises(UnreadablePaperError, match=word) as caught:
            read_file(tmp_path / name)
        assert "\n" not in str(caught.value)
    with pytest.raises(UnreadablePaperError, match="does not exist"):
        read_file(tmp_path / "big.pdf" / "inside.pdf")


def test_a_file_that_may_not_be_read_is_a_storage_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(PDF)

    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(StorageError, match="permission denied"):
        read_file(path)


def test_a_paper_is_fetched_by_url_whatever_type_the_server_says(site: str) -> None:
    assert fetch_url(f"{site}/paper.pdf?token=secret").origin == f"{site}/paper.pdf"
    assert fetch_url(f"{site}/octets").kind == "pdf"
    assert fetch_url(f"{site}/moved").content == PDF
    assert fetch_url(f"{site}/paper.md").kind == "markdown"


def test_what_is_no_paper_says_what_it_is(site: str) -> None:
    with pytest.raises(UnreadablePaperError, match="web page"):
        fetch_url(f"{site}/page")
    with pytest.raises(UnreadablePaperError, match="neither a PDF nor Markdown"):
        fetch_url(f"{site}/text")
    with pytest.raises(UnreadablePaperError, match="empty"):
        fetch_url(f"{site}/empty")


def test_unreachable_addresses_are_one_line(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_BYTES", 1000)
    for url, word in (
        (f"{site}/nothing", "404"),
        (f"{site}/loop", "redirects more than"),
        (f"{site}/big", "larger than"),
        ("http://127.0.0.1:9/x.pdf", "cannot be reached"),
    ):
        with pytest.raises(SourceUnreachableError, match=word) as caught:
            fetch_url(url)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x/y", "paper.pdf", "http://"])
def test_only_http_addresses_are_fetched(url: str) -> None:
    with pytest.raises(MisuseError):
        fetch_url(url)


def test_arxiv_ids_with_and_without_version_and_of_the_old_kind(site: str) -> None:
    base = f"{site}/pdf/"
    assert fetch_arxiv("2503.20783v2", base=base).origin == "arXiv:2503.20783v2"
    assert fetch_arxiv("arXiv:cs/0112017", base=base).content == PDF
    with pytest.raises(SourceUnreachableError, match="404"):
        fetch_arxiv("2503.00001", base=base)


@pytest.mark.parametrize(
    "name", ["", "2503", "2503.1", "2503.20783v0", "../../etc", "http://x/2503.20783", "2503.20783 v1"]
)
def test_what_is_no_arxiv_id_is_misuse(name: str) -> None:
    with pytest.raises(MisuseError, match="not an arXiv id"):
        fetch_arxiv(name)


@pytest.mark.parametrize(
    "url", ["ftp://host/a.pdf", "http://", "http://[::1", "http://xn--\\u0000", "no url", "http://h:x/"]
)
def test_what_is_no_url_is_said_to_be_none(url):
    with pytest.raises(MisuseError, match=r"write it like https://host/paper\.pdf"):
        fetch_url(url)


def test_what_never_ends_is_not_read(tmp_path):
    pipe = tmp_path / "paper.pdf"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(UnreadablePaperError, match="device, pipe or socket"):
            read_file(path)
