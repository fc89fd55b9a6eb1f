"""A request as the API reads it: unknown fields, wrong types and loose schemas are refused as the real one does."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from model_server.strict_schema import schema_faults

_FIELDS = {
    "model": str,
    "messages": list,
    "response_format": dict,
    "stream": bool,
    "stream_options": dict,
    "max_completion_tokens": int,
    "max_tokens": int,
    "temperature": (int, float),
    "top_p": (int, float),
    "seed": int,
}
_ROLES = ("system", "developer", "user", "assistant")
_PNG = b"\x89PNG\r\n\x1a\n"


class BadRequest(Exception):
    """Refused with status 400; `param` names the field."""

    def __init__(self, message: str, param: str | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.message, self.param, self.code = message, param, code


@dataclass(frozen=True)
class Message:
    """One message: its text parts joined, and its images."""

    role: str
    text: str
    images: tuple[bytes, ...]


@dataclass(frozen=True)
class Asked:
    """One request that was understood. `number` counts from 1; header names are lower; `schema` is the strict one."""

    number: int
    headers: Mapping[str, str]
    body: Mapping[str, object]
    model: str
    messages: tuple[Message, ...]
    schema_name: str | None
    schema: Mapping[str, object] | None

    @property
    def system(self) -> str:
        return "\n".join(one.text for one in self.messages if one.role in ("system", "developer"))

    @property
    def user(self) -> str:
        """The first message of the user: the question itself."""
        return next(one.text for one in self.messages if one.role == "user")

    @property
    def last(self) -> str:
        """The last message: the question, or on a retry the error that is shown."""
        return self.messages[-1].text

    @property
    def images(self) -> tuple[bytes, ...]:
        return tuple(image for one in self.messages for image in one.images)


def read_request(
    number: int, headers: Mapping[str, str], body: object, models: Sequence[str], unknown: set[str]
) -> Asked:
    """The request, checked whole.

    Raises:
        BadRequest: something does not fit; `unknown` are fields that this endpoint does not know.
    """
    if not isinstance(body, dict):
        raise BadRequest("We could not parse the JSON body of your request.")
    _check_fields(body, unknown)
    if body["model"] not in models:
        raise BadRequest(f"The model `{body['model']}` does not exist", "model", "model_not_found")
    if "max_tokens" in body and "max_completion_tokens" in body:
        raise BadRequest("max_tokens and max_completion_tokens cannot both be set", "max_tokens")
    if "stream_options" in body and body.get("stream") is not True:
        raise BadRequest("The 'stream_options' parameter is only allowed when 'stream' is enabled.", "stream_options")
    if not body["messages"]:
        raise BadRequest("Invalid 'messages': empty array.", "messages", "empty_array")
    messages = tuple(_message(one, f"messages[{n}]") for n, one in enumerate(body["messages"]))
    name, schema = _format(body.get("response_format"), unknown, messages)
    return Asked(number, headers, body, body["model"], messages, name, schema)


def _check_fields(body: Mapping[str, object], unknown: set[str]) -> None:
    for name in ("model", "messages"):
        if name not in body:
            raise BadRequest(f"Missing required parameter: '{name}'.", name, "missing_required_parameter")
    for name, value in body.items():
        if name not in _FIELDS or name in unknown:
            raise BadRequest(f"Unsupported parameter: '{name}'.", name, "unsupported_parameter")
        kind = _FIELDS[name]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise BadRequest(f"Invalid type for '{name}'.", name, "invalid_type")
    for name in ("max_tokens", "max_completion_tokens"):
        if isinstance(limit := body.get(name, 1), int) and limit < 1:
            raise BadRequest(f"Invalid '{name}': integer below minimum value.", name, "integer_below_min_value")


def _message(one: object, where: str) -> Message:
    if not isinstance(one, dict) or set(one) - {"role", "content"} or one.get("role") not in _ROLES:
        raise BadRequest(f"Invalid value: '{where}'", where, "invalid_value")
    content = one.get("content")
    if isinstance(content, str):
        return Message(one["role"], content, ())
    if not isinstance(content, list) or not content:
        raise BadRequest(f"Invalid type for '{where}.content'", where, "invalid_type")
    texts: list[str] = []
    images: list[bytes] = []
    for part in content:
        match part:
            case {"type": "text", "text": str(text), **rest} if not rest:
                texts.append(text)
            case {"type": "image_url", "image_url": {"url": str(url), **options}, **rest} if not rest:
                if one["role"] != "user" or set(options) - {"detail"}:
                    raise BadRequest(f"Invalid image in '{where}'", where, "invalid_value")
                images.append(_image(url, where))
            case _:
                raise BadRequest(f"Invalid part of '{where}.content'", where, "invalid_value")
    return Message(one["role"], "\n".join(texts), tuple(images))


def _image(url: str, where: str) -> bytes:
    head, comma, data = url.partition(",")
    if head != "data:image/png;base64" or not comma:
        raise BadRequest(f"Invalid image URL in '{where}': expected a data URL of a PNG", where, "invalid_image_url")
    image = base64.b64decode(data, validate=True)
    if not image.startswith(_PNG):
        raise BadRequest(f"The image in '{where}' is no PNG", where, "invalid_image_format")
    return image


def _format(
    value: object, unknown: set[str], messages: Sequence[Message]
) -> tuple[str | None, Mapping[str, object] | None]:
    match value:
        case None | {"type": "text"}:
            return None, None
        case {"type": str(kind)} if kind in unknown:
            raise BadRequest(
                f"Invalid parameter: 'response_format' of type '{kind}' is not supported with this model.",
                "response_format",
            )
        case {"type": "json_object", **rest} if not rest:
            if not any("json" in one.text.lower() for one in messages):
                raise BadRequest("'messages' must contain the word 'json' in some form", "messages")
            return None, None
        case {
            "type": "json_schema",
            "json_schema": {"name": str(name), "strict": True, "schema": dict(schema)},
            **rest,
        }:
            faults = [] if rest else schema_faults(schema)
            if rest or faults:
                why = f"In context={faults[0] if faults else '()'}"
                raise BadRequest(f"Invalid schema for response_format '{name}': {why}", "response_format")
            if not name or len(name) > 64 or not all(c.isascii() and (c.isalnum() or c in "_-") for c in name):
                raise BadRequest("Invalid 'response_format.json_schema.name'", "response_format.json_schema.name")
            return name, schema
        case _:
            raise BadRequest("Invalid value: 'response_format'.", "response_format", "invalid_value")
