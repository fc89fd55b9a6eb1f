"""Sets up the agent that a user names; those that ask models get their keys from .env or the shell."""

import os
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from reproducegym.adapters.agents.cli.declared import declared
from reproducegym.adapters.agents.cli.installed import place_of
from reproducegym.adapters.agents.named import FIXED, agent_named
from reproducegym.adapters.llm import Endpoint
from reproducegym.cli.environment import ANTHROPIC, OPENAI, Vendor, model_settings, use_only
from reproducegym.cli.voice import say
from reproducegym.errors import MisuseError
from reproducegym.ports import Agent
from reproducegym.schema.cli_agent import CliAgents
from reproducegym.schema.config import Config, ModelName

if TYPE_CHECKING:
    from reproducegym.adapters.agents.metered import Models

__all__ = ["agent", "cache_directory", "declarations"]

_TOOL_LOOP = "tool-loop"
_UNQUOTABLE = ('"', "\\")


def agent(text: str, settings: Config) -> Agent:
    """The agent that a text names; `NAME:MODEL` asks another model than the one that is set up.

    Raises:
        MisuseError: there is no such agent, an extra is not installed, or a setting cannot be used.
        ModelUnavailableError: it asks models, and no key is set.
        NotFoundError: the script does not exist.
    """
    kind, _, rest = text.partition(":")
    if text == "noop" or (kind == "script" and rest):
        return agent_named(text)
    if kind == _TOOL_LOOP:
        from reproducegym.adapters.agents.tool_loop.agent import ToolLoopAgent

        return ToolLoopAgent(_models(kind, rest, settings, OPENAI))
    known = declarations().agents
    if kind not in known:
        there = ", ".join((*FIXED.values(), _TOOL_LOOP, *known))
        raise MisuseError(f'no agent "{text}"; there are: {there}')
    declaration = known[kind]
    place = place_of(cache_directory(), kind, declaration)
    missing = [directory for directory in declaration.mounts.values() if not Path(directory).is_dir()]
    if missing:
        raise MisuseError(f"--agent {kind}: {missing[0]}, which its declaration mounts, is no directory")
    if not place.is_dir():
        raise MisuseError(f"--agent {kind}: it is not installed; get it with: reproducegym agents install {kind}")
    from reproducegym.adapters.agents.cli.agent import CommandLineAgent

    vendor = ANTHROPIC if declaration.api == "anthropic.messages" else OPENAI
    models = _models(kind, rest, settings, vendor)
    if any(sign in models.model for sign in _UNQUOTABLE):
        raise MisuseError(f"--agent {kind}: the model's name {models.model!r} has a quote or a backslash")
    return CommandLineAgent(kind, declaration, place, models)


def declarations() -> CliAgents:
    """All declared agents: `config/agents.yaml`, or the file that `REPRODUCEGYM_AGENTS` names.

    Raises:
        MisuseError: the file cannot be read or is none.
    """
    named = os.environ.get("REPRODUCEGYM_AGENTS")
    return declared(Path(named) if named else None)


def cache_directory() -> Path:
    """Where things that were fetched for this user are kept: `REPRODUCEGYM_CACHE`, or where caches stand here."""
    named = os.environ.get("REPRODUCEGYM_CACHE")
    if named:
        return Path(named).resolve()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "reproducegym"


def _models(name: str, model: str, settings: Config, vendor: Vendor) -> "Models":
    """Where the agent asks; says so in a line, never the key."""
    missing = [package for package in ("aiohttp", "openai") if find_spec(package) is None]
    if missing:
        raise MisuseError(
            f"--agent {name}: {', '.join(missing)} is not installed; install it with: "
            "pip install 'reproducegym[agents]'"
        )
    from reproducegym.adapters.agents.metered import Models

    chosen = model_settings(Path.cwd(), os.environ, vendor)
    wanted = model or (settings.llm.model if vendor is OPENAI else "") or chosen.model or ""
    _check_model(name, wanted, settings, vendor)
    say(f"{chosen.line}; model {wanted}")
    if vendor is ANTHROPIC:
        return Models({"anthropic": replace(chosen.endpoint, base_url=_versioned(chosen.endpoint))}, wanted, settings)
    use_only(chosen.variables, os.environ)
    return Models({"openai": chosen.endpoint}, wanted, settings)


def _versioned(endpoint: Endpoint) -> str:
    """The address in place of `/v1`: this vendor's is set without it."""
    base = endpoint.base_url.rstrip("/")
    return base if base.endswith("/v1") else f"{base}/v1"


def _check_model(name: str, model: str, settings: Config, vendor: Vendor) -> None:
    if not model:
        raise MisuseError(
            f"--agent {name}: no model is named; set {vendor.model} in .env, or llm.model in a configuration that "
            f"you name with --config, or ask for --agent {name}:MODEL"
        )
    try:
        TypeAdapter(ModelName).validate_python(model)
    except ValidationError:
        raise MisuseError(f"--agent {name}: {model!r} is no name of a model") from None
    if settings.agent.max_dollars != "none" and model not in settings.llm.prices:
        raise MisuseError(
            f"agent.max_dollars is set, but {model} has no price; name it under [llm.prices], or set the cap to "
            '"none" and use max_tokens'
        )
