"""A command-line agent as `config/agents.yaml` declares it: where it comes from, how it is called, what it answers."""

import re
from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from reproducegym.schema.base import Frozen

__all__ = ["SLOTS", "AgentPackage", "CliAgent", "CliAgents", "CliOutput", "OutputRule", "filled", "slots_of"]

SLOTS = ("agent", "base_url", "home", "model", "prompt", "root_url", "token")
"""What may stand as `${NAME}` in a declaration: the mounted packages, the models' address with and without `/v1`, a
private directory, the model's name, the prompt, and the run's token (the only key inside)."""

_AGENT_PLACE = "/opt/agent"
_SLOT = re.compile(r"\$\{(\w*)\}")
_Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,39}$")]
_Word = Annotated[str, Field(min_length=1)]


class AgentPackage(Frozen):
    """One pinned package. `integrity` is what npm's lock files hold of it; null for packages of PyPI."""

    registry: Literal["npm", "pypi"]
    name: Annotated[str, Field(pattern=r"^(@[a-z0-9-]+/)?[A-Za-z0-9][A-Za-z0-9._-]*$")]
    version: Annotated[str, Field(pattern=r"^[0-9][A-Za-z0-9.+-]*$")]
    integrity: Annotated[str, Field(pattern=r"^sha512-[A-Za-z0-9+/=]+$")] | None


class OutputRule(Frozen):
    """Of an object that holds these values (by dotted paths), take the text at a path."""

    where: dict[_Word, str | bool]
    take: _Word


class CliOutput(Frozen):
    """How its output is read: as plain words, as one JSON object at its end, or as one object a line.

    The last text that `said` takes is its last word; any that `failed` takes says that it gave up.
    """

    format: Literal["text", "json", "jsonl"]
    said: tuple[OutputRule, ...]
    failed: tuple[OutputRule, ...]


class CliAgent(Frozen):
    """One agent. `argv` begins it, `resume` goes on after a lost connection (null: it cannot).

    `packages` may be none where `mounts` (places inside, and host directories for them) or the image have it all.
    `setup` are commands that make the packages ready on the host, once, where they need that; only `${agent}` may stand
    in them, which is where the packages are there.
    `files` are written below `${home}` before it starts. `api` is the one that it speaks. `tried` is how far our tests
    go: `run` solves a task in a sandbox, `started` answers with its version there, `declared` is not tried.
    """

    about: _Word
    api: Literal["openai.chat", "openai.responses", "anthropic.messages"]
    packages: tuple[AgentPackage, ...]
    mounts: dict[Annotated[str, Field(pattern=r"^/opt/[A-Za-z0-9._-]+$")], Annotated[str, Field(pattern="^/")]] = Field(
        {}
    )
    setup: tuple[Annotated[tuple[str, ...], Field(min_length=1)], ...] = ()
    argv: Annotated[tuple[str, ...], Field(min_length=1)]
    resume: Annotated[tuple[str, ...], Field(min_length=1)] | None
    env: dict[Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")], str]
    files: dict[
        Annotated[str, Field(pattern=r"^\.?[A-Za-z0-9_-][A-Za-z0-9._-]*(/\.?[A-Za-z0-9_-][A-Za-z0-9._-]*)*$")], str
    ]
    output: CliOutput
    tried: Literal["run", "started", "declared"]

    @model_validator(mode="after")
    def _known_slots(self) -> Self:
        texts = [*self.argv, *(self.resume or ()), *self.env.values(), *self.files.values()]
        unknown = sorted({slot for text in texts for slot in slots_of(text)} - set(SLOTS))
        if unknown:
            raise ValueError(f"${{{unknown[0]}}} is no slot; there are: {', '.join(SLOTS)}")
        if {slot for line in self.setup for text in line for slot in slots_of(text)} - {"agent"}:
            raise ValueError("setup runs on the host before any task: only ${agent} may stand in it")
        if _AGENT_PLACE in self.mounts:
            raise ValueError(f"mounts: {_AGENT_PLACE} is where packages are mounted; take another place")
        if not any("prompt" in slots_of(text) for text in self.argv):
            raise ValueError("argv nowhere has ${prompt}: the agent would not be told its task")
        return self

    @property
    def version(self) -> str:
        """Of its first package; `own` without any."""
        return self.packages[0].version if self.packages else "own"


class CliAgents(Frozen):
    """`config/agents.yaml`."""

    schema_version: Literal[1]
    agents: dict[_Name, CliAgent]


def slots_of(text: str) -> tuple[str, ...]:
    """Names of all `${NAME}` in a text."""
    return tuple(_SLOT.findall(text))


def filled(text: str, words: Mapping[str, str]) -> str:
    """The text with a word in place of every slot."""
    return _SLOT.sub(lambda found: words[found[1]], text)
