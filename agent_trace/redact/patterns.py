"""The forms of secrets that nobody told us: keys of well-known services, bearer tokens, cookies, private hosts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["LONGEST", "PATTERNS", "Pattern"]

LONGEST = 4096
"""Bytes of the longest match; of what is longer the rest stays."""

# Before a secret: a word of its own, or the end of an escape, which a letter or hex digit may be.
_START = rb"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrtbf])|(?<=\\u[0-9a-fA-F]{4}))"
_QUOTE = rb"""(?:\\{0,8}["'])?"""


@dataclass(frozen=True)
class Pattern:
    """One form. It is tried only where one of its `signs` is in the data; group 1 is what goes."""

    name: str
    signs: tuple[bytes, ...]
    form: re.Pattern[bytes]

    def matches(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Start and end of each secret in the data."""
        if any(sign in data for sign in self.signs):
            for found in self.form.finditer(data):
                yield found.span(1)


def _pattern(name: str, signs: str, form: bytes) -> Pattern:
    return Pattern(name, tuple(sign.encode() for sign in signs.split()), re.compile(form))


_PEM = rb"[A-Za-z0-9+/=\s\\:,-]"
_ASSIGNED = _QUOTE + rb" {0,4}[:=] {0,4}" + _QUOTE + rb"(?!\[redacted:)"

PATTERNS = (
    _pattern("key", "sk-", _START + rb"(sk-(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{20,512})"),
    _pattern("key", "ghp_ gho_ ghu_ ghs_ ghr_", _START + rb"(gh[pousr]_[A-Za-z0-9_]{20,255})"),
    _pattern("key", "github_pat_", _START + rb"(github_pat_[A-Za-z0-9_]{20,255})"),
    _pattern("key", "glpat-", _START + rb"(glpat-[A-Za-z0-9_-]{20,255})"),
    _pattern("key", "hf_", _START + rb"(hf_[A-Za-z0-9]{20,255})"),
    _pattern("key", "AKIA ASIA", _START + rb"(A[KS]IA[0-9A-Z]{16})(?![0-9A-Z])"),
    _pattern("key", "AIza", _START + rb"(AIza[A-Za-z0-9_-]{35})"),
    _pattern("key", "xox", _START + rb"(xox[abeoprs]-[A-Za-z0-9-]{10,255})"),
    _pattern("key", "gsk_ xai- r8_ pypi- npm_", _START + rb"((?:gsk_|xai-|r8_|pypi-|npm_)[A-Za-z0-9_-]{24,512})"),
    _pattern("token", "eyJ", _START + rb"(eyJ[\w-]{10,1500}\.eyJ[\w-]{10,1500}\.[\w-]{0,1000})"),
    _pattern(
        "private-key",
        "PRIVATE",
        rb"(-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----" + _PEM + rb"{0,3500}?"
        rb"(?:-----END [A-Z ]{0,20}PRIVATE KEY-----|(?!" + _PEM + rb")))",
    ),
    _pattern("token", "earer asic EARER", rb"(?i:bearer|basic) {1,4}([A-Za-z0-9._~+/=-]{16,2048})"),
    _pattern(
        "key",
        "-key -Key _key apikey apiKey -token -Token",
        rb"(?i:x-api-key|api[-_]?key|auth-token|access-token)" + _ASSIGNED + rb"([A-Za-z0-9._~+/=-]{16,1024})",
    ),
    _pattern(
        "secret",
        "API_KEY ACCESS_KEY _TOKEN SECRET PASSWORD",
        rb"(?:API_KEY|ACCESS_KEY|_TOKEN|SECRET|PASSWORD)" + _ASSIGNED + rb"([A-Za-z0-9._~+/=!@#%^&*-]{8,1024})",
    ),
    _pattern(
        "cookie",
        "ookie OOKIE",
        rb"(?i:cookie)" + _QUOTE + rb" {0,4}: {0,4}" + _QUOTE + rb"""([^\s"'\\=;]{1,256}=[^\r\n"\\]{1,3000})""",
    ),
    _pattern("password", "://", rb"""://[^\s/:@"'\\]{1,128}:([^\s/:@"'\\]{1,256})@"""),
    _pattern(
        "private-host",
        "10. 172. 192.168.",
        rb"(?<![0-9.])((?:10\.[0-9]{1,3}|192\.168|172\.(?:1[6-9]|2[0-9]|3[01]))\.[0-9]{1,3}\.[0-9]{1,3})"
        rb"(?![0-9]|\.[0-9])",
    ),
    _pattern(
        "private-host",
        ".internal .corp .intranet .lan .local",
        rb"(?:://|@)((?:[A-Za-z0-9-]{1,63}\.){1,6}(?:internal|corp|intranet|lan|local))(?![A-Za-z0-9-])",
    ),
)
"""All forms. Each match is at most LONGEST bytes, so that a stream needs to look back no further."""
