"""What a warehouse of artifacts holds: units of files, each unit as one archive."""

from typing import Annotated, Literal

from pydantic import Field

from reproducegym.schema.base import Frozen, Sha256

__all__ = ["ArtifactUnit", "StoredFile"]


class StoredFile(Frozen):
    """Content by its digest, and its size in bytes."""

    sha256: Sha256
    size: Annotated[int, Field(ge=0)]


class ArtifactUnit(Frozen):
    """A thing that is whole or not there: a built paper, an attempt, a batch. `files` are relative POSIX paths.

    `archive` is the gzipped tar of them, by whose digest it is found.
    """

    schema_version: Literal[1]
    name: str
    archive: StoredFile
    files: dict[str, StoredFile]
