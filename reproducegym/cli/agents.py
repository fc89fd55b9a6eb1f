"""Sets up the agent that a user names; those that ask models get their keys from .env or the shell."""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from reproducegym.adapters.agents.named import FIXED, agent_named
from reproducegym.cli.environment import OPENAI, model_settings, use_only
from reproducegym.cli.voice import say
from reproducegym.errors import MisuseError
from reproducegym.ports import Agent
from reproducegym.schema.config import Config, ModelName

if TYPE_CHECKING:
    from reproducegym.adapters.agents.metered import Models

__all__ = ["agent"]

_TOOL_LOOP = "tool-loop"


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

        return ToolLoopAgent(_models(kind, rest, settings))
    raise MisuseError(f'no agent "{text}"; there are: {", ".join((*FIXED.values(), _TOOL_LOOP))}')


def _models(name: str, model: str, settings: Config) -> "Models":
    """Where the agent asks; says so in a line, never the key."""
    missing = [package for package in ("aiohttp", "openai") if find_spec(package) is None]
    if missing:
        raise MisuseError(
            f"--agent {name}: {', '.join(missing)} is not installed; install it with: "
            "pip install 'reproducegym[agents]'"
        )
    from reproducegym.adapters.agents.metered import Models

    chosen = model_settings(Path.cwd(), os.environ)
    wanted = model or settings.llm.model or chosen.model or ""
    _check_model(name, wanted, settings)
    use_only(chosen.variables, os.environ)
    say(f"{chosen.line}; model {wanted}")
    return Models({"openai": chosen.endpoint}, wanted, settings)


def _check_model(name: str, model: str, settings: Config) -> None:
    if not model:
        raise MisuseError(
            f"--agent {name}: no model is named; set {OPENAI.model} in .env, or llm.model in a configuration that "
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
