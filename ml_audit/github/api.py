"""Asks the API: few requests, bounded answers, the token for its host alone, and no word of the server repeated."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import BinaryIO
from urllib.parse import urljoin, urlsplit

import httpx

from ml_audit.github.cache import Cache, Kept
from ml_audit.github.faults import (
    BlockedError,
    ForbiddenError,
    NotFoundError,
    RateLimitError,
    StrangeAnswerError,
    TokenError,
    UnreachableError,
)
from ml_audit.github.limits import Patience, free_again, utc
from ml_audit.github.token import Token

__all__ = ["Answer", "Api", "conversing"]

MOST_REQUESTS = 5
"""Requests for one repository, repeats after failures of the server aside."""

MOST_BODY = 4_000_000
"""Bytes of one answer that is no archive."""

LONGEST_S = 900.0
"""Seconds for one archive."""

_MOVED = (301, 302, 303, 307, 308)
_LOGGERS = ("httpx", "httpcore.connection", "httpcore.http11", "httpcore.http2", "httpcore.proxy")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer; `broken` says that the connection ended early, `capped` that we stopped."""

    url: str
    status: int
    headers: httpx.Headers
    body: bytes = b""
    broken: bool = False
    capped: bool = False


@dataclass(slots=True)
class Api:
    """One conversation with the API at `base`. Use it inside `conversing`."""

    base: str
    client: httpx.Client
    cache: Cache
    patience: Patience
    token: Token | None = None
    asked: list[str] = field(default_factory=list)

    @property
    def host(self) -> str:
        """The host of the API, for messages."""
        return urlsplit(self.base).netloc

    def text(self, path: str, accept: str, what: str, accepted: tuple[int, ...] = ()) -> Answer:
        """The answer of a path, redirects to the same host followed, from the cache where it has not changed.

        `what` names it in messages; statuses in `accepted` are handed back, other failures are raised.

        Raises:
            SourceError: one of the faults of this package.
        """
        url = f"{self.base}/{path}"
        while True:
            kept = self.cache.known(url)
            answer = self._asked(url, accept, what, None if kept is None else kept.etag)
            if answer.status in _MOVED:
                url = self._target(answer, what)
                if _origin(url) != _origin(self.base):
                    raise StrangeAnswerError(f"{what}: {self.host} sends us to another host; not followed")
                continue
            if answer.status == 304 and kept is not None:
                return Answer(url, 200, answer.headers, kept.body.encode())
            if answer.status in accepted:
                return answer
            self._refuse(answer, what)
            if answer.broken or answer.capped:
                raise StrangeAnswerError(f"{what}: the answer of {self.host} is cut or too long")
            if (etag := answer.headers.get("etag")) and etag.isascii():
                self.cache.keep(Kept(url=url, etag=etag, body=answer.body.decode("utf-8", "replace")))
            return answer

    def download(self, path: str, what: str, into: BinaryIO, most: int) -> Answer:
        """An archive into a file, at most `most` bytes of it, from where the API says that it is.

        Raises:
            SourceError: one of the faults of this package.
        """
        url = f"{self.base}/{path}"
        for hop in range(2):
            answer = self._asked(url, "application/vnd.github+json", what, None, into, most)
            if answer.status not in _MOVED:
                break
            target = self._target(answer, what)
            if hop and _origin(target) != _origin(url):
                raise StrangeAnswerError(f"{what}: the archive's host sends us to another host; not followed")
            url = target
        self._refuse(answer, what)
        return answer

    def _target(self, answer: Answer, what: str) -> str:
        """Where a redirect leads: never from https to http, never with a name and password."""
        try:
            target: str = urljoin(answer.url, str(answer.headers.get("location", "")))
            parts = urlsplit(target)
            fits = (
                bool(parts.hostname)
                and parts.port != 0
                and parts.scheme in ("https", urlsplit(self.base).scheme)
                and "@" not in parts.netloc
            )
        except ValueError:
            fits = False
        if not fits or target == answer.url:
            raise StrangeAnswerError(f"{what}: {self.host} sends us to an address that is none of the web's")
        return target

    def _asked(
        self, url: str, accept: str, what: str, etag: str | None, into: BinaryIO | None = None, most: int = MOST_BODY
    ) -> Answer:
        """One request, tried again after failures of the server and after waits that are allowed."""
        if len(self.asked) >= MOST_REQUESTS:
            raise StrangeAnswerError(f"{what}: {self.host} sends us on and on; stopped after {MOST_REQUESTS} requests")
        self.asked.append(url)
        patience = self.patience
        for left in reversed(range(patience.tries)):
            pause = patience.first_pause_s * 2 ** (patience.tries - 1 - left)
            try:
                answer = self._once(url, accept, etag, into, most)
            except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
                if not left:
                    where = urlsplit(url).netloc
                    raise UnreachableError(f"{what}: {where} cannot be reached ({type(error).__name__})") from None
                patience.sleep(pause)
                continue
            free = free_again(answer.status, answer.headers, answer.body, patience.now())
            if free is not None:
                self._wait(free, what, left)
            elif left and (answer.status >= 500 or answer.broken):
                patience.sleep(pause)
            else:
                return answer
        raise AssertionError("the last try returns or raises")

    def _wait(self, free: float, what: str, left: int) -> None:
        wait = max(0.0, free - self.patience.now()) + 1
        if not left or wait > self.patience.longest_wait_s + 1:
            hint = "" if self.token else "; a token in GITHUB_TOKEN allows more"
            raise RateLimitError(
                f"{what}: too many requests to {self.host}; free again at {utc(free)} (--wait SECONDS waits){hint}"
            )
        self.patience.say(f"too many requests to {self.host}: waiting {wait:.0f} s, until {utc(free)}")
        self.patience.sleep(wait)

    def _once(self, url: str, accept: str, etag: str | None, into: BinaryIO | None, most: int) -> Answer:
        headers = {"accept": accept, "accept-encoding": "identity", "user-agent": "ml-audit"}
        if _origin(url) == _origin(self.base):
            headers["x-github-api-version"] = "2022-11-28"
            if self.token is not None:
                headers["authorization"] = f"Bearer {self.token.value}"
        if etag is not None:
            headers["if-none-match"] = etag
        ends = self.patience.now() + LONGEST_S
        body, got, broken, capped = bytearray(), 0, False, False
        if into is not None:
            into.seek(0)
            into.truncate()
        with self.client.stream("GET", url, headers=headers) as answer:
            whole = into if answer.status_code == 200 else None
            most = most if whole is not None else min(most, MOST_BODY)
            try:
                for block in answer.iter_raw():
                    room = most - got
                    got += len(block)
                    if whole is not None:
                        whole.write(block[:room])
                    else:
                        body += block[:room]
                    if capped := got > most or self.patience.now() > ends:
                        break
            except (httpx.RemoteProtocolError, httpx.ReadError, httpx.ReadTimeout):
                broken = True
            return Answer(url, answer.status_code, answer.headers, bytes(body), broken, capped)

    def _refuse(self, answer: Answer, what: str) -> None:
        status = answer.status
        if status == 200:
            return
        if status == 401:
            told = "set a valid one in the environment" if self.token else "set GITHUB_TOKEN"
            raise TokenError(f"{what}: {self.host} does not accept the token (401); {told}")
        if status == 403:
            told = "the token lacks the right to read it" if self.token else "set GITHUB_TOKEN, if it is private"
            raise ForbiddenError(f"{what}: {self.host} forbids it (403); {told}")
        if status in (404, 410):
            hint = "" if self.token else ", or it is private and needs GITHUB_TOKEN"
            raise NotFoundError(f"{what}: not found on {self.host}{hint}")
        if status == 451:
            raise BlockedError(f"{what}: taken down for legal reasons (451)")
        if status >= 500:
            raise UnreachableError(f"{what}: {self.host} fails ({status}), also when asked again; try later")
        raise StrangeAnswerError(f"{what}: {self.host} answers {status}, which this API does not")


@contextmanager
def conversing(base: str, token: Token | None, cache: Cache, patience: Patience) -> Iterator[Api]:
    """An `Api` with a client of its own; what the client would log (addresses with short-lived keys) is not."""

    def nothing(_: logging.LogRecord) -> bool:
        return False

    loggers = [logging.getLogger(name) for name in _LOGGERS]
    try:
        client = httpx.Client(follow_redirects=False, timeout=httpx.Timeout(30.0, connect=10.0))
    except (ImportError, ValueError, OSError) as error:  # a proxy or certificates that the environment names
        raise UnreachableError(
            f"the proxy or the certificates that the environment names cannot be used ({type(error).__name__})"
        ) from None
    for logger in loggers:
        logger.addFilter(nothing)
    try:
        with client:
            yield Api(base, client, cache, patience, token)
    finally:
        for logger in loggers:
            logger.removeFilter(nothing)


def _origin(url: str) -> tuple[str, str | None, int]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)
