"""Reads an asset as a tree of plain files, and takes the digest by which a task knows it again."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from reproducegym.errors import AssetError
from reproducegym.pipeline.judging.transfer import RefusedFileError, check_name
from reproducegym.schema.asset import Asset

__all__ = ["asset_files", "check_assets", "tree_digest"]

_MOST = 1_000_000


def asset_files(name: str, root: Path) -> dict[str, Path]:
    """Every file of an asset by its name below it, in order; of one that is a single file this one, by its own name.

    Raises:
        AssetError: it is not there, cannot be read, is empty, or holds a link, a device or a name that cannot travel.
    """
    try:
        if root.is_file():
            found = {root.resolve().name: root.resolve()}
        elif root.is_dir():
            found = _below(name, root.resolve())
        else:
            raise AssetError(f"asset {name}: there is no file or directory {root}; name it with --asset {name}=PATH")
    except OSError as error:
        raise _unreadable(name, error, root) from error
    if not found:
        raise AssetError(f"asset {name}: {root} holds no file")
    for inside in found:
        try:
            check_name(inside)
        except RefusedFileError as error:
            raise AssetError(f"asset {name}: {root}: {error}; rename it") from error
    return dict(sorted(found.items()))


def _below(name: str, root: Path) -> dict[str, Path]:
    found: dict[str, Path] = {}
    waiting = [root]
    while waiting:
        for path in sorted(waiting.pop().iterdir()):
            if path.is_symlink() or not (path.is_file() or path.is_dir()):
                raise AssetError(f"asset {name}: {path} is a link or a device; only plain files can be mounted")
            if path.is_dir():
                waiting.append(path)
            else:
                found[path.relative_to(root).as_posix()] = path
            if len(found) > _MOST:
                raise AssetError(f"asset {name}: {root} holds more than {_MOST} files; pack them")
    return found


def tree_digest(name: str, files: Mapping[str, Path]) -> str:
    """sha256 over the names and the sha256 of each file, 64 hex digits; neither times nor permissions count.

    Raises:
        AssetError: a file cannot be read.
    """
    whole = hashlib.sha256()
    for inside in sorted(files):
        try:
            with files[inside].open("rb") as file:
                whole.update(f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {inside}\n".encode())
        except OSError as error:
            raise _unreadable(name, error, files[inside]) from error
    return whole.hexdigest()


def check_assets(needed: Sequence[Asset], places: Mapping[str, Path]) -> dict[str, dict[str, Path]]:
    """The files of every asset that a task needs, by asset and name; those that it does not need are left alone.

    Raises:
        AssetError: one is not given, is missing or cannot be read, or is not the one that the task names.
    """
    found: dict[str, dict[str, Path]] = {}
    for asset in needed:
        if asset.name not in places:
            raise AssetError(
                f"the task needs the asset {asset.name} ({asset.about}); say where it is: --asset {asset.name}=PATH"
            )
        place = places[asset.name]
        files = asset_files(asset.name, place)
        sha256 = tree_digest(asset.name, files)
        if sha256 != asset.sha256:
            raise AssetError(
                f"asset {asset.name}: {place} is not what the task was built with: its sha256 is {sha256[:16]}…, the "
                f"task names {asset.sha256[:16]}…; give that one, or build again with this one"
            )
        found[asset.name] = files
    return found


def _unreadable(name: str, error: OSError, place: Path) -> AssetError:
    where = error.filename or place
    return AssetError(f"asset {name}: {where} cannot be read: {error.strerror or error}; change its permissions")
