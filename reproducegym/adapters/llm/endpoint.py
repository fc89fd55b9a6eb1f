"""Where a model is asked, and with which key: the key is in no repr and is taken out of every text that is shown."""

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

__all__ = ["Endpoint"]

_SHOWN = "[removed]"
_HEAD = 6
_TAIL = 4
_SECRET_FROM = 8
_LOOPBACK = re.compile(r"localhost|127(\.\d{1,3}){3}|::1")
_KEY_LIKE = re.compile(r"(?i)\bbearer\s+\S+|\bsk-[\w*.-]+")


@dataclass(frozen=True)
class Endpoint:
    """A base URL and its key. `source` says where they were set; `secrets` are further values never to be shown."""

    base_url: str
    key: str = field(repr=False)
    source: str
    secrets: tuple[str, ...] = field(default=(), repr=False)

    @property
    def host(self) -> str:
        """Host and port, as lines and summaries name the endpoint."""
        parts = urlsplit(self.base_url)
        return parts.netloc.rpartition("@")[2]

    @property
    def is_loopback(self) -> bool:
        """Whether it runs on this machine: then no proxy is asked, and a connection without encryption is no worry."""
        return _LOOPBACK.fullmatch(urlsplit(self.base_url).hostname or "") is not None

    def redacted(self, text: str) -> str:
        """The text in one line without the key, a masked form of it that keeps its beginning or end, or the like."""
        shown = " ".join(text.split())
        for secret in sorted({self.key, *self.secrets}, key=len, reverse=True):
            if secret:
                shown = _without(secret, shown)
        return _KEY_LIKE.sub(_SHOWN, shown)


def _without(secret: str, text: str) -> str:
    """Short ones, like `none` of an endpoint that wants no key, are no secret and only go as whole words."""
    if len(secret) < _SECRET_FROM:
        return re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", _SHOWN, text)
    head, tail = re.escape(secret[:_HEAD]), re.escape(secret[-_TAIL:])
    return re.sub(rf"\S*{head}\S*|\S*{tail}(?!\w)\S*", _SHOWN, text.replace(secret, _SHOWN))
