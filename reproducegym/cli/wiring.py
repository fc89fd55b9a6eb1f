"""Chooses who does what: the only place that knows every parser, extractor, family, sandbox, agent and executor."""

import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from reproducegym.adapters.agents import agent_named
from reproducegym.adapters.executors.local import LocalExecutor
from reproducegym.adapters.llm import llm_availability
from reproducegym.cli.environment import model_settings, named, use_only
from reproducegym.cli.options import ParserChoice, SandboxChoice
from reproducegym.cli.progress import Meter
from reproducegym.cli.voice import say, stderr
from reproducegym.errors import MisuseError
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.store import PaperStore
from reproducegym.pipeline.verify import STAGED, Judge
from reproducegym.ports import Agent, Availability, Extractor, Parser, ReadPaper, Sandbox, TaskFamily
from reproducegym.sandbox.choose import choose
from reproducegym.sandbox.docker import DockerSandbox
from reproducegym.sandbox.namespaces import NamespacesSandbox
from reproducegym.schema.config import Config
from reproducegym.schema.paper import Source
from reproducegym.scratch import sweep

if TYPE_CHECKING:
    from reproducegym.adapters.llm.client import OpenAiLlm

__all__ = ["agent", "backends", "config", "extractor", "family", "judge", "llm", "marker", "overlay", "parser"]

_EXTRACTORS = ("rules", "llm")


def config(path: Path | None) -> Config:
    """The configuration: `config/default.toml`, or the file that was named."""
    return load_config(path)


def parser(source: Source, choice: ParserChoice = ParserChoice.AUTO) -> Parser:
    """The parser that was chosen, or the one for this kind of source.

    Raises:
        MisuseError: that parser reads another kind.
    """
    from reproducegym.parsing import parser_for

    return parser_for(source, None if choice is ParserChoice.AUTO else choice.value)


def overlay(source: Source) -> Callable[[ReadPaper], dict[str, bytes]]:
    """What draws a paper that was read on images of its pages.

    Raises:
        MisuseError: the source has no pages to draw on.
    """
    from reproducegym.parsing.overlay import check_drawable, overlay_pages

    check_drawable(source)
    return lambda paper: overlay_pages(source, paper.document, paper.charts)


def marker() -> Availability:
    """Whether the extra that reads PDFs with marker is installed."""
    from reproducegym.parsing.marker.conversion import marker_availability

    return marker_availability()


def extractor(name: str) -> Extractor:
    """The extractor by name.

    Raises:
        MisuseError: it is unknown, or not available in this version.
    """
    if name == "rules":
        from reproducegym.extraction.rules import RulesExtractor

        return RulesExtractor()
    if name == "llm":
        raise MisuseError(
            "--extractor llm is not available in this version; use --extractor rules, which needs no model"
        )
    raise MisuseError(f"--extractor {name}: unknown; known are {', '.join(_EXTRACTORS)}")


def llm(settings: Config, store: PaperStore) -> "OpenAiLlm":
    """The models for one paper; says in a line where they are asked and which they are, never the key.

    Raises:
        MisuseError: the extra is not installed, no model is named, or a setting cannot be used.
        ModelUnavailableError: no key is set.
    """
    tried = llm_availability()
    if not tried.works:
        raise MisuseError(f"--extractor llm: {tried.detail}; or use --extractor rules, which needs no model")
    from reproducegym.adapters.llm.client import OpenAiLlm

    chosen = model_settings(Path.cwd(), os.environ)
    with use_only(chosen.variables, os.environ):
        models = OpenAiLlm(
            chosen.endpoint,
            named(settings.llm, chosen),
            paper_id=store.paper_id,
            cache=store.replies_directory,
            keep=store.write_usage,
            tell=say,
            progress=Meter(stderr, say),
        )
    say(f"{chosen.line}; {models.name}")
    return models


def family(extractor_name: str, settings: Config) -> TaskFamily:
    """The family of paper claims."""
    from reproducegym.families.paper_claims import PaperClaims

    return PaperClaims((extractor(extractor_name),), settings)


def agent(name: str) -> Agent:
    """The agent by its name on the command line."""
    return agent_named(name)


def backends() -> tuple[Sandbox, ...]:
    """Every sandbox backend, whether it works here or not."""
    return DockerSandbox(), NamespacesSandbox()


def judge(sandbox: SandboxChoice, settings: Config) -> Judge:
    """Sandbox, executor and randomness for runs; says in one line which sandbox is used.

    Raises:
        SandboxUnavailableError: none works here; the message says what to install.
    """
    backend, line = choose(sandbox.value, settings.sandbox.image)
    say(line)
    removed = backend.reap() + sweep(STAGED)
    if removed:
        say(f"removed {removed} leftovers of runs that had died")
    return Judge(
        sandbox=backend,
        image=settings.sandbox.image,
        limits=settings.sandbox,
        executor=LocalExecutor(settings.sandbox.parallel),
        randbelow=secrets.randbelow,
        run_id=f"{os.getpid():x}-{secrets.token_hex(4)}",
    )
