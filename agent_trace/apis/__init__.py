"""The three APIs: how each one's stream becomes the response that it stands for, and what it counts."""

from agent_trace.apis.rebuild import Rebuilt, StreamReader
from agent_trace.apis.usage import Price, cost, usage_of

__all__ = ["Price", "Rebuilt", "StreamReader", "cost", "usage_of"]
