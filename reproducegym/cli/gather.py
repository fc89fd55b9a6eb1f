"""Gets the paper that `parse` was told to read, and names its directory."""

import os
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from reproducegym.cli.voice import say
from reproducegym.errors import MisuseError

if TYPE_CHECKING:
    from reproducegym.parsing.sources import Gathered

__all__ = ["Named", "gather", "paper_name"]

_ARXIV_MIRROR = "REPRODUCEGYM_ARXIV_BASE"
_ENDINGS = (".pdf", ".md", ".markdown", ".tar.gz", ".tgz", ".tar", ".zip", ".gz", ".tex")


@dataclass(frozen=True, slots=True)
class Named:
    """The one source that the options name."""

    option: str
    value: str

    @classmethod
    def of(cls, options: dict[str, Path | str | None]) -> "Named":
        """The one option that was given.

        Raises:
            MisuseError: none was given, or several.
        """
        given = {name: str(value) for name, value in options.items() if value}
        if len(given) != 1:
            raise MisuseError(f"give one of {', '.join(options)}; given: {', '.join(given) or 'none'}")
        ((option, value),) = given.items()
        return cls(option, value)


def gather(named: Named) -> "Gathered":
    """Read or fetch the source with all that belongs to it.

    Raises:
        MisuseError, UnreadablePaperError, StorageError, SourceUnreachableError: as `reproducegym.parsing.sources` says.
    """
    from reproducegym.parsing import sources

    path = Path(named.value)
    if named.option == "--pdf":
        return sources.Gathered(sources.read_pdf(path))
    if named.option == "--md":
        return sources.read_markdown(path)
    if named.option == "--latex":
        return sources.read_latex(path)
    base = os.environ.get(_ARXIV_MIRROR) or sources.ARXIV_BASE
    manners = sources.Manners(tell=say)
    if named.option == "--arxiv":
        return sources.fetch_arxiv(sources.arxiv_id(named.value, base=base), base=base, manners=manners)
    linked = sources.arxiv_link(named.value, base=base)
    if linked is not None:
        return sources.fetch_arxiv(linked, base=base, manners=manners)
    return sources.fetch_url(named.value, manners=manners)


def paper_name(named: Named) -> str:
    """A directory name from the file's name (its directory's for `paper.pdf`), the URL's last part or the arXiv id.

    Raises:
        MisuseError: nothing usable is in it.
    """
    if named.option in ("--url", "--arxiv"):
        stem = _bare(PurePosixPath(urlsplit(named.value).path or named.value).name)
    else:
        resolved = Path(named.value).resolve()
        stem = _bare(resolved.name)
        stem = resolved.parent.name if stem == "paper" else stem
    slug = re.sub(r"[^a-z0-9.]+", "-", stem.lower()).strip("-.")[:80]
    if not slug:
        raise MisuseError(f"no paper id can be made from {stem!r}; give one with --paper-id")
    return slug


def _bare(name: str) -> str:
    """A file name without the endings of papers."""
    for ending in _ENDINGS:
        if name.lower().endswith(ending):
            return name[: -len(ending)]
    return name
