"""Finds the image file that an \\includegraphics names among the files of a source."""

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["ImageFile", "found_image"]

_SUFFIXES = (".png", ".jpg", ".jpeg", ".pdf", ".eps", ".svg")
_SHOWN = {b"\x89PNG": ".png", b"\xff\xd8\xff": ".jpg"}


@dataclass(frozen=True, slots=True)
class ImageFile:
    """An image; `shows` for formats that a reader of Markdown can see, named by `suffix`."""

    content: bytes
    suffix: str
    shows: bool


def found_image(wanted: str, files: Mapping[str, bytes]) -> ImageFile | None:
    """The image by its name, with any usual suffix, in the folder it names or else in any one."""
    name = posixpath.normpath(wanted.strip().strip('"')).removeprefix("./")
    candidates = [name, *(name + suffix for suffix in _SUFFIXES)]
    exact = next((one for one in candidates if one in files), None)
    if exact is None:
        bases = {posixpath.basename(one) for one in candidates}
        loose = sorted(one for one in files if posixpath.basename(one) in bases and one.lower().endswith(_SUFFIXES))
        exact = loose[0] if len(loose) == 1 else None
    if exact is None:
        return None
    content = files[exact]
    suffix = next((suffix for start, suffix in _SHOWN.items() if content.startswith(start)), None)
    return ImageFile(content, suffix or posixpath.splitext(exact)[1].lower(), suffix is not None)
