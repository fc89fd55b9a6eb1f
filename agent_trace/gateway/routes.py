"""The ways that are open: three for completions, two beside them; everything else is refused."""

from dataclasses import dataclass

from agent_trace.gateway.settings import Vendor
from agent_trace.record import Api
from agent_trace.tree import Object

__all__ = ["Route", "error_body", "route_of"]


@dataclass(frozen=True)
class Route:
    """Where a request goes: a vendor and the path below its base URL. `api` is null where nothing is completed."""

    vendor: Vendor
    path: str
    api: Api | None


_ROUTES = {
    ("POST", "/v1/chat/completions"): Route("openai", "/chat/completions", "openai.chat"),
    ("POST", "/v1/responses"): Route("openai", "/responses", "openai.responses"),
    ("POST", "/v1/messages"): Route("anthropic", "/messages", "anthropic.messages"),
    ("POST", "/v1/messages/count_tokens"): Route("anthropic", "/messages/count_tokens", None),
}
_MODELS = ("GET", "/v1/models")


def route_of(method: str, path: str, *, anthropic: bool) -> Route | None:
    """The route of a request, null for one that is refused; `anthropic` says that it carries that vendor's header.

    Only the exact spelling is taken: a path with `..`, `//`, escapes or a slash at its end is another path.
    """
    if (method, path) == _MODELS:
        return Route("anthropic" if anthropic else "openai", "/models", None)
    return _ROUTES.get((method, path))


def error_body(vendor: Vendor, kind: str, message: str) -> Object:
    """An error of the gateway's own, in the form that the vendor's SDK reads."""
    if vendor == "anthropic":
        return {"type": "error", "error": {"type": kind, "message": message}}
    return {"error": {"message": message, "type": kind, "param": None, "code": kind}}
