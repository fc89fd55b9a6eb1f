"""What a gateway is told: where the models are, whose keys open them, and its limits."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from agent_trace.apis.usage import Price

__all__ = ["Limits", "Settings", "SettingsError", "Upstream", "Vendor", "upstream_from"]

Vendor = Literal["openai", "anthropic"]


class SettingsError(ValueError):
    """A setting does not do; the message says which, and what is wanted."""


@dataclass(frozen=True)
class Upstream:
    """An endpoint: `base_url` stands for the `/v1` of a request; the key goes there and nowhere else."""

    base_url: str
    key: str = field(repr=False)

    @property
    def host(self) -> str:
        return urlsplit(self.base_url).hostname or ""


@dataclass(frozen=True)
class Limits:
    """Bytes and seconds.

    `inline_bytes`: a larger body goes to a file beside the records; `request_bytes`: a larger request is refused;
    `drain_s`: how long the rest of a response is still read once its client has left; `silence_s`: how long an
    upstream may send nothing; `connections`: of clients, at once.
    """

    inline_bytes: int = 8 << 20
    request_bytes: int = 256 << 20
    connect_s: float = 10.0
    silence_s: float = 900.0
    drain_s: float = 10.0
    connections: int = 128


@dataclass(frozen=True)
class Settings:
    """`upstreams` by vendor; `secrets` are (name, value) to be kept out of records beside keys and tokens."""

    upstreams: Mapping[Vendor, Upstream]
    prices: Mapping[str, Price] = field(default_factory=dict)
    secrets: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    private_hosts: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)


def upstream_from(base_url: str, variable: str, environ: Mapping[str, str]) -> Upstream:
    """An upstream whose key stands in a variable of the environment.

    Raises:
        SettingsError: the address is no http(s) address, or the variable is not set.
    """
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query:
        raise SettingsError("an upstream's address must be http(s)://host[:port][/path] without user or query")
    key = environ.get(variable, "").strip()
    if not key:
        raise SettingsError(f"{variable} is not set: it must hold the key for {parts.hostname}")
    if not key.isascii() or not key.isprintable():
        raise SettingsError(f"{variable} holds characters that no key has")
    return Upstream(base_url.rstrip("/"), key)
