"""Web addresses: which we ask, where we let ourselves be sent, and how they are written down."""

import httpx

from reproducegym.errors import MisuseError, SourceUnreachableError

__all__ = ["addressed", "redirected"]


def addressed(url: str) -> str:
    """A URL as we may write it down: no user, password, query or fragment.

    Raises:
        MisuseError: it is not an http or https URL.
    """
    try:
        address = httpx.URL(url)
        usable = address.scheme in ("http", "https") and bool(address.host)
        shown = str(address.copy_with(userinfo=b"", query=None, fragment=None))
    except (httpx.InvalidURL, UnicodeError) as error:
        raise MisuseError(f"that is no URL ({error}); write it like https://host/paper.pdf") from error
    if not usable:
        raise MisuseError("that is not an http or https URL; write it like https://host/paper.pdf")
    return shown


def redirected(answer: httpx.Response, following: httpx.Request | None, shown: str) -> httpx.Request:
    """The request that a redirect asks for.

    Raises:
        SourceUnreachableError: it leads from https to http, where others could change the paper, or to no web page.
    """
    if following is None or following.url.scheme not in ("http", "https") or not following.url.host:
        raise SourceUnreachableError(f"{shown} redirects to no web address; give the final address")
    if answer.url.scheme == "https" and following.url.scheme == "http":
        raise SourceUnreachableError(
            f"{shown} redirects from https to unprotected http ({addressed(str(following.url))}); "
            "give the final address if you trust it"
        )
    return following
