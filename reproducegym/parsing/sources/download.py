"""Downloads one file over HTTP(S): bounded in size and time, resumed where it broke off, and polite to the server."""

import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import httpx
import tenacity

from reproducegym.errors import SourceUnreachableError, UnreadablePaperError
from reproducegym.parsing.sources.address import addressed, redirected
from reproducegym.parsing.sources.headers import file_name, media_type, resumes_at, retry_after, validator
from reproducegym.parsing.sources.manners import POLITE, Manners

__all__ = ["Download", "download"]

_MAX_REDIRECTS = 5
_AGAIN = frozenset({408, 429, 502, 503, 504})
_NO_PAPERS = ("image/", "video/", "audio/", "font/")
_ACCEPT = "application/pdf, text/markdown;q=0.9, */*;q=0.5"
_INFLATE_STEP = 1 << 20


@dataclass(frozen=True, slots=True)
class Download:
    """What came. `shown` is the address asked, without secrets; `address` the one that answered in the end.

    `kind` is the media type that the server says, and `file_name` the name that it gives the file, both maybe empty.
    """

    content: bytes
    kind: str
    shown: str
    address: str
    file_name: str


class _AgainError(Exception):
    """This attempt failed in a way that another one may not; `wait_s` is what the server asks for."""

    def __init__(self, reason: str, wait_s: float | None = None) -> None:
        super().__init__(reason)
        self.wait_s = wait_s


@dataclass(slots=True)
class _Partial:
    """What is there so far, as sent (maybe gzipped), and by what it is known to belong to the same file."""

    body: bytearray = field(default_factory=bytearray)
    validator: str | None = None

    def start_anew(self, known_by: str | None) -> None:
        self.body.clear()
        self.validator = known_by


def download(url: str, *, manners: Manners = POLITE) -> Download:
    """Fetch one file, whatever it is.

    Raises:
        MisuseError: it is not an http or https URL.
        SourceUnreachableError: no answer in time, an error status, a bad redirect, too large, or never complete.
        UnreadablePaperError: it is sent in a way that cannot be read.
    """
    shown = addressed(url)
    partial = _Partial()
    ends = time.monotonic() + manners.total_s
    timeout = httpx.Timeout(manners.read_s, connect=manners.connect_s)
    retrying = tenacity.Retrying(
        retry=tenacity.retry_if_exception_type(_AgainError),
        stop=tenacity.stop_after_attempt(manners.attempts),
        wait=lambda state: _wait(state, manners),
        sleep=manners.sleep,
        before_sleep=lambda state: _tell(state, shown, manners),
        reraise=True,
    )
    try:
        with httpx.Client(follow_redirects=False, timeout=timeout) as client:
            return retrying(_attempt, client, url, shown, partial, manners, ends)
    except _AgainError as error:
        raise SourceUnreachableError(f"{shown} {error}; check the address and the network, or try later") from error


def _wait(state: tenacity.RetryCallState, manners: Manners) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked = error.wait_s if isinstance(error, _AgainError) else None
    return asked if asked is not None else manners.first_wait_s * 2.0 ** (state.attempt_number - 1)


def _tell(state: tenacity.RetryCallState, shown: str, manners: Manners) -> None:
    error = state.outcome.exception() if state.outcome else None
    manners.tell(f"{shown} {error}; trying again in {state.upcoming_sleep:.0f} s")


def _attempt(client: httpx.Client, url: str, shown: str, partial: _Partial, manners: Manners, ends: float) -> Download:
    """One request, redirects followed, which goes on where the last one broke off if the server allows it."""
    if time.monotonic() > ends:
        raise SourceUnreachableError(f"{shown} did not arrive within {manners.total_s:.0f} s; try again later")
    headers = {"Accept": _ACCEPT, "Accept-Encoding": "identity"}
    if partial.body and partial.validator is not None:
        headers |= {"Range": f"bytes={len(partial.body)}-", "If-Range": partial.validator}
    with _network_errors(shown):
        answer = _answer(client, client.build_request("GET", url, headers=headers), shown)
        try:
            _refuse_status(answer, shown, partial, manners)
            if resumes_at(answer) != len(partial.body) or not partial.body:
                if answer.status_code == httpx.codes.PARTIAL_CONTENT:
                    partial.start_anew(None)
                    raise _AgainError("sent another part than was asked for")
                partial.start_anew(validator(answer))
            _receive(answer, shown, partial, manners, ends)
        finally:
            answer.close()
    content = _decoded(bytes(partial.body), answer.headers.get("content-encoding", ""), shown, manners.max_bytes)
    return Download(content, media_type(answer), shown, str(answer.url), file_name(answer))


@contextmanager
def _network_errors(shown: str) -> Iterator[None]:
    """Failures of the network as attempts that may be repeated; those of the address as final ones."""
    try:
        yield
    except httpx.TimeoutException as error:
        raise _AgainError("did not answer in time") from error
    except httpx.RemoteProtocolError as error:
        raise _AgainError(f"broke off ({_line(error)})") from error
    except (httpx.NetworkError, httpx.ProxyError) as error:
        raise _AgainError(f"cannot be reached ({_line(error)})") from error
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
        raise SourceUnreachableError(f"{shown} cannot be reached ({_line(error)}); check the address") from error


def _answer(client: httpx.Client, request: httpx.Request, shown: str) -> httpx.Response:
    """The answer at the end of all redirects, its body not yet read."""
    for _ in range(_MAX_REDIRECTS + 1):
        answer = client.send(request, stream=True)
        if not answer.has_redirect_location:
            return answer
        following = answer.next_request
        answer.close()
        request = redirected(answer, following, shown)
    raise SourceUnreachableError(f"{shown} redirects more than {_MAX_REDIRECTS} times; give the final address")


def _refuse_status(answer: httpx.Response, shown: str, partial: _Partial, manners: Manners) -> None:
    status = f"answered {answer.status_code} {answer.reason_phrase}".rstrip()
    if answer.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE and partial.body:
        partial.start_anew(None)
        raise _AgainError(status)
    if answer.status_code in _AGAIN:
        asked = retry_after(answer)
        if asked is not None and asked > manners.longest_wait_s:
            raise SourceUnreachableError(f"{shown} {status} and asks to wait {asked:.0f} s; try again then")
        raise _AgainError(status, asked)
    if answer.status_code not in (httpx.codes.OK, httpx.codes.PARTIAL_CONTENT):
        raise SourceUnreachableError(f"{shown} {status}; check the address")
    if media_type(answer).startswith(_NO_PAPERS):
        raise UnreadablePaperError(f"{shown} is {media_type(answer)}, not a paper; give the address of the PDF itself")


def _receive(answer: httpx.Response, shown: str, partial: _Partial, manners: Manners, ends: float) -> None:
    declared = answer.headers.get("content-length", "")
    if declared.isdigit() and len(partial.body) + int(declared) > manners.max_bytes:
        raise _too_large(shown, manners.max_bytes)
    for chunk in answer.iter_raw():
        partial.body += chunk
        if len(partial.body) > manners.max_bytes:
            raise _too_large(shown, manners.max_bytes)
        if time.monotonic() > ends:
            raise SourceUnreachableError(f"{shown} did not arrive within {manners.total_s:.0f} s; try again later")


def _decoded(body: bytes, encoding: str, shown: str, limit: int) -> bytes:
    """The file itself; we ask for it as it is, but some servers pack it all the same."""
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return body
    if name not in ("gzip", "x-gzip", "deflate"):
        raise UnreadablePaperError(
            f"{shown} is sent packed as {name[:40]}, which was not asked for; download it by hand"
        )
    inflate = zlib.decompressobj(wbits=47 if name != "deflate" else zlib.MAX_WBITS)
    out = bytearray()
    try:
        while body and not inflate.eof:
            out += inflate.decompress(body, _INFLATE_STEP)
            body = inflate.unconsumed_tail
            if len(out) > limit:
                raise _too_large(shown, limit)
    except zlib.error as error:
        raise UnreadablePaperError(f"{shown} is sent packed and damaged ({error}); download it by hand") from error
    if not inflate.eof:
        raise UnreadablePaperError(f"{shown} is sent packed and its end is missing; download it by hand")
    return bytes(out)


def _too_large(shown: str, limit: int) -> SourceUnreachableError:
    return SourceUnreachableError(f"{shown} is larger than the limit of {limit} bytes; is it a paper?")


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
