"""What a run may ask of an endpoint: its own models, and tools that the client itself runs.

An endpoint that searches, fetches addresses, runs code or calls other servers for whoever asks is a network: a sandbox
without one would reach everything through it.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from agent_trace.decoding import UndecodableError, decoder
from agent_trace.tree import Json, Object, items, mapping, string

__all__ = ["Policy", "refusal"]

_OWN_TOOLS = frozenset({"", "function", "custom", "namespace", "tool_search", "local_shell", "shell", "apply_patch"})
_OWN_TOOL_NAMES = ("bash_", "text_editor_", "computer_", "memory_")
"""Types of tools that the client runs; of one vendor's they carry a date."""

_HOSTED = ("web_search_options", "search_parameters", "mcp_servers", "container", "plugins", "prompt", "background")
"""Fields by which an endpoint does more than complete what it is sent."""

_FILES = frozenset({"image_url", "input_image", "image", "document", "input_file", "file", "input_audio", "video_url"})


@dataclass(frozen=True)
class Policy:
    """The models by name; with `hosted` also what an endpoint runs or fetches by itself."""

    models: frozenset[str]
    hosted: bool = False


def refusal(policy: Policy, body: bytes, encoding: str, most: int) -> str | None:
    """Why a completion is not asked for; null where it may be. Of a compressed body at most so many bytes are read."""
    try:
        asked = _object(_plain(body, encoding, most))
    except (ValueError, RecursionError, UndecodableError) as error:
        return f"the request cannot be read: {error}"
    if string(asked.get("model")) not in policy.models:
        return f"the model of this run is {', '.join(sorted(policy.models))}"
    return None if policy.hosted else next(_hosted(asked), None)


def _plain(body: bytes, encoding: str, most: int) -> bytes:
    plain = bytearray()
    for piece in decoder(encoding).feed(body):
        plain += piece
        if len(plain) > most:
            raise UndecodableError(f"more than {most} bytes")
    return bytes(plain)


def _object(text: bytes) -> Object:
    """An object in which no key stands twice: two readers could take one each."""

    def once(pairs: list[tuple[str, Json]]) -> Object:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise ValueError("a key stands twice")
        return found

    value: Json = json.loads(text, object_pairs_hook=once)
    if not isinstance(value, dict):
        raise ValueError("it is no object")
    return value


def _hosted(asked: Object) -> Iterator[str]:
    for name in _HOSTED:
        if asked.get(name):
            yield f"{name} is not open to this run"
    for tool in map(mapping, items(asked.get("tools"))):
        kind = string(tool.get("type"))
        if kind not in _OWN_TOOLS and not kind.startswith(_OWN_TOOL_NAMES):
            yield f"tools of type {kind[:50]} are run by the endpoint, and not open to this run"
    for part in _parts([asked.get("messages"), asked.get("input"), asked.get("system"), asked.get("instructions")]):
        if _remote(part):
            yield "files by address are fetched by the endpoint, and not open to this run"


def _parts(value: Json) -> Iterator[Object]:
    """Every object that is a file or holds one; not what tools were called with."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting += one
        elif isinstance(one, dict):
            if string(one.get("type")) in _FILES:
                yield one
            waiting += [below for name, below in one.items() if name not in ("input", "arguments", "action")]


def _remote(part: Object) -> bool:
    addresses = [part.get("url"), part.get("file_url"), part.get("image_url"), part.get("video_url")]
    addresses += [mapping(part.get(name)).get("url") for name in ("image_url", "video_url", "source", "file")]
    return any(string(one).lower().lstrip().startswith(("http:", "https:", "ftp:", "//")) for one in addresses)
