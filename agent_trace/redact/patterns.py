"""The forms of secrets that nobody told us: keys of well-known services, bearer tokens, cookies, private hosts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["LONGEST", "PATTERNS", "Pattern"]

LONGEST = 4096
"""Bytes of the longest match; of what is longer the rest stays."""

_QUOTE = rb"""(?:\\{0,8}["'])?"""
_PEM = rb"[A-Za-z0-9+/=\s\\:,-]"
_ASSIGNED = _QUOTE + rb" {0,4}[:=] {0,4}" + _QUOTE + rb"(?!\[redacted:)"


@dataclass(frozen=True)
class Pattern:
    """One form. It is tried only where one of its `signs` (lower case) is in the data; group 1 is what goes."""

    name: str
    signs: tuple[bytes, ...]
    form: re.Pattern[bytes]

    def matches(self, data: bytes, lower: bytes) -> Iterator[tuple[int, int]]:
        """Start and end of each secret in the data; `lower` is the data in lower case."""
        if any(sign in lower for sign in self.signs):
            for found in self.form.finditer(data):
                yield found.span(1)


def _pattern(name: str, signs: str, form: bytes) -> Pattern:
    return Pattern(name, tuple(sign.encode() for sign in signs.split()), re.compile(form))


def _word(name: str, head: str, rest: bytes) -> Pattern:
    """What begins with `head` as a word of its own, or after an escape, which a letter or hex digit ends.

    The head stands first, so that the search for it is quick; what is before it is looked at then.
    """
    plain = re.escape(head.encode())
    alone = rb"(?:(?<![A-Za-z0-9_-]%b)|(?<=\\[nrtbf]%b)|(?<=\\u[0-9a-fA-F]{4}%b))" % (plain, plain, plain)
    return Pattern(name, (head.lower().encode(),), re.compile(rb"(" + plain + alone + rest + rb")"))


def _address(head: str, rest: bytes) -> Pattern:
    """A private address that begins so."""
    plain = re.escape(head.encode())
    form = rb"(" + plain + rb"(?<![0-9.]" + plain + rb")" + rest + rb")(?![0-9]|\.[0-9])"
    return Pattern("private-host", (head.encode(),), re.compile(form))


PATTERNS = (
    _word("key", "sk-", rb"(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{20,512}"),
    *(_word("key", f"gh{one}_", rb"[A-Za-z0-9_]{20,255}") for one in "pousr"),
    _word("key", "github_pat_", rb"[A-Za-z0-9_]{20,255}"),
    _word("key", "glpat-", rb"[A-Za-z0-9_-]{20,255}"),
    _word("key", "hf_", rb"[A-Za-z0-9]{20,255}"),
    _word("key", "AKIA", rb"[0-9A-Z]{16}(?![0-9A-Z])"),
    _word("key", "ASIA", rb"[0-9A-Z]{16}(?![0-9A-Z])"),
    _word("key", "AIza", rb"[A-Za-z0-9_-]{35}"),
    _word("key", "xox", rb"[abeoprs]-[A-Za-z0-9-]{10,255}"),
    *(_word("key", head, rb"[A-Za-z0-9_-]{24,512}") for head in ("gsk_", "xai-", "r8_", "pypi-", "npm_")),
    _word("token", "eyJ", rb"[\w-]{10,1500}\.eyJ[\w-]{10,1500}\.[\w-]{0,1000}"),
    _pattern(
        "private-key",
        "-----begin",
        rb"(-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----" + _PEM + rb"{0,3500}?"
        rb"(?:-----END [A-Z ]{0,20}PRIVATE KEY-----|(?!" + _PEM + rb")))",
    ),
    _pattern("token", "bearer basic", rb"(?i:bearer|basic) {1,4}([A-Za-z0-9._~+/=-]{16,2048})"),
    _pattern(
        "key",
        "apikey api-key api_key auth-token access-token",
        rb"(?i:api[-_]?key|auth-token|access-token)" + _ASSIGNED + rb"([A-Za-z0-9._~+/=-]{16,1024})",
    ),
    _pattern(
        "secret",
        "_key _token secret password",
        rb"(?:API_KEY|ACCESS_KEY|_TOKEN|SECRET|PASSWORD)" + _ASSIGNED + rb"([A-Za-z0-9._~+/=!@#%^&*-]{8,1024})",
    ),
    _pattern(
        "cookie",
        "cookie",
        rb"(?i:cookie)" + _QUOTE + rb" {0,4}: {0,4}" + _QUOTE + rb"""([^\s"'\\=;]{1,256}=[^\r\n"\\]{1,3000})""",
    ),
    _pattern("password", "://", rb"""://[^\s/:@"'\\]{1,128}:([^\s/:@"'\\]{1,256})@"""),
    _address("10.", rb"[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}"),
    _address("192.168.", rb"[0-9]{1,3}\.[0-9]{1,3}"),
    _address("172.", rb"(?:1[6-9]|2[0-9]|3[01])\.[0-9]{1,3}\.[0-9]{1,3}"),
    _pattern(
        "private-host",
        ".internal .corp .intranet .lan .local",
        rb"(?:://|@)((?:[A-Za-z0-9-]{1,63}\.){1,6}(?:internal|corp|intranet|lan|local))(?![A-Za-z0-9-])",
    ),
)
"""All forms. Each match is at most LONGEST bytes, so that a stream needs to look back no further."""
