"""The errors a user can meet, each with the exit code that the commands return for it.

| exit code | error | meaning |
| --- | --- | --- |
| 0 | | done |
| 1 | `ReproduceGymError` | refused or failed; the line says why |
| 2 | `MisuseError` | the command was called wrongly, or asks for an extra that is not installed |
| 3 | `UnreadablePaperError` | a paper is missing, empty, encrypted, truncated, image-only or not a paper |
| 4 | `NotFoundError` | unknown paper, claim, hash, task or attempt |
| 5 | `AmbiguousError` | the request fits several things; name one |
| 6 | `SchemaError` | a file on disk is from a newer schema or does not fit its schema |
| 7 | `TamperedError` | a task or a stored run differs from its digest |
| 8 | `StorageError` | disk full, no permission, or a path that cannot be written |
| 9 | `SandboxUnavailableError` | no sandbox backend works on this machine |
| 10 | `SourceUnreachableError` | a URL or arXiv id could not be fetched |
| 11 | `BusyError` | another process holds the lock |
| 12 | `InfrastructureError` | the engine failed under us; retry |
| 13 | `ModelUnavailableError` | no model is set up, or its endpoint is out of reach, refuses us or fails |
| 14 | `AssetError` | a data set or model that a task needs is missing, unreadable, or not the one that the task names |
| 15 | `HostModelError` | a host model has no sound card, fails, or does not reproduce the paper |
| 16 | `NodeError` | a node is out of reach, refuses us, is not the one that it should be, or has no room or GPU left |
"""

from typing import ClassVar

__all__ = [
    "AmbiguousError",
    "AssetError",
    "BusyError",
    "HostModelError",
    "InfrastructureError",
    "MisuseError",
    "ModelUnavailableError",
    "NodeError",
    "NotFoundError",
    "ReproduceGymError",
    "SandboxUnavailableError",
    "SchemaError",
    "SourceUnreachableError",
    "StorageError",
    "TamperedError",
    "UnreadablePaperError",
]


class ReproduceGymError(Exception):
    """Something a user can act on: the message is one line that says what, where, and what to do."""

    exit_code: ClassVar[int] = 1


class MisuseError(ReproduceGymError):
    """The command was called wrongly."""

    exit_code = 2


class UnreadablePaperError(ReproduceGymError):
    """A paper cannot be read: missing, empty, encrypted, truncated, image-only, or not a paper."""

    exit_code = 3


class NotFoundError(ReproduceGymError):
    """No such paper, claim, hash, task or attempt."""

    exit_code = 4


class AmbiguousError(ReproduceGymError):
    """The request fits several things."""

    exit_code = 5


class SchemaError(ReproduceGymError):
    """A file on disk does not fit its schema, or its schema is newer than this program."""

    exit_code = 6


class TamperedError(ReproduceGymError):
    """A task directory or stored run differs from its recorded digest."""

    exit_code = 7


class StorageError(ReproduceGymError):
    """The disk is full, or a path cannot be read or written."""

    exit_code = 8


class SandboxUnavailableError(ReproduceGymError):
    """No sandbox backend works on this machine."""

    exit_code = 9


class SourceUnreachableError(ReproduceGymError):
    """A URL or arXiv id could not be fetched."""

    exit_code = 10


class BusyError(ReproduceGymError):
    """Another process owns what we need."""

    exit_code = 11


class InfrastructureError(ReproduceGymError):
    """The sandbox engine failed under us: the work is unscored and may be retried."""

    exit_code = 12


class ModelUnavailableError(ReproduceGymError):
    """No language model is set up, or its endpoint is out of reach, refuses us, or fails again and again."""

    exit_code = 13


class AssetError(ReproduceGymError):
    """A data set or model is missing, unreadable, badly described, or not the one that a task names."""

    exit_code = 14


class HostModelError(ReproduceGymError):
    """A host model has no sound card, fails or writes no table, or does not reproduce what the paper prints."""

    exit_code = 15


class NodeError(ReproduceGymError):
    """A node is out of reach, refuses us, is not the one that it should be, or has no room or GPU left."""

    exit_code = 16
