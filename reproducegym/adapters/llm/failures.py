"""What a failed call means: try again, word it otherwise, go on without a reply, or give up with one clear line.

The text of an endpoint's error is shown redacted, and not at all where it speaks of the key; what is raised from here
has no cause attached, since the SDK's errors hold the request with its headers.
"""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from openai import APIConnectionError, APIStatusError, APITimeoutError, OpenAIError

from reproducegym.adapters.llm.endpoint import Endpoint
from reproducegym.adapters.llm.exchange import AgainError
from reproducegym.adapters.llm.streaming import BrokenStreamError
from reproducegym.errors import ModelUnavailableError
from reproducegym.ports import Unanswered

__all__ = ["asked_wait", "failure", "is_about_length", "words_of"]

_AGAIN = frozenset({408, 409, 425, 429})
_REFUSED_KEY = frozenset({401, 403})
_ABOUT_THE_QUESTION = frozenset({400, 413, 422})
_TOO_LONG = ("context_length", "context length", "maximum context", "too many tokens", "prompt is too long")
_FILTERED = ("content_filter", "content_policy", "content management policy")
_NO_QUOTA = "insufficient_quota"
_SHOWN = 300


def failure(
    error: OpenAIError | BrokenStreamError, endpoint: Endpoint, model: str, *, streaming: bool
) -> AgainError | ModelUnavailableError | Unanswered:
    """What a failed call means; `streaming` says that its reply had begun."""
    if isinstance(error, APIStatusError):
        return _status(error, endpoint, model)
    if isinstance(error, BrokenStreamError):
        return AgainError(str(error), charged=True)
    if isinstance(error, APITimeoutError):
        return AgainError("stalled" if streaming else "did not answer in time", charged=streaming)
    if isinstance(error, APIConnectionError):
        cause = endpoint.redacted(str(error.__cause__ or ""))[:_SHOWN]
        unreached = f"cannot be reached ({cause})" if cause else "cannot be reached"
        return AgainError("broke off" if streaming else unreached, charged=streaming)
    return AgainError(f"failed ({endpoint.redacted(str(error))[:_SHOWN]})", charged=streaming)


def _status(error: APIStatusError, endpoint: Endpoint, model: str) -> AgainError | ModelUnavailableError | Unanswered:
    status, host = error.status_code, endpoint.host
    said = endpoint.redacted(words_of(error))[:_SHOWN]
    if status in _REFUSED_KEY:
        return ModelUnavailableError(
            f"{host} refuses the key (status {status}); check OPENAI_API_KEY in {endpoint.source}"
        )
    if status == 404:
        return ModelUnavailableError(
            f"{host} knows no model {model!r}, or OPENAI_BASE_URL has a wrong path (status 404): {said}"
        )
    if status == 429 and _NO_QUOTA in f"{error.code} {said}":
        return ModelUnavailableError(f"{host} says that no quota is left (status 429); check the account")
    if status in _AGAIN or status >= 500:
        wait = asked_wait(error.response.headers)
        return AgainError(f"answered {status}: {said}", wait_s=wait, limited=status == 429)
    if 300 <= status < 400:
        return ModelUnavailableError(
            f"{host} redirects to another address (status {status}); set OPENAI_BASE_URL to the final one"
        )
    if status in _ABOUT_THE_QUESTION:
        words = f"{error.code} {said}".lower()
        if is_about_length(error):
            return Unanswered("too_long", f"{model} does not take a question of this length: {said}")
        if any(word in words for word in _FILTERED):
            return Unanswered("refused", f"{host} does not let the question through: {said}")
    return ModelUnavailableError(f"{host} does not take the request for {model} (status {status}): {said}")


def is_about_length(error: APIStatusError) -> bool:
    """Whether the endpoint says that question and reply together are longer than the model takes."""
    words = f"{error.code} {words_of(error)}".lower()
    return error.status_code == 413 or any(word in words for word in _TOO_LONG)


def words_of(error: APIStatusError) -> str:
    """The endpoint's own words, wherever in its answer they stand; not redacted."""
    match error.body:
        case {"message": str(message)}:
            return message
        case str(text):
            return text
        case None:
            return error.message
    return str(error.body)


def asked_wait(headers: Mapping[str, str]) -> float | None:
    """How many seconds the endpoint asks us to wait, as milliseconds, seconds or a date; None if it does not say."""
    for name, in_a_second in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            wait = float(headers[name]) / in_a_second
        except (KeyError, ValueError):
            continue
        if math.isfinite(wait):
            return max(wait, 0.0)
    try:
        until = parsedate_to_datetime(headers["retry-after"])
        sent = parsedate_to_datetime(headers["date"]) if "date" in headers else datetime.now(UTC)
        return max((until - sent).total_seconds(), 0.0)
    except (KeyError, ValueError, TypeError, OverflowError):
        return None
