"""Reads a paper from one file: a PDF, or Markdown with the images beside it."""

import stat
from pathlib import Path

from reproducegym.errors import StorageError, UnreadablePaperError
from reproducegym.parsing.sources.beside import images_beside
from reproducegym.parsing.sources.gathered import MAX_BYTES, Gathered
from reproducegym.schema.paper import Source

__all__ = ["MARKDOWN_SUFFIXES", "read_bytes", "read_markdown", "read_pdf"]

MARKDOWN_SUFFIXES = (".md", ".markdown")


def read_pdf(path: Path, *, limit: int = MAX_BYTES) -> Source:
    """Read a file as a PDF, whatever it is called.

    Raises:
        UnreadablePaperError: missing, a directory, empty, or larger than the limit.
        StorageError: it may not be read.
    """
    return Source(kind="pdf", origin=path.name, content=read_bytes(path, limit=limit))


def read_markdown(path: Path, *, limit: int = MAX_BYTES) -> Gathered:
    """Read a file as Markdown, with those images that it links and that stand in or below its own directory.

    Raises:
        UnreadablePaperError, StorageError: as for `read_pdf`.
    """
    content = read_bytes(path, limit=limit)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:  # no Markdown, which its parser says; it may be a large file of something else
        return Gathered(Source(kind="markdown", origin=path.name, content=content))
    images, warnings = images_beside(text, path.parent)
    return Gathered(Source(kind="markdown", origin=path.name, content=content, beside=images), warnings)


def read_bytes(path: Path, *, limit: int = MAX_BYTES) -> bytes:
    """Read one plain file whole.

    Raises:
        UnreadablePaperError, StorageError: as for `read_pdf`.
    """
    wanted = "name one PDF, Markdown or LaTeX file"
    try:
        if path.is_dir():
            raise UnreadablePaperError(f"{path} is a directory; {wanted}")
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise UnreadablePaperError(f"{path} is a device, pipe or socket; {wanted}")
        if found.st_size > limit:
            raise UnreadablePaperError(
                f"{path} is {found.st_size} bytes, more than the limit of {limit}; is it a paper?"
            )
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UnreadablePaperError(f"{path} does not exist; check the path") from error
    except PermissionError as error:
        raise StorageError(f"{path} may not be read (permission denied); change its permissions") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise StorageError(f"{path} cannot be read: {reason}") from error
    if not content:
        raise UnreadablePaperError(f"{path} is empty; give the file of a paper")
    return content
