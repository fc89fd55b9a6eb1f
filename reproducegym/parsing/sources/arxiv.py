"""Knows arXiv: its ids and links, and where a paper's PDF and LaTeX source lie."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from reproducegym.errors import MisuseError, ReproduceGymError, SourceUnreachableError, UnreadablePaperError
from reproducegym.parsing.sources.archive import is_archive, unpack
from reproducegym.parsing.sources.gathered import Gathered
from reproducegym.parsing.sources.main_file import main_file
from reproducegym.parsing.sources.manners import POLITE, Manners
from reproducegym.schema.paper import Source

__all__ = ["ARXIV_BASE", "LATEX_PREFIX", "ArxivId", "arxiv_id", "arxiv_link", "fetch_arxiv"]

ARXIV_BASE = "https://arxiv.org"
LATEX_PREFIX = "latex/"
"""Names in `Source.beside` below it are the files of the e-print."""

_NEW = r"\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}"
_OLD = r"[a-z]+(?:-[a-z]+)?(?:\.[A-Z]{2})?/\d{7}"
_ID = re.compile(rf"(?P<name>{_NEW}|{_OLD})(?P<version>v[1-9]\d*)?")
_SAID = re.compile(r"(?:arxiv:\s*|(?:doi:\s*)?10\.48550/arxiv\.)", re.IGNORECASE)
_SUBJECT = re.compile(r"\s*\[[\w.-]+\]$")
_PATH = re.compile(r"/(?:abs|pdf|html|e-print|src|ps|format|tex)/(?P<id>[^?#]+?)(?:\.pdf|\.html)?/?")
_DOI_PATH = re.compile(r"/10\.48550/arxiv\.(?P<id>[^?#]+)", re.IGNORECASE)
_HOST = re.compile(r"(?:[a-z0-9-]+\.)?arxiv\.org")


@dataclass(frozen=True, slots=True)
class ArxivId:
    """A paper of arXiv; `version` is like `v2`, and empty for the latest one."""

    name: str
    version: str

    def __str__(self) -> str:
        return self.name + self.version


def arxiv_id(text: str, *, base: str = ARXIV_BASE) -> ArxivId:
    """The paper that an id (`2503.20783v2`, `cs/0112017`, `arXiv:…`), a DOI or a link to arXiv names.

    Raises:
        MisuseError: it names none.
    """
    bare = text.strip()
    linked = arxiv_link(bare, base=base)
    if linked is not None:
        return linked
    match = _ID.fullmatch(_SUBJECT.sub("", _SAID.sub("", bare, count=1) if _SAID.match(bare) else bare))
    if match is None:
        raise MisuseError(
            f"{text[:80]!r} is not an arXiv id; write it like 2503.20783, 2503.20783v2 or cs/0112017, "
            "or give its abs, pdf or html link"
        )
    return ArxivId(match["name"], match["version"] or "")


def arxiv_link(url: str, *, base: str = ARXIV_BASE) -> ArxivId | None:
    """The paper that a link to arXiv (abs, pdf, html, …) or its DOI names; None for any other text."""
    try:
        parts = urlsplit(url if "://" in url else f"https://{url}")
        host, home = (parts.hostname or "").lower(), urlsplit(base)
        here = _HOST.fullmatch(host) is not None or parts.netloc == home.netloc
    except ValueError:
        return None
    if parts.scheme not in ("http", "https"):
        return None
    if host in ("doi.org", "dx.doi.org"):
        path = _DOI_PATH.fullmatch(parts.path)
    else:
        inside = parts.path.removeprefix(home.path.rstrip("/")) if parts.netloc == home.netloc else parts.path
        path = _PATH.fullmatch(inside) if here else None
    match = _ID.fullmatch(path["id"]) if path else None
    return ArxivId(match["name"], match["version"] or "") if match else None


def fetch_arxiv(paper: ArxivId, *, base: str = ARXIV_BASE, manners: Manners = POLITE) -> Gathered:
    """Fetch the PDF of an arXiv paper, and below `latex/` its LaTeX source where arXiv has it.

    `base` is the address of arXiv or of a mirror. Without a version it is the latest one; the origin names which
    that was where the server tells. That there is no LaTeX source is a warning.

    Raises:
        SourceUnreachableError: the PDF cannot be fetched.
        UnreadablePaperError: what came is no PDF.
    """
    from reproducegym.parsing.sources.download import download

    home = base.rstrip("/")
    got = download(f"{home}/pdf/{paper}", manners=manners)
    if b"%PDF-" not in got.content[:1024]:
        raise UnreadablePaperError(
            f"arXiv answered {got.kind or 'something'} and no PDF for {paper}; look at {home}/abs/{paper} in a browser"
        )
    exact = paper if paper.version else _versioned(paper, f"{got.address} {got.file_name}")
    files: dict[str, bytes] = {}
    warnings: tuple[str, ...] = ()
    try:
        files = _source_files(exact, home, manners)
    except ReproduceGymError as error:
        warnings = (f"the LaTeX source of arXiv:{exact} was not read: {error}",)
    beside = {LATEX_PREFIX + name: content for name, content in files.items()}
    return Gathered(Source(kind="pdf", origin=f"arXiv:{exact}", content=got.content, beside=beside), warnings)


def _versioned(paper: ArxivId, told: str) -> ArxivId:
    """The paper with the version that an address or a file name tells."""
    last = re.escape(paper.name.rpartition("/")[2])
    match = re.search(rf"{last}(v[1-9]\d*)(?!\d)", told)
    return ArxivId(paper.name, match[1]) if match else paper


def _source_files(paper: ArxivId, home: str, manners: Manners) -> dict[str, bytes]:
    """Every file of the e-print.

    Raises:
        SourceUnreachableError, UnreadablePaperError: it cannot be had, or is no LaTeX.
    """
    from reproducegym.parsing.sources.download import download

    try:
        got = download(f"{home}/e-print/{paper}", manners=manners)
    except SourceUnreachableError:
        got = download(f"{home}/src/{paper}", manners=manners)
    if b"%PDF-" in got.content[:1024]:
        raise UnreadablePaperError("its authors gave a PDF only")
    if is_archive(got.content):
        files = unpack(got.content, f"the e-print of {paper}")
    elif b"\\document" in got.content:
        files = {"main.tex": got.content}
    else:
        raise UnreadablePaperError(f"arXiv answered {got.kind or 'something'} and no archive")
    if main_file(files) is None:
        raise UnreadablePaperError("no file of it has \\documentclass and \\begin{document}")
    return files
