"""What goes wrong between a client and the server, each with its code and status."""

from typing import ClassVar

__all__ = [
    "BadJsonError",
    "BadRequestError",
    "BusyEpisodeError",
    "CapacityError",
    "EngineError",
    "FinishedEpisodeError",
    "ServedError",
    "TooLargeError",
    "UnknownEpisodeError",
    "UnknownTaskError",
]


class ServedError(Exception):
    """Told as `{"error": {"code": …, "message": …}}` with its HTTP status."""

    code: ClassVar[str]
    status: ClassVar[int]


class BadJsonError(ServedError):
    """The body is no JSON object, or one with a name twice."""

    code, status = "bad_json", 400


class BadRequestError(ServedError):
    """A field is missing or of the wrong type."""

    code, status = "bad_request", 422


class TooLargeError(ServedError):
    """The body has too many bytes."""

    code, status = "too_large", 413


class UnknownTaskError(ServedError):
    """There is no such task."""

    code, status = "unknown_task", 404


class UnknownEpisodeError(ServedError):
    """There is no such episode, or it was idle for too long."""

    code, status = "unknown_episode", 404


class FinishedEpisodeError(ServedError):
    """A step after the episode is done."""

    code, status = "episode_done", 409


class BusyEpisodeError(ServedError):
    """Another step of this episode is in progress, or it begins under an id that is in use."""

    code, status = "episode_busy", 409


class CapacityError(ServedError):
    """As many episodes are in progress as the server takes."""

    code, status = "capacity_reached", 429


class EngineError(ServedError):
    """The sandbox failed: the step was not taken and may be sent again."""

    code, status = "engine_failed", 503
