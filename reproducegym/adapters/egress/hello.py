"""Reads which name a TLS client asks for, from the first bytes that it sends."""

import ssl

__all__ = ["HelloError", "asked_name"]


class HelloError(ValueError):
    """These bytes are no beginning of TLS."""


def asked_name(data: bytes) -> str | None:
    """The name in a client's hello, in small letters; empty where it names none; None where more bytes are needed.

    Raises:
        HelloError: it is no TLS.
    """
    names: list[str] = []

    def seen(_socket: ssl.SSLSocket | ssl.SSLObject, name: str | None, _context: ssl.SSLContext) -> int:
        names.append((name or "").lower())
        return ssl.ALERT_DESCRIPTION_CLOSE_NOTIFY

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.sni_callback = seen
    incoming = ssl.MemoryBIO()
    incoming.write(data)
    try:
        context.wrap_bio(incoming, ssl.MemoryBIO(), server_side=True).do_handshake()
    except ssl.SSLWantReadError:
        return None
    except ssl.SSLError as error:
        if not names:
            raise HelloError(str(error)) from error
    return names[0]
