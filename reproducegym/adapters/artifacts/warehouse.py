"""A warehouse: archives under their digests, and units that name them, each put in place by one write at the end."""

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, BinaryIO, cast
from urllib.parse import urlsplit

from reproducegym.errors import InfrastructureError, MisuseError, NotFoundError, StorageError, TamperedError
from reproducegym.pipeline.judging.transfer import RefusedFileError, archive_of, read_archive
from reproducegym.ports import CopyLimits, Files
from reproducegym.schema.artifact import ArtifactUnit, StoredFile
from reproducegym.schema.base import digest
from reproducegym.schema.reading import read_json

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

__all__ = ["Warehouse"]


def _of_clients() -> tuple[tuple[type[Exception], ...], tuple[type[Exception], ...]]:
    """What clients of S3 and HTTP raise that is no OSError, where they are installed: refusals, and all failures."""
    try:
        from aiohttp import ClientError as HttpError
        from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError
    except ImportError:
        return (), ()
    return (NoCredentialsError,), (BotoCoreError, ClientError, HttpError)


_BUCKETS = frozenset({"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "oss"})
_UNITS, _CONTENTS = "units", "contents"
_OF_CLIENTS = _of_clients()
_REFUSALS: tuple[type[Exception], ...] = (PermissionError, FileNotFoundError, NotImplementedError, *_OF_CLIENTS[0])
_FAILURES: tuple[type[Exception], ...] = (OSError, *_OF_CLIENTS[1])
_INSIDE = "unit"
_ADVICE = "push the unit again from where it was made"


class Warehouse:
    """Units below an fsspec URL. A push that is killed leaves an archive that nothing names, and never half a unit.

    Raises:
        MisuseError: the URL names no kind of place that fsspec knows, or the extra `remote` is missing.
    """

    def __init__(self, url: str) -> None:
        self.url = _without_secrets(url)
        try:
            import fsspec
            from fsspec.core import url_to_fs
        except ImportError as error:
            raise MisuseError("artifacts need fsspec: pip install 'reproducegym[remote]'") from error
        if "://" not in url:
            said = self.url or repr("")
            raise MisuseError(f"{said} is no URL; name a place as file:///path, memory://name or s3://bucket/prefix")
        try:
            fsspec.get_filesystem_class(urlsplit(url).scheme)
            found: tuple[AbstractFileSystem, str] = url_to_fs(url)
        except (ImportError, ValueError) as error:
            raise MisuseError(f"{self.url}: {_line(error)}") from error
        self._files, root = found
        self._root = root.rstrip("/")
        self._has_buckets = urlsplit(url).scheme in _BUCKETS
        if self._has_buckets and not self._bucket:
            raise MisuseError(f"{self.url} names no bucket; name a place as s3://bucket/prefix")

    def names(self, below: str = "") -> tuple[str, ...]:
        """Names of all units, in order; with `below` those of one paper.

        Raises:
            InfrastructureError: the place is out of reach.
            StorageError: there is no such bucket, or it may not be listed.
        """
        top = f"{self._root}/{_UNITS}"
        with self._reaching("list", f"{_UNITS}/{below}"):
            self._files.invalidate_cache()
            try:
                found = self._files.find(f"{top}/{below}".rstrip("/"))
            except FileNotFoundError:
                found = []
            if not found and self._has_buckets and not self._files.exists(self._bucket):
                raise FileNotFoundError(f"there is no bucket {self._bucket}")
        start = len(self._files._strip_protocol(top)) + 1
        ending = ".json"
        return tuple(sorted(path[start:].removesuffix(ending) for path in found if path.endswith(ending)))

    def unit(self, name: str) -> ArtifactUnit | None:
        """What a unit holds; None where there is none.

        Raises:
            InfrastructureError: the place is out of reach.
            SchemaError: what stands there is no unit, or of a newer version.
        """
        data = self._read(f"{_UNITS}/{name}.json")
        if data is None:
            return None
        return read_json(ArtifactUnit, data, f"{self.url}/{_UNITS}/{name}.json", advice=_ADVICE)

    def put(self, name: str, files: Files) -> int:
        """Keep a unit in place of one of this name; gives the bytes that were sent: what is there is not sent again.

        Raises:
            InfrastructureError, StorageError: the place is out of reach, or takes nothing.
        """
        told = {path: StoredFile(sha256=digest(data), size=len(data)) for path, data in sorted(files.items())}
        there = self.unit(name)
        if there is not None and there.files == told:
            return 0
        packed = _packed(files)
        archive = StoredFile(sha256=digest(packed), size=len(packed))
        if not self._has(_place(archive)):
            self._write(_place(archive), packed)
        unit = ArtifactUnit(schema_version=1, name=name, archive=archive, files=told)
        self._write(f"{_UNITS}/{name}.json", unit.to_json().encode())
        return archive.size

    def get(self, name: str) -> Files:
        """The files of a unit, each as it was put.

        Raises:
            NotFoundError: there is no such unit.
            TamperedError: its archive is missing or not what was put.
            InfrastructureError: the place is out of reach.
        """
        unit = self.unit(name)
        if unit is None:
            raise NotFoundError(f"{self.url} has no {name}")
        packed = self._read(_place(unit.archive))
        files = None if packed is None or digest(packed) != unit.archive.sha256 else _unpacked(packed, unit)
        if files is None or {path: digest(data) for path, data in files.items()} != _digests(unit):
            state = "missing" if packed is None else "damaged"
            raise TamperedError(f"{self.url}: what was put as {name} is {state}; {_ADVICE}")
        return files

    @property
    def _bucket(self) -> str:
        return self._root.partition("/")[0]

    def _has(self, place: str) -> bool:
        with self._reaching("look at", place):
            return bool(self._files.exists(f"{self._root}/{place}"))

    def _read(self, place: str) -> bytes | None:
        with self._reaching("read", place):
            try:
                data: bytes = self._files.cat_file(f"{self._root}/{place}")
            except FileNotFoundError:
                return None
            return data

    def _write(self, place: str, data: bytes) -> None:
        with self._reaching("write", place):
            path = f"{self._root}/{place}"
            if not self._has_buckets:  # in which there are no directories; to make one would make a bucket
                self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
            with self._files.transaction:
                self._files.pipe_file(path, data)

    @contextmanager
    def _reaching(self, verb: str, place: str) -> Iterator[None]:
        """Tell a failure of the place in one line."""
        try:
            yield
        except _REFUSALS as error:
            raise StorageError(f"cannot {verb} {self.url}/{place}: {_line(error)}") from error
        except _FAILURES as error:
            raise InfrastructureError(f"cannot {verb} {self.url}/{place}: {_line(error)}; try again") from error


def _place(archive: StoredFile) -> str:
    return f"{_CONTENTS}/{archive.sha256[:2]}/{archive.sha256}.tar.gz"


def _digests(unit: ArtifactUnit) -> dict[str, str]:
    return {path: stored.sha256 for path, stored in unit.files.items()}


def _packed(files: Files) -> bytes:
    """One archive, the same bytes for the same files."""
    inside = {f"{_INSIDE}/{path}": data for path, data in files.items()}
    return gzip.compress(archive_of(inside, executable=(), uid=0), mtime=0)


def _unpacked(packed: bytes, unit: ArtifactUnit) -> Files | None:
    """The files of an archive, no more than the unit says; None where it holds anything else."""
    size = sum(stored.size for stored in unit.files.values())
    entries = {path for name in unit.files for path in (name, *map(str, PurePosixPath(name).parents))}
    limits = CopyLimits(max_files=len(entries), max_bytes=size, max_file_bytes=size)
    try:
        with gzip.open(io.BytesIO(packed)) as stream:
            return read_archive(cast("BinaryIO", stream), limits, root=_INSIDE)
    except (RefusedFileError, InfrastructureError, EOFError, OSError, zlib.error):
        return None


def _line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def _without_secrets(url: str) -> str:
    """The URL without what stands before an @ in it, and without a slash at its end."""
    scheme, sep, rest = url.partition("://")
    place, slash, path = rest.partition("/")
    return f"{scheme}{sep}{place.rpartition('@')[2]}{slash}{path}".rstrip("/")
