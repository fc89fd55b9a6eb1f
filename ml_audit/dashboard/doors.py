"""Who may ask what: names of this server, pages of this server, and a token for audits."""

import hmac
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from ml_audit.dashboard.faults import ForbiddenRequestError, MisuseError, TokenNeededError

__all__ = ["HEADERS", "LONGEST_BODY", "Door", "is_loopback"]

LONGEST_BODY = 16_000
"""Bytes of a request."""

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True, slots=True)
class Door:
    """The names by which this server is asked (addresses aside), and the token that audits need, if any."""

    names: frozenset[str]
    token: str | None = field(default=None, repr=False)

    def check(self, method: str, headers: Mapping[str, str]) -> None:
        """Refuse names that are not ours (a page elsewhere may point its own at us) and what other sites send.

        Raises:
            ForbiddenRequestError: it comes from elsewhere.
            MisuseError: its body is too long, or of no known length.
        """
        host = headers.get("host", "")
        name = _name(f"//{host}")
        if name not in self.names and not _is_address(name):
            raise ForbiddenRequestError(
                f"this dashboard is not called {name[:80]!r}; start it with --name for that name"
            )
        if method in ("GET", "HEAD"):
            return
        origin = headers.get("origin")
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none") or (
            origin is not None and urlsplit(origin).netloc.lower() != host.lower()
        ):
            raise ForbiddenRequestError("audits are asked for on pages of this dashboard, not of other sites")
        length = headers.get("content-length", "")
        if not length.isdecimal() or int(length[:12]) > LONGEST_BODY:
            raise MisuseError(f"the request has no length, or is over {LONGEST_BODY:,} bytes")

    def admit(self, given: str) -> None:
        """Take a token, or any text where none is needed.

        Raises:
            TokenNeededError: it is not the token.
        """
        if self.token is not None and not hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode()):
            told = "this is not the token of this dashboard" if given else "audits need the token of this dashboard"
            raise TokenNeededError(told)


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a host."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _name(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""
