"""What can go wrong between us and GitHub: one exit code for each, and none of the server's words."""

from ml_audit.repository import SourceError

__all__ = [
    "ArchiveError",
    "BlockedError",
    "EmptyRepositoryError",
    "ForbiddenError",
    "MisnamedError",
    "NotFoundError",
    "RateLimitError",
    "StrangeAnswerError",
    "TokenError",
    "UnreachableError",
]


class MisnamedError(SourceError):
    """An address, a ref or a token that cannot be one."""

    exit_code = 2


class NotFoundError(SourceError):
    """No such repository or commit, or not for this token."""

    exit_code = 5


class TokenError(SourceError):
    """The token is not accepted (401)."""

    exit_code = 6


class ForbiddenError(SourceError):
    """Not allowed, and not for a limit of requests (403)."""

    exit_code = 7


class RateLimitError(SourceError):
    """Too many requests, and the wait is longer than allowed."""

    exit_code = 8


class UnreachableError(SourceError):
    """The server cannot be reached, is too slow, or fails again and again (5xx)."""

    exit_code = 9


class EmptyRepositoryError(SourceError):
    """The repository has no commit or no files."""

    exit_code = 10


class BlockedError(SourceError):
    """Taken down for legal reasons (451)."""

    exit_code = 11


class ArchiveError(SourceError):
    """The archive is none, holds nothing that can be read, or is made to burst."""

    exit_code = 12


class StrangeAnswerError(SourceError):
    """The server does not speak this API, or sends us elsewhere."""

    exit_code = 13
