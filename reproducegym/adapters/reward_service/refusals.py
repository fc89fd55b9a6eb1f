"""Requests that are refused, each with its status and a code that clients go by."""

__all__ = ["RefusedRequestError"]


class RefusedRequestError(Exception):
    """A request is not taken.

    | status | codes |
    | --- | --- |
    | 400 | `bad_request`, `bad_archive`, `refused_file` |
    | 401 | `unauthorized` |
    | 404 | `unknown_task`, `unknown_verification` |
    | 409 | `key_reused`, `quarantined` |
    | 411, 413, 415 | `too_large`, `unknown_form` |
    | 429 | `queue_full` |
    | 503 | `engine_away`, `storage_away` |

    `retry_after_s` says when it may be tried again, for 429 and 503.
    """

    def __init__(self, status: int, code: str, message: str, retry_after_s: int | None = None) -> None:
        super().__init__(message)
        self.status, self.code, self.retry_after_s = status, code, retry_after_s
