"""Reads a paper's LaTeX source: a directory, an archive, or one `.tex` file."""

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from reproducegym.errors import StorageError, UnreadablePaperError
from reproducegym.parsing.sources.archive import is_archive, unpack
from reproducegym.parsing.sources.beside import own_file, shown
from reproducegym.parsing.sources.file import MARKDOWN_SUFFIXES, read_bytes
from reproducegym.parsing.sources.gathered import MAX_BYTES, MAX_FILES, MAX_TOTAL_BYTES, Gathered
from reproducegym.parsing.sources.main_file import main_file
from reproducegym.schema.paper import Source

__all__ = ["read_latex"]

_LOOKED_AT = 8192
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f"))
_FEW = 0.02


def read_latex(path: Path, *, limit: int = MAX_BYTES) -> Gathered:
    r"""Read a LaTeX source; its main file is the one with `\documentclass` and `\begin{document}`.

    `beside` of the source holds every file of it, the main one too, by relative name.

    Raises:
        UnreadablePaperError: missing, too large, damaged, oddly packed, or no main file is in it.
        StorageError: it may not be read.
    """
    origin = path.name or path.resolve().name
    warnings: tuple[str, ...] = ()
    if path.is_dir():
        files, warnings = _directory(path)
    else:
        content = read_bytes(path, limit=limit)
        files = unpack(content, origin) if is_archive(content) else {origin: content}
    if len(files) == 1:
        (only,) = files  # may be a fragment, or have any suffix
        main = only
    else:
        found = main_file(files)
        if found is None:
            raise UnreadablePaperError(
                f"{origin} holds no LaTeX paper: none of its {len(files)} files has \\documentclass and "
                "\\begin{document}; name the directory or archive of one paper"
            )
        main = found
    if files[main].startswith(b"%PDF-"):
        raise UnreadablePaperError(f"{origin} is a PDF and no LaTeX; give it with --pdf")
    if PurePosixPath(main).suffix.lower() in MARKDOWN_SUFFIXES:
        raise UnreadablePaperError(f"{origin} is Markdown and no LaTeX; give it with --md")
    if _is_binary(files[main]):
        raise UnreadablePaperError(
            f"{origin} is no text and no archive that is known; give a .tex, .tar.gz, .tar or .zip"
        )
    return Gathered(Source(kind="latex", origin=origin, content=files[main], beside=files), warnings)


def _is_binary(content: bytes) -> bool:
    """Whether more than a few bytes at the start are none of any encoding of text; UTF-16 tells itself."""
    start = content[:_LOOKED_AT]
    return not start.startswith(_UTF_16) and len(start) - len(start.translate(None, _CONTROLS)) > _FEW * len(start)


def _directory(root: Path) -> tuple[dict[str, bytes], tuple[str, ...]]:
    files: dict[str, bytes] = {}
    warnings: list[str] = []
    total = 0
    try:
        for name in _names(root):
            found = own_file(root, name)
            if isinstance(found, str):
                warnings.append(f"{shown(name)} was not read: {found}")
                continue
            files[name] = found.read_bytes()
            total += len(files[name])
            if len(files) > MAX_FILES or total > MAX_TOTAL_BYTES:
                raise UnreadablePaperError(
                    f"{root} holds more than {MAX_FILES} files or {MAX_TOTAL_BYTES} bytes; "
                    "name the directory of one paper"
                )
    except OSError as error:
        raise StorageError(f"{root} cannot be read: {error.strerror or error}; change its permissions") from error
    return files, tuple(warnings)


def _names(root: Path) -> Iterator[str]:
    """Relative names of all files below a directory in a fixed order; nothing hidden, and no linked directory."""

    def fail(error: OSError) -> None:
        raise error

    for directory, below, names in os.walk(root, onerror=fail):
        below[:] = sorted(name for name in below if not name.startswith("."))
        inside = Path(directory).relative_to(root)
        yield from ((inside / name).as_posix() for name in sorted(names) if not name.startswith("."))
