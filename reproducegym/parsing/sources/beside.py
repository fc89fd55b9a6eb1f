"""Finds the image files that a Markdown paper links, in its own directory only."""

import re
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from markdown_it import MarkdownIt

from reproducegym.parsing.sources.gathered import MAX_BYTES, MAX_FILES, MAX_TOTAL_BYTES

__all__ = ["image_links", "images_beside", "own_file", "shown"]

_IMAGES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".svg", ".pdf"})
_HTML_IMAGE = re.compile(r"<img\b[^>]*?\bsrc\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")


def image_links(text: str) -> tuple[str, ...]:
    """Links of images as the source writes them, unescaped, in order and each once; those to other places too."""
    links: dict[str, None] = {}
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        for inner in (token, *(token.children or ())):
            if inner.type == "image":
                links[unquote(str(inner.attrGet("src") or ""))] = None
            elif inner.type in ("html_block", "html_inline"):
                links.update(
                    (unquote(next(filter(None, m.groups()), "")), None) for m in _HTML_IMAGE.finditer(inner.content)
                )
    return tuple(link for link in links if link)


def images_beside(text: str, directory: Path) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """The linked images by their relative names, and one line for each that was not read.

    Links to the web are passed over in silence; so that nothing private is copied, a link never leads out of the
    directory, be it by `..`, by an absolute path or by a link in the file system.
    """
    images: dict[str, bytes] = {}
    warnings: list[str] = []
    total = 0
    for link in image_links(text):
        if _SCHEME.match(link):
            continue
        name = str(PurePosixPath(link.split("#")[0].split("?")[0]))
        if name in images:
            continue
        found = own_file(directory, name)
        if isinstance(found, str):
            warnings.append(f"the image {shown(link)} was not read: {found}")
            continue
        if found.suffix.lower() not in _IMAGES:
            warnings.append(f"the image {shown(link)} was not read: it is no image file")
            continue
        if len(images) >= MAX_FILES or total + found.stat().st_size > MAX_TOTAL_BYTES:
            warnings.append(f"the image {shown(link)} was not read: all images together are too many or too large")
            continue
        try:
            images[name] = found.read_bytes()
        except OSError as error:
            warnings.append(f"the image {shown(link)} was not read: {error.strerror or error}")
            continue
        total += len(images[name])
    return images, tuple(warnings)


def own_file(directory: Path, name: str) -> Path | str:
    """The plain file of that relative name in or below a directory; else in a few words why it is not read."""
    relative = PurePosixPath(name)
    if relative.is_absolute() or ".." in relative.parts or "\\" in name or not name.isprintable():
        return "its path leads out of the paper's directory"
    try:
        root = directory.resolve(strict=True)
        real = (root / relative).resolve(strict=True)
        if not real.is_relative_to(root):
            return "it is a link that leads out of the paper's directory"
        if not real.is_file():
            return "it is no file"
        if real.stat().st_size > MAX_BYTES:
            return f"it is larger than {MAX_BYTES} bytes"
    except (FileNotFoundError, NotADirectoryError):
        return "there is no such file beside the paper"
    except (OSError, RuntimeError, ValueError) as error:
        return str(getattr(error, "strerror", None) or error)
    return real


def shown(name: str) -> str:
    """A name as one line may hold it: printable, and not too long."""
    kept = "".join(c if c.isprintable() else "?" for c in name)
    return kept if len(kept) <= 120 else kept[:117] + "..."
