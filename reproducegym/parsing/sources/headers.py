"""What the headers of an HTTP answer say: the kind of file, its name, how to resume, how long to wait."""

import re
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime

import httpx

__all__ = ["file_name", "media_type", "resumes_at", "retry_after", "validator"]

_RANGE = re.compile(r"bytes (\d{1,15})-\d{1,15}/(?:\d{1,15}|\*)")


def media_type(answer: httpx.Response) -> str:
    """Like `application/pdf`, in lower case; empty when the server says nothing."""
    return str(answer.headers.get("content-type", "")).split(";")[0].strip().lower()


def file_name(answer: httpx.Response) -> str:
    """The name that the server gives the file; maybe empty."""
    message = Message()
    message["content-disposition"] = answer.headers.get("content-disposition", "")
    return message.get_filename("")


def validator(answer: httpx.Response) -> str | None:
    """What names exactly this version of the file, for `If-Range`; None when the file cannot be resumed safely."""
    tag = str(answer.headers.get("etag", ""))
    if tag.startswith('"'):  # a weak one (W/"…") does not promise the same bytes
        return tag
    return str(answer.headers.get("last-modified", "")) or None


def resumes_at(answer: httpx.Response) -> int:
    """At which byte of the file the body begins: 0 but for an answer to a `Range`; -1 where that is not said."""
    if answer.status_code != httpx.codes.PARTIAL_CONTENT:
        return 0
    match = _RANGE.fullmatch(answer.headers.get("content-range", "").strip())
    return int(match[1]) if match else -1


def retry_after(answer: httpx.Response) -> float | None:
    """How many seconds the server asks us to wait (given as a number or as a date); None when it does not say."""
    text = answer.headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}", text):
        return float(text)
    try:
        until = parsedate_to_datetime(text)
        sent = parsedate_to_datetime(answer.headers["date"]) if "date" in answer.headers else datetime.now(UTC)
        return max((until - sent).total_seconds(), 0.0)
    except (ValueError, TypeError):
        return None
