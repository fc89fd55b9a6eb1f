"""Which outputs go where: several at once, each to a file or, one of them, to standard output."""

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

__all__ = ["STDOUT", "DestinationError", "checked", "spelled", "write"]

STDOUT = "-"


class DestinationError(Exception):
    """Outputs that cannot all be given: the message says which, and what to do."""


def spelled(arguments: Sequence[str], flags: Sequence[str]) -> list[str]:
    """The arguments with the file of every output said: `-` before an option, a directory, a web address or nothing."""
    told = list(arguments)
    for at, word in enumerate(told):
        if word in flags:
            following = told[at + 1] if at + 1 < len(told) else "--"
            option = following.startswith("-") and following != STDOUT
            if option or "://" in following or Path(following).is_dir():
                told[at] = f"{word}={STDOUT}"
    return told


def checked(wanted: Mapping[str, str]) -> None:
    """See that outputs (flag → file) do not collide and that their directories are there, before any work is done.

    Raises:
        DestinationError: two go to one place, or a file cannot be made.
    """
    seen: dict[str, str] = {}
    for flag, file in wanted.items():
        place = file if file == STDOUT else str(Path(file).resolve())
        if place in seen:
            where = "standard output" if file == STDOUT else file
            raise DestinationError(f"{seen[place]} and {flag} both go to {where}; give each a file: {flag} FILE")
        seen[place] = flag
        if file == STDOUT:
            continue
        if not file or Path(file).is_dir():
            raise DestinationError(
                f"{flag} {file or repr(file)}: not a file; name one to write, or - for standard output"
            )
        if not Path(file).parent.is_dir():
            raise DestinationError(
                f"{flag} {file}: there is no directory {Path(file).parent}; make it, or name repositories before {flag}"
            )


def write(file: str, text: str) -> None:
    """Write an output whole: a file is replaced only when everything is on the disk.

    Raises:
        OSError: it cannot be written; what was there stays.
    """
    content = text.encode("utf-8", "backslashreplace")
    if file == STDOUT:
        sys.stdout.write(content.decode("utf-8"))
        return
    target = Path(file)
    if target.exists() and not target.is_file():  # a pipe or a device cannot be replaced
        target.write_bytes(content)
        return
    target = target.resolve()
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.")
    try:
        with os.fdopen(descriptor, "wb") as whole:
            whole.write(content)
            os.fchmod(whole.fileno(), mode)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
