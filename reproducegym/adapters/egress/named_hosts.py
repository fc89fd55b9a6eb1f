"""Hosts that a paper names: what stands there may be the answer, so no sandbox reaches it."""

import re
from collections.abc import Iterable

from reproducegym.ports import ReadPaper
from reproducegym.schema.paper import ParseRecord

__all__ = ["holds_papers", "hosts_of", "named_hosts", "site_of"]

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
_LIBRARIES = frozenset(
    {
        *("arxiv.org", "ar5iv.org", "alphaxiv.org", "openreview.net", "semanticscholar.org", "paperswithcode.com"),
        *("doi.org", "aclanthology.org", "mlr.press", "neurips.cc", "nips.cc", "thecvf.com", "jmlr.org", "aaai.org"),
        *("ijcai.org", "acm.org", "ieee.org", "springer.com", "sciencedirect.com", "researchgate.net", "academia.edu"),
        *("biorxiv.org", "medrxiv.org", "hal.science", "core.ac.uk", "europepmc.org", "catalyzex.com", "scirate.com"),
    }
)
"""Sites that hold papers of everybody: the task's own may be there, whether it says so or not."""


def named_hosts(texts: Iterable[str]) -> frozenset[str]:
    """Every host that stands in an address in the texts, also in one that a line break divides; small letters."""
    found: set[str] = set()
    for text in texts:
        for shown in (text, _BROKEN.sub("", text)):
            found.update((match[1] or match[2]).lower() for match in _ADDRESS.finditer(shown))
    return frozenset(found)


def hosts_of(paper: ReadPaper, record: ParseRecord) -> frozenset[str]:
    """The hosts that a paper names anywhere or leads to behind its words, and where it came from."""
    shown = (" ".join(word.text for word in page.words) for page in paper.words)
    return named_hosts([paper.document.to_json(), *shown, *record.links, record.origin])


def holds_papers(host: str) -> bool:
    """Whether papers of everybody stand there, among which the task's own may be."""
    return not site_of(host).isdisjoint(_LIBRARIES)


def site_of(host: str) -> frozenset[str]:
    """The site of a host (`www.example.org` is of `example.org`), with all that show the same.

    Two labels make a site, three where the country gives out `co.uk` and the like.
    """
    labels = host.split(".")
    wide = len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= 3
    site = ".".join(labels[-3:] if wide else labels[-2:])
    return next((together for together in _TOGETHER if site in together), frozenset({site}))
