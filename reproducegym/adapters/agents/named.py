"""Finds an agent that asks no model by the words that a user types: `noop`, `script:FILE`."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from reproducegym.adapters.agents.noop import NoopAgent
from reproducegym.adapters.agents.script import script_agent
from reproducegym.errors import MisuseError
from reproducegym.ports import Agent

__all__ = ["FIXED", "agent_named"]

FIXED: Mapping[str, str] = MappingProxyType({"noop": "noop", "script": "script:FILE"})
"""What begins the name of such an agent, and the whole form of it."""


def agent_named(text: str) -> Agent:
    """The agent that a text names.

    Raises:
        MisuseError: there is no such agent; the message lists those that there are.
        NotFoundError: the script does not exist.
    """
    kind, _, rest = text.partition(":")
    if text == "noop":
        return NoopAgent()
    if kind == "script" and rest:
        return script_agent(Path(rest))
    raise MisuseError(f'no agent "{text}"; there are: {", ".join(FIXED.values())}')
