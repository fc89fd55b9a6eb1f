"""Hosts that a paper names: what stands there may be the answer, so no sandbox reaches it."""

import re
from collections.abc import Iterable

from reproducegym.ports import ReadPaper

__all__ = ["hosts_of", "named_hosts", "site_of"]

_NAME = r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,22}[a-z0-9]"
_ADDRESS = re.compile(rf"(?:://(?:[^\s/@]{{1,100}}@)?|\bwww\.)({_NAME})|\b({_NAME})(?=/[~\w])", re.IGNORECASE)
_BROKEN = re.compile(r"(?<=[/.\-])\s+(?=\w)|(?<=\w)\s+(?=[./])")
"""White space where a line of print ended inside an address."""
_TOGETHER = (
    frozenset({"github.com", "github.io", "githubusercontent.com", "githubassets.com", "ghcr.io", "git.io"}),
    frozenset({"gitlab.com", "gitlab.io"}),
    frozenset({"huggingface.co", "hf.co", "hf.space"}),
    frozenset({"bitbucket.org", "bitbucket.io"}),
    frozenset({"codeberg.org", "codeberg.page"}),
    frozenset({"arxiv.org", "ar5iv.org", "alphaxiv.org"}),
)
"""Sites that show the same things."""


def named_hosts(texts: Iterable[str]) -> frozenset[str]:
    """Every host that stands in an address in the texts, also in one that a line break divides; small letters."""
    found: set[str] = set()
    for text in texts:
        for shown in (text, _BROKEN.sub("", text)):
            found.update((match[1] or match[2]).lower() for match in _ADDRESS.finditer(shown))
    return frozenset(found)


def hosts_of(paper: ReadPaper, origin: str) -> frozenset[str]:
    """The hosts that a paper names anywhere, and where it came from."""
    document = paper.document
    texts = [document.to_json(), *(" ".join(word.text for word in page.words) for page in paper.words), origin]
    home = {"arxiv.org"} if origin.lower().startswith("arxiv:") else set()
    return named_hosts(texts) | home


def site_of(host: str) -> frozenset[str]:
    """The site of a host (`www.example.org` is of `example.org`), with all that show the same.

    Two labels make a site, three where the country gives out `co.uk` and the like.
    """
    labels = host.split(".")
    wide = len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= 3
    site = ".".join(labels[-3:] if wide else labels[-2:])
    return next((together for together in _TOGETHER if site in together), frozenset({site}))
