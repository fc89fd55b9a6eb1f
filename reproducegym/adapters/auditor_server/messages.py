"""Reads what clients send: JSON objects of whole characters and without a name twice; nothing else gets further."""

import json

from pydantic import JsonValue
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reproducegym.adapters.auditor_server.errors import BadJsonError
from reproducegym.schema.names_once import names_once

__all__ = ["WholeMessages", "json_object"]

_HALF = b"\\ud"


def json_object(content: bytes) -> dict[str, JsonValue]:
    """The object that a body or a message is; an empty one where there is none.

    Raises:
        BadJsonError: it is no JSON object, has a name twice, or half a character, which no answer could repeat.
    """
    try:
        read = json.loads(content.decode() or "{}", object_pairs_hook=names_once)
        if _HALF in content.lower():
            json.dumps(read, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise BadJsonError(f"the body cannot be read as JSON: {error}") from error
    if not isinstance(read, dict):
        raise BadJsonError("the body is no JSON object")
    return read


class WholeMessages:
    """Answers messages of sessions that are no JSON object, which would end OpenEnv's session with words of Python."""

    def __init__(self, app: ASGIApp) -> None:
        """Take the application behind it."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on but such messages."""

        async def whole() -> Message:
            while True:
                message = await receive()
                if message["type"] != "websocket.receive":
                    return message
                content = message.get("bytes") or (message.get("text") or "").encode("utf-8", "surrogatepass")
                try:
                    json_object(content or b"no message")
                except BadJsonError as error:
                    told = {"type": "error", "data": {"message": str(error), "code": "INVALID_JSON"}}
                    await send({"type": "websocket.send", "text": json.dumps(told)})
                else:
                    return {"type": message["type"], "text": content.decode()}

        ours = scope["type"] == "websocket" and scope["path"] == "/ws"
        await self._app(scope, whole if ours else receive, send)
