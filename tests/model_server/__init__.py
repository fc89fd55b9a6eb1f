"""A model for tests: a real HTTP server on loopback that speaks the chat API, strictly, from a scripted function."""

from model_server.asked import Asked, BadRequest
from model_server.least import least
from model_server.replies import (
    Answer,
    Broken,
    Bytes,
    Hang,
    Refusal,
    Reply,
    Stall,
    Status,
    cut,
    echo_of_secrets,
    rate_limited,
)
from model_server.server import KEY, ModelServer, Script, serving

__all__ = [
    "KEY",
    "Answer",
    "Asked",
    "BadRequest",
    "Broken",
    "Bytes",
    "Hang",
    "ModelServer",
    "Refusal",
    "Reply",
    "Script",
    "Stall",
    "Status",
    "cut",
    "echo_of_secrets",
    "least",
    "rate_limited",
    "serving",
]
