"""Finds the images in a paragraph of Markdown: inline, by reference, and as HTML."""

import html
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

__all__ = ["FoundImage", "image_beside", "images_in"]

_IMAGE = re.compile(
    r"(?P<link>\[)?!\[(?P<alt>(?:[^\[\]]|\[[^\[\]]*\])*)\]"
    r"(?:\((?P<url><[^<>\n]*>|[^)\s]*)(?:\s[^)]*)?\)|\[(?P<id>[^\[\]]*)\])?(?(link)\](?:\([^)\s]*\)|\[[^\[\]]*\]))"
)
_HTML = re.compile(r"<img\b(?P<attributes>[^<>]*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"\b(?P<name>src|alt)\s*=\s*(?:\"(?P<a>[^\"]*)\"|'(?P<b>[^']*)'|(?P<c>[^\s\"'>]+))", re.IGNORECASE
)
_SHOWN = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg"})
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")


@dataclass(frozen=True, slots=True)
class FoundImage:
    """An image between two offsets of a text: what stands for it, and the link that it names."""

    start: int
    end: int
    alt: str
    link: str


def images_in(text: str, references: Mapping[str, str]) -> list[FoundImage]:
    """The images of a text in order; `references` gives links by their labels in upper case."""
    kept: list[FoundImage] = []
    for image in sorted([*_written(text, references), *_of_html(text)], key=lambda one: (one.start, -one.end)):
        if not kept or image.start >= kept[-1].end:
            kept.append(image)
    return kept


def _written(text: str, references: Mapping[str, str]) -> Iterator[FoundImage]:
    for match in _IMAGE.finditer(text):
        link: str | None = match["url"]
        if link is None:
            label = " ".join((match["id"] or match["alt"]).upper().split())
            link = references.get(label)
        if link is not None:
            yield FoundImage(
                match.start(), match.end(), match["alt"], unquote(link.removeprefix("<").removesuffix(">"))
            )


def _of_html(text: str) -> Iterator[FoundImage]:
    for match in _HTML.finditer(text):
        given = {
            one["name"].lower(): html.unescape(one["a"] or one["b"] or one["c"] or "")
            for one in _ATTRIBUTE.finditer(match["attributes"])
        }
        yield FoundImage(match.start(), match.end(), given.get("alt", ""), unquote(given.get("src", "")))


def image_beside(link: str, files: Mapping[str, bytes]) -> tuple[str, bytes] | str:
    """Suffix and content of the image file that a link names, or why there is none to show."""
    if _SCHEME.match(link):
        return "lies on the web"
    name = posixpath.normpath(link.split("#", maxsplit=1)[0].split("?", maxsplit=1)[0])
    suffix = posixpath.splitext(name)[1].lower()
    if name not in files:
        return "is missing"
    return (suffix, files[name]) if suffix in _SHOWN else "is in a format that is not shown"
