"""Gets the bytes of a paper from a file, a URL or arXiv, with bounds on size, time and redirects."""

import re
import stat
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

import httpx

from reproducegym.errors import MisuseError, SourceUnreachableError, StorageError, UnreadablePaperError
from reproducegym.schema.paper import Source

__all__ = ["ARXIV_PDF_BASE", "MAX_BYTES", "fetch_arxiv", "fetch_url", "read_file"]

ARXIV_PDF_BASE = "https://arxiv.org/pdf/"
MAX_BYTES = 100 * 1024 * 1024
_MAX_REDIRECTS = 5
_TIMEOUT = httpx.Timeout(30.0, connect=10.0)
_MARKDOWN_SUFFIXES = (".md", ".markdown")
_NEW_ID = re.compile(r"\d{4}\.\d{4,5}(v[1-9]\d*)?")
_OLD_ID = re.compile(r"[a-z]+(-[a-z]+)?(\.[A-Z]{2})?/\d{7}(v[1-9]\d*)?")


def read_file(path: Path) -> Source:
    """Read a PDF or Markdown file; the kind follows the suffix, and the content when there is none.

    Raises:
        UnreadablePaperError: missing, a directory, empty, or too large.
        StorageError: it may not be read.
    """
    try:
        if path.is_dir():
            raise UnreadablePaperError(f"{path} is a directory; name one PDF or Markdown file")
        found = path.stat()
        size = found.st_size
        if not stat.S_ISREG(found.st_mode):
            raise UnreadablePaperError(f"{path} is a device, pipe or socket; name one PDF or Markdown file")
        if size > MAX_BYTES:
            raise UnreadablePaperError(f"{path} is {size} bytes, more than the limit of {MAX_BYTES}; is it a paper?")
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise UnreadablePaperError(f"{path} does not exist; check the path") from error
    except NotADirectoryError as error:
        raise UnreadablePaperError(f"{path} does not exist; check the path") from error
    except PermissionError as error:
        raise StorageError(f"{path} may not be read (permission denied); change its permissions") from error
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror or error}") from error
    if not content:
        raise UnreadablePaperError(f"{path} is empty; give the PDF or Markdown of a paper")
    if path.suffix.lower() in _MARKDOWN_SUFFIXES:
        return Source(kind="markdown", origin=path.name, content=content)
    return Source(kind="pdf", origin=path.name, content=content)


def fetch_url(url: str) -> Source:
    """Fetch a PDF or Markdown file over HTTP(S).

    Raises:
        MisuseError: it is not an http or https URL.
        SourceUnreachableError: no answer in time, an error status, too many redirects, or too large.
        UnreadablePaperError: what came is a web page or is empty.
    """
    shown = _without_secrets(url)
    content, kind, final = _download(url, shown)
    if not content:
        raise UnreadablePaperError(f"{shown} gave an empty answer; check the address")
    if b"%PDF-" in content[:1024]:
        return Source(kind="pdf", origin=shown, content=content)
    start = content[:512].lstrip().lower()
    if kind == "text/html" or start.startswith((b"<!doctype html", b"<html")):
        raise UnreadablePaperError(f"{shown} is a web page, not a paper; give the address of the PDF itself")
    suffix = PurePosixPath(urlsplit(final).path).suffix.lower()
    if kind in ("text/markdown", "text/x-markdown") or suffix in _MARKDOWN_SUFFIXES:
        return Source(kind="markdown", origin=shown, content=content)
    raise UnreadablePaperError(f"{shown} is neither a PDF nor Markdown (it says {kind or 'nothing about its type'})")


def fetch_arxiv(arxiv_id: str, *, base: str = ARXIV_PDF_BASE) -> Source:
    """Fetch the PDF of an arXiv paper; without a version (`v2`) it is the latest one.

    Raises:
        MisuseError: it is not an arXiv id.
        SourceUnreachableError, UnreadablePaperError: as for `fetch_url`.
    """
    name = arxiv_id.strip().removeprefix("arXiv:").removeprefix("arxiv:")
    if not (_NEW_ID.fullmatch(name) or _OLD_ID.fullmatch(name)):
        raise MisuseError(f"{arxiv_id!r} is not an arXiv id; write it like 2503.20783, 2503.20783v2 or cs/0112017")
    fetched = fetch_url(base.rstrip("/") + "/" + name)
    if fetched.kind != "pdf":
        raise UnreadablePaperError(f"arXiv has no PDF of {name}")
    return Source(kind="pdf", origin=f"arXiv:{name}", content=fetched.content)


def _without_secrets(url: str) -> str:
    """A URL as we may write it down: no user, password, query or fragment.

    Raises:
        MisuseError: it is not an http or https URL.
    """
    try:
        address = httpx.URL(url)
        usable = address.scheme in ("http", "https") and bool(address.host)
        shown = str(address.copy_with(userinfo=b"", query=None, fragment=None))
    except (httpx.InvalidURL, UnicodeError) as error:
        raise MisuseError(f"that is no URL ({error}); write it like https://host/paper.pdf") from error
    if not usable:
        raise MisuseError("that is not an http or https URL; write it like https://host/paper.pdf")
    return shown


def _download(url: str, shown: str) -> tuple[bytes, str, str]:
    """Body, media type and final address."""
    try:
        with (
            httpx.Client(follow_redirects=True, max_redirects=_MAX_REDIRECTS, timeout=_TIMEOUT) as client,
            client.stream("GET", url, headers={"Accept": "application/pdf, text/markdown;q=0.9, */*;q=0.5"}) as answer,
        ):
            if answer.status_code != httpx.codes.OK:
                raise SourceUnreachableError(
                    f"{shown} answered {answer.status_code} {answer.reason_phrase}; check the address"
                )
            body = bytearray()
            for chunk in answer.iter_bytes():
                body += chunk
                if len(body) > MAX_BYTES:
                    raise SourceUnreachableError(
                        f"{shown} is larger than the limit of {MAX_BYTES} bytes; is it a paper?"
                    )
            kind = answer.headers.get("content-type", "").split(";")[0].strip().lower()
            return bytes(body), kind, str(answer.url)
    except httpx.TooManyRedirects as error:
        raise SourceUnreachableError(
            f"{shown} redirects more than {_MAX_REDIRECTS} times; give the final address"
        ) from error
    except httpx.TimeoutException as error:
        raise SourceUnreachableError(f"{shown} did not answer in time; try again later") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise SourceUnreachableError(
            f"{shown} cannot be reached ({error}); check the address and the network"
        ) from error
