"""Files of lines, taken and written one line at a time: logs and lists that may be long."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from reproducegym.pipeline.files import TEMPORARY, storage, sync_directory

__all__ = ["append_line", "each_line", "is_torn", "write_lines"]


def each_line(path: Path) -> Iterator[bytes]:
    """The lines of a file with their ends, one at a time; none when there is no such file.

    Raises:
        StorageError: it is there but cannot be read.
    """
    with storage("read", path):
        try:
            stream = path.open("rb")
        except FileNotFoundError:
            return
    with stream:
        while True:
            with storage("read", path):
                line = stream.readline()
            if not line:
                return
            yield line


def is_torn(path: Path) -> bool:
    """Whether the last line of a file lacks its end.

    Raises:
        StorageError: it is there but cannot be read.
    """
    with storage("read", path):
        try:
            with path.open("rb") as stream:
                if not stream.seek(0, os.SEEK_END):
                    return False
                stream.seek(-1, os.SEEK_END)
                return stream.read(1) != b"\n"
        except FileNotFoundError:
            return False


def write_lines(path: Path, lines: Iterable[bytes]) -> None:
    """Put a whole file in place from lines that are made one at a time; a crash leaves the old content or the new.

    Raises:
        StorageError: it cannot be written; nothing is left behind.
    """
    temporary = path.with_name(TEMPORARY + path.name)
    try:
        with storage("write", path):
            path.parent.mkdir(parents=True, exist_ok=True)
            stream = temporary.open("wb")
        with stream:
            for line in lines:
                with storage("write", path):
                    stream.write(line)
            with storage("write", path):
                stream.flush()
                os.fsync(stream.fileno())
        with storage("write", path):
            temporary.chmod(0o644)
            temporary.replace(path)
            sync_directory(path.parent)
    except BaseException:
        with storage("write", path):
            temporary.unlink(missing_ok=True)
        raise


def append_line(path: Path, line: str) -> None:
    """Add one line to a log in a single write.

    Raises:
        StorageError: it cannot be written.
    """
    with storage("write", path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab", buffering=0) as stream:
            stream.write(f"{line}\n".encode())
