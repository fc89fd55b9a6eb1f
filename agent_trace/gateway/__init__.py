"""The door for language models: a reverse proxy that swaps a token for the real key and records each completion."""

from agent_trace.gateway.policy import Policy
from agent_trace.gateway.runs import Run
from agent_trace.gateway.server import Gateway, Loopback, UnixSocket
from agent_trace.gateway.settings import Limits, Settings, SettingsError, Upstream, upstream_from
from agent_trace.gateway.spending import Budget, Spent
from agent_trace.gateway.thread import serving

__all__ = [
    "Budget",
    "Gateway",
    "Limits",
    "Loopback",
    "Policy",
    "Run",
    "Settings",
    "SettingsError",
    "Spent",
    "UnixSocket",
    "Upstream",
    "serving",
    "upstream_from",
]
