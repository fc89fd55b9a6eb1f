"""Finds an agent by the words that a user types: `noop`, `script:FILE`."""

from pathlib import Path

from reproducegym.adapters.agents.noop import NoopAgent
from reproducegym.adapters.agents.script import script_agent
from reproducegym.errors import MisuseError
from reproducegym.ports import Agent

__all__ = ["agent_named"]

_KNOWN = ("noop", "script:FILE")


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
    raise MisuseError(f'no agent "{text}"; there are: {", ".join(_KNOWN)}')
