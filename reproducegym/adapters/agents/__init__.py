"""Agents that work on tasks."""

from reproducegym.adapters.agents.named import agent_named
from reproducegym.adapters.agents.noop import NoopAgent
from reproducegym.adapters.agents.script import ScriptAgent, script_agent

__all__ = ["NoopAgent", "ScriptAgent", "agent_named", "script_agent"]
