"""Whole directories or none: each is made beside its place under a temporary name, synced, and then renamed."""

import shutil
import tempfile
from pathlib import Path

from reproducegym.pipeline.files import TEMPORARY, storage, sync_directory, write_synced
from reproducegym.ports import Files

__all__ = [
    "fill_tree",
    "make_directory",
    "move_tree",
    "names",
    "new_directory",
    "publish_tree",
    "read_tree",
    "remove_empty",
    "remove_tree",
    "sweep",
    "two_floors_below",
    "write_tree",
]


def write_tree(path: Path, files: Files) -> None:
    """Put a whole directory in place of whatever stands there, with exactly these files; `*.sh` become executable.

    A directory that already holds exactly these files is left alone.

    Raises:
        StorageError: it cannot be written; nothing is left behind.
    """
    with storage("write", path):
        fresh = not path.parent.exists()
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir() and read_tree(path) == files:
            return
        temporary, old = path.with_name(TEMPORARY + path.name), path.with_name(f"{TEMPORARY}old-{path.name}")
        try:
            _remove(temporary)
            temporary.mkdir()
            _fill(temporary, files)
            if path.exists():
                _remove(old)
                path.rename(old)
            temporary.rename(path)
            _remove(old)
        except BaseException:
            _remove(temporary)
            if fresh:
                path.parent.rmdir()
            raise
        sync_directory(path.parent)


def make_directory(path: Path) -> None:
    """Make a directory, if it is not there, for this user alone.

    Raises:
        StorageError: it cannot be made.
    """
    with storage("write", path):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)


def new_directory(parent: Path, name: str, *rooms: str) -> Path:
    """A new private directory whose name begins so, with private directories of these names in it.

    Raises:
        StorageError: it cannot be made.
    """
    with storage("write", parent):
        parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=name, dir=parent))
        for room in rooms:
            (made / room).mkdir(mode=0o700)
        return made


def fill_tree(path: Path, files: Files) -> None:
    """Put files into a directory in the making.

    Raises:
        StorageError: one cannot be written.
    """
    with storage("write", path):
        _fill(path, files)


def move_tree(path: Path, to: Path) -> None:
    """Give a directory, or a file, another name, at which nothing stands, in one step.

    Raises:
        StorageError: it cannot be moved.
    """
    with storage("write", to):
        to.parent.mkdir(parents=True, exist_ok=True)
        path.rename(to)
        sync_directory(to.parent)


def publish_tree(begun: Path, path: Path, files: Files) -> None:
    """Give a directory in the making its last files and its name, at which nothing stands; `*.sh` become executable.

    Raises:
        StorageError: it cannot be written; then nothing stands at `path`.
    """
    with storage("write", path):
        _fill(begun, files)
        begun.chmod(0o755)
        begun.rename(path)
        sync_directory(path.parent)


def read_tree(path: Path, *, without: str | None = None) -> dict[str, bytes]:
    """All files below a directory by relative POSIX path, in order of names; links count as what they point at.

    `without` names a directory right in it that is passed over.

    Raises:
        StorageError: something there cannot be read.
    """
    with storage("read", path):
        found = sorted(child.relative_to(path).as_posix() for child in path.rglob("*") if child.is_file())
        found = [name for name in found if without is None or not name.startswith(f"{without}/")]
        return {name: (path / name).read_bytes() for name in found}


def names(path: Path) -> tuple[str, ...]:
    """Names of the whole entries of a directory, sorted; empty when there is no such directory.

    Raises:
        StorageError: it cannot be listed.
    """
    with storage("list", path):
        if not path.is_dir():
            return ()
        return tuple(sorted(child.name for child in path.iterdir() if not child.name.startswith(".")))


def two_floors_below(path: Path, prefix: str) -> tuple[Path, ...]:
    """What stands two floors below a directory and has a name that begins so, sorted.

    Raises:
        StorageError: it cannot be listed.
    """
    with storage("list", path):
        return tuple(sorted(path.glob(f"*/*/{prefix}*")))


def sweep(path: Path) -> int:
    """Remove what killed runs left right in a directory; returns how many things. The caller holds the lock.

    Raises:
        StorageError: something cannot be removed.
    """
    with storage("clean", path):
        leftovers = sorted(path.glob(f"{TEMPORARY}*")) if path.is_dir() else []
        for leftover in leftovers:
            _remove(leftover)
        return len(leftovers)


def remove_empty(*directories: Path) -> None:
    """Remove each of these directories in turn that is there and holds nothing.

    Raises:
        StorageError: it cannot be removed.
    """
    for path in directories:
        with storage("remove", path):
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()


def remove_tree(path: Path) -> None:
    """Remove a directory with all that is in it, if it is there.

    Raises:
        StorageError: it cannot be removed.
    """
    with storage("remove", path):
        _remove(path)


def _fill(path: Path, files: Files) -> None:
    for name in sorted(files):
        target = path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        write_synced(target, files[name])


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
