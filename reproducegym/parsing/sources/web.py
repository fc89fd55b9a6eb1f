"""Fetches a PDF or Markdown paper from a web address."""

from pathlib import PurePosixPath
from urllib.parse import urlsplit

from reproducegym.errors import UnreadablePaperError
from reproducegym.parsing.sources.file import MARKDOWN_SUFFIXES
from reproducegym.parsing.sources.gathered import Gathered
from reproducegym.parsing.sources.manners import POLITE, Manners
from reproducegym.schema.paper import Source

__all__ = ["fetch_url"]


def fetch_url(url: str, *, manners: Manners = POLITE) -> Gathered:
    """Fetch a PDF or Markdown file over HTTP(S); what it is, its bytes say, and only then the server.

    Raises:
        MisuseError: it is not an http or https URL.
        SourceUnreachableError: no answer in time, an error status, too many redirects, or too large.
        UnreadablePaperError: what came is a web page, something else, or empty.
    """
    from reproducegym.parsing.sources.download import download

    got = download(url, manners=manners)
    if not got.content:
        raise UnreadablePaperError(f"{got.shown} gave an empty answer; check the address")
    if b"%PDF-" in got.content[:1024]:
        return Gathered(Source(kind="pdf", origin=got.shown, content=got.content))
    start = got.content[:512].lstrip().lower()
    if got.kind == "text/html" or start.startswith((b"<!doctype html", b"<html")):
        raise UnreadablePaperError(f"{got.shown} is a web page, not a paper; give the address of the PDF itself")
    suffix = PurePosixPath(urlsplit(got.address).path).suffix.lower()
    if got.kind in ("text/markdown", "text/x-markdown") or suffix in MARKDOWN_SUFFIXES:
        return Gathered(Source(kind="markdown", origin=got.shown, content=got.content))
    said = got.kind or "nothing about its type"
    raise UnreadablePaperError(
        f"{got.shown} is neither a PDF nor Markdown (it says {said}); give the address of the paper itself"
    )
