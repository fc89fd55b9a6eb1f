"""Temporary directories that name their owner, so that what a killed process left can be told and removed."""

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from reproducegym.owner import Owner

__all__ = ["abandoned", "belonging", "scratch_directory", "sweep"]

_NAME = re.compile(r"reproducegym-(?P<purpose>[a-z]+)-(?P<owner>\d+\.\d+\.[0-9a-f-]+)\.(?P<namespace>\d+)-\w+")


@contextlib.contextmanager
def scratch_directory(purpose: str) -> Iterator[Path]:
    """A private directory for this process, gone when the context is left; `purpose` is one lower-case word.

    The owner stands in the name, so there is no moment at which a killed process leaves one without.

    Raises:
        OSError: the temporary directory cannot be written.
    """
    owner = Owner.this_process()
    namespace = re.sub(r"\D", "", owner.pid_namespace)
    prefix = f"reproducegym-{purpose}-{owner.label().replace(':', '.')}.{namespace}-"
    made = Path(tempfile.mkdtemp(prefix=prefix))
    try:
        yield made
    finally:
        with contextlib.suppress(FileNotFoundError):  # it had outlived its time
            shutil.rmtree(made)


def belonging(purpose: str) -> Iterator[Path]:
    """The directories of one purpose that this user's processes made, dead or living."""
    for path in Path(tempfile.gettempdir()).glob(f"reproducegym-{purpose}-*"):
        if _NAME.fullmatch(path.name) is None or path.is_symlink() or not path.is_dir():
            continue
        with contextlib.suppress(FileNotFoundError):  # its owner removes it at the same moment
            if path.lstat().st_uid == os.geteuid():
                yield path


def abandoned(purpose: str) -> Iterator[Path]:
    """The directories of one purpose whose owner, a process of this machine and this user, is dead."""
    for path in belonging(purpose):
        named = _NAME.fullmatch(path.name)
        if named is None:
            continue
        owner = Owner.parse(named["owner"].replace(".", ":"), f"pid:[{named['namespace']}]")
        if owner is not None and owner.is_dead(same_machine=True):
            yield path


def sweep(*purposes: str) -> int:
    """Remove abandoned directories of these purposes; returns how many."""
    removed = 0
    for purpose in purposes:
        for path in abandoned(purpose):
            with contextlib.suppress(FileNotFoundError):  # another process sweeps at the same moment
                shutil.rmtree(path)
                removed += 1
    return removed
