"""Takes secrets out of everything before it touches the disk: known ones by value, unknown ones by their form."""

from agent_trace.redact.known import SHORTEST
from agent_trace.redact.redactor import Redactor, StreamRedactor

__all__ = ["SHORTEST", "Redactor", "StreamRedactor"]
