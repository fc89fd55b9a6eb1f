"""Names of repositories: `owner/name[@ref]` and web addresses; and where the API that serves them is."""

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

from ml_audit.github.faults import MisnamedError

__all__ = ["FULL_NAME", "Address", "address_in", "api_base", "is_ref", "web_base"]

PUBLIC_API = "https://api.github.com"
_OWNER = r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}"
_NAME = r"(?!\.{1,2}(?:@|$))[A-Za-z0-9._-]{1,100}"
FULL_NAME = re.compile(rf"{_OWNER}/{_NAME}")
_SHORT = re.compile(rf"(?P<owner>{_OWNER})/(?P<name>{_NAME})(?:@(?P<ref>.+))?", re.DOTALL)
_REF = re.compile(
    r"(?!.*(?:\.\.|//|@\{|/\.|\.lock$|[/.]$))[^\x00-\x20\x7f~^:?*\[\\/.-][^\x00-\x20\x7f~^:?*\[\\]{0,249}"
)
_PUBLIC_HOSTS = ("github.com", "www.github.com")


@dataclass(frozen=True, slots=True)
class Address:
    """A repository by owner and name; without a `ref` its default branch. `host` is that of its web address."""

    owner: str
    name: str
    ref: str | None = None
    host: str | None = None


def is_ref(text: str) -> bool:
    """Whether git takes it as a branch, a tag or a commit."""
    return _REF.fullmatch(text) is not None


def address_in(text: str) -> Address | None:
    """The repository that a text names; None where it is a path.

    Raises:
        MisnamedError: it is a web address, or has a ref, that names no repository.
    """
    if text.startswith(tuple(f"{host}/" for host in _PUBLIC_HOSTS)):
        text = f"https://{text}"
    if "://" in text:
        return _of_url(_split(text))
    found = _SHORT.fullmatch(text)
    if found is None:
        return None
    return Address(found["owner"], found["name"].removesuffix(".git"), _checked(found["ref"]))


def api_base(api_url: str | None, address: Address, *, secret: bool) -> str:
    """Where to ask, without a slash at the end; `secret` says that a token goes there.

    Raises:
        MisnamedError: the API is none, is not that of the repository, or would get a token unencrypted.
    """
    if api_url is None:
        if address.host not in (None, *_PUBLIC_HOSTS):
            raise MisnamedError(
                f"{address.host}: not github.com; name its API: --api-url https://{address.host}/api/v3"
            )
        return PUBLIC_API
    parts = _split(api_url)
    if parts.query or parts.fragment:
        raise MisnamedError("--api-url has a query; give the base alone, such as https://github.example/api/v3")
    if secret and parts.scheme == "http" and not _loopback(parts.hostname or ""):
        raise MisnamedError(f"--api-url: a token is not sent to {parts.hostname} without https")
    if address.host not in (None, parts.netloc.lower(), parts.netloc.lower().removeprefix("api.")):
        raise MisnamedError(f"{address.host}: --api-url names the API of {parts.netloc}; name a repository there")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def web_base(api: str) -> str:
    """Where people see what an API serves: without `api.` or `/api/v3`."""
    parts = urlsplit(api)
    return f"{parts.scheme}://{parts.netloc.removeprefix('api.')}{parts.path.removesuffix('/api/v3')}"


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        raise MisnamedError("a web address cannot be read; write https://HOST/OWNER/NAME") from None
    if parts.username is not None or parts.password is not None:
        raise MisnamedError("a web address holds a name or password; set a token in the environment instead")
    if not usable or any(ord(c) <= 32 for c in url):
        raise MisnamedError("a web address begins with http:// or https:// and a host; write https://HOST/OWNER/NAME")
    return parts


def _of_url(parts: SplitResult) -> Address:
    steps = [unquote(step) for step in parts.path.strip("/").split("/")]
    full = "/".join(steps[:2])
    kind, ref = steps[2:3], "/".join(steps[3:])
    fits = not kind or (kind[0] in ("tree", "commit") and ref)
    if FULL_NAME.fullmatch(full) is None or not fits or parts.query:
        raise MisnamedError(f"{parts.netloc}: names no repository; write https://{parts.netloc}/OWNER/NAME[/tree/REF]")
    owner, name = full.split("/")
    return Address(owner, name.removesuffix(".git"), _checked(ref or None), parts.netloc.lower())


def _checked(ref: str | None) -> str | None:
    if ref is not None and not is_ref(ref):
        raise MisnamedError(f"{ref[:80]!r} is no branch, tag or commit")
    return ref


def _loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
