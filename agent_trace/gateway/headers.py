"""Which headers pass, and where the token stands that the real key takes the place of."""

from collections.abc import Iterable, Iterator

from agent_trace.decoding import READABLE
from agent_trace.gateway.settings import Upstream, Vendor

__all__ = ["for_client", "for_upstream", "token_of"]

_HOP = frozenset(
    {
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
_CREDENTIALS = frozenset({"authorization", "x-api-key", "api-key", "cookie"})
_WHENCE = frozenset({"host", "forwarded", "via", "x-real-ip", "content-length", "expect", "accept-encoding"})
_OWNERS = frozenset({"set-cookie", "openai-organization", "openai-project", "anthropic-organization-id"})

Headers = Iterable[tuple[str, str]]


def token_of(headers: Headers) -> str | None:
    """The run's token: what a client was given for a key."""
    for name, value in headers:
        lower = name.lower()
        if lower in ("x-api-key", "api-key"):
            return value.strip()
        if lower == "authorization" and value[:7].lower() == "bearer ":
            return value[7:].strip()
    return None


def for_upstream(headers: Headers, vendor: Vendor, upstream: Upstream, token: str) -> Iterator[tuple[str, str]]:
    """The client's headers with the real key in place of the token; nothing that tells of the sandbox or the token."""
    accepted = "identity"
    told = list(headers)
    gone = _named_by_connection(told) | _HOP | _CREDENTIALS | _WHENCE
    for name, value in told:
        lower = name.lower()
        if lower == "accept-encoding":
            accepted = _readable(value)
        elif lower not in gone and not lower.startswith("x-forwarded-") and token not in value:
            yield name, value
    yield "Accept-Encoding", accepted
    if vendor == "anthropic":
        yield "x-api-key", upstream.key
    else:
        yield "Authorization", f"Bearer {upstream.key}"


def for_client(headers: Headers, key: str) -> Iterator[tuple[str, str]]:
    """The upstream's headers, without cookies, names of its account, and anything that tells the key."""
    told = list(headers)
    gone = _named_by_connection(told) | _HOP | _OWNERS
    for name, value in told:
        if name.lower() not in gone and key not in value:
            yield name, value


def _named_by_connection(headers: Headers) -> frozenset[str]:
    return frozenset(
        word.strip().lower() for name, value in headers if name.lower() == "connection" for word in value.split(",")
    )


def _readable(value: str) -> str:
    """What a client accepts of what a record can be made of."""
    asked = [one.strip() for one in value.split(",")]
    kept = [one for one in asked if one.split(";")[0].strip().lower() in READABLE]
    return ", ".join(kept) or "identity"
