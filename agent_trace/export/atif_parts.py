"""Parts of messages as ATIF writes them; pictures become files beside the document."""

import base64
import binascii
import hashlib
from collections.abc import Sequence

from agent_trace.conversation import Image, Other, Part, Text, ToolCall, plain_text
from agent_trace.tree import Json, Object

__all__ = ["Pictures", "copied_call", "told_parts"]

_ENDINGS = {"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp"}


class Pictures:
    """Files of pictures by their path, each content once."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def path(self, image: Image) -> str | None:
        """Where the picture is: a path, or its own address; null for one that ATIF has no name for."""
        if image.media_type not in _ENDINGS:
            return None
        if image.url:
            return image.url
        try:
            data = base64.b64decode(image.data, validate=True)
        except binascii.Error:
            return None
        path = f"images/{hashlib.sha256(data).hexdigest()[:16]}.{_ENDINGS[image.media_type]}"
        self.files[path] = data
        return path


def told_parts(parts: Sequence[Part], pictures: Pictures) -> Json:
    """A text, or a list of parts where there are pictures; what ATIF has no kind for is told in words."""
    if not any(isinstance(part, Image | Other) for part in parts):
        return plain_text(parts)
    found: list[Json] = []
    for part in parts:
        if isinstance(part, Text):
            found.append({"type": "text", "text": part.text})
        elif isinstance(part, Other):
            found.append({"type": "text", "text": part.json})
        elif isinstance(part, Image):
            path = pictures.path(part)
            if path is None:
                found.append({"type": "text", "text": f"[picture: {part.url or part.media_type or 'unknown kind'}]"})
            else:
                found.append({"type": "image", "source": {"media_type": part.media_type, "path": path}})
    return found


def copied_call(call: ToolCall) -> Object:
    """A tool call; arguments that are no object stand under `raw`."""
    arguments: Object = call.value if isinstance(call.value, dict) else {"raw": call.arguments}
    return {"tool_call_id": call.id, "function_name": call.name, "arguments": arguments}
