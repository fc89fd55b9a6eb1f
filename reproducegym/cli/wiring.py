"""Chooses who does what: the only place that knows every parser, extractor, family, sandbox, agent and executor.

What only one command needs is loaded by that command.
"""

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reproducegym.cli.options import ExecutorChoice, ParserChoice, SandboxChoice
from reproducegym.cli.voice import say
from reproducegym.errors import MisuseError, SandboxUnavailableError
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.laps import Laps
from reproducegym.pipeline.store import PaperStore
from reproducegym.pipeline.unchanged import builder_record
from reproducegym.ports import Agent, Availability, Executor, Llm, Parser, ReadPaper, Sandbox, TaskFamily
from reproducegym.schema.asset import OfferedAsset
from reproducegym.schema.config import Config
from reproducegym.schema.paper import Source
from reproducegym.schema.task import BuilderRecord
from reproducegym.schema.usage import UsageSummary
from reproducegym.scratch import sweep

if TYPE_CHECKING:
    from reproducegym.pipeline.judging.rerun import Judge
    from reproducegym.pipeline.judging.verify import Order
    from reproducegym.pipeline.probing.host_model import HostBench

__all__ = [
    "Proposing",
    "agent",
    "backends",
    "config",
    "executor",
    "host_model",
    "judge",
    "marker",
    "models_set_up",
    "overlay",
    "parser",
    "proposing",
    "with_egress",
]

_EXTRACTORS = ("rules", "llm", "both")


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


def models_set_up(settings: Config, *, online: bool) -> Availability:
    """Whether models could be asked; with `online` they are."""
    from reproducegym.cli.models import models_set_up as found

    return found(settings, online=online)


@dataclass(frozen=True)
class Proposing:
    """Who proposes the claims of a build. `builder` is known before anything heavy of `family` is loaded.

    `usage` is what models have cost so far; None without a model.
    """

    builder: BuilderRecord
    family: Callable[[], TaskFamily]
    usage: Callable[[], UsageSummary | None]


def proposing(
    extractor: str,
    settings: Config,
    store: PaperStore,
    laps: Laps | None = None,
    assets: tuple[OfferedAsset, ...] = (),
    host: "HostBench | None" = None,
) -> Proposing:
    """The rules, a model, or both, as the family of paper claims; `host` is an operator's model of the paper.

    Raises:
        MisuseError: the extractor is unknown, or no model is set up as it should be.
        ModelUnavailableError: no key is set.
    """
    if extractor not in _EXTRACTORS:
        raise MisuseError(f"--extractor {extractor}: unknown; known are {', '.join(_EXTRACTORS)}")
    sha256 = None if host is None else host.model.sha256
    if extractor == "rules":
        builder = builder_record(settings, extractor, None, {}, sha256)
        return Proposing(builder, lambda: _by_rules(settings, laps, assets, host), lambda: None)
    from reproducegym.cli.models import llm
    from reproducegym.extraction.llm.prompts import prompt_digests

    models = llm(settings, store)
    builder = builder_record(settings, extractor, models.name, prompt_digests(), sha256)
    return Proposing(builder, lambda: _by_models(extractor, models, settings, laps, assets, host), models.usage)


def host_model(directory: Path, sandbox: SandboxChoice, settings: Config, store: PaperStore) -> "HostBench":
    """An operator's model of the paper, to be run in a sandbox where the last build's numbers are not of it.

    Raises:
        HostModelError: the directory holds no sound model.
        StorageError: it cannot be read.
    """
    from reproducegym.errors import NotFoundError, SchemaError
    from reproducegym.pipeline.probing.host_card import read_host_model
    from reproducegym.pipeline.probing.host_model import HostBench
    from reproducegym.schema.host_model import HostRecord

    try:
        earlier = store.read_extract(HostRecord, "host_model.json")
    except (NotFoundError, SchemaError):
        earlier = None
    return HostBench(read_host_model(directory), lambda: judge(sandbox, settings), earlier)


def _by_models(
    extractor: str,
    models: Llm,
    settings: Config,
    laps: Laps | None,
    assets: tuple[OfferedAsset, ...],
    host: "HostBench | None",
) -> TaskFamily:
    from reproducegym.extraction.llm import LlmExtractor
    from reproducegym.extraction.rules import RulesExtractor
    from reproducegym.families.paper_claims import PaperClaims
    from reproducegym.parsing.figures.crop import crop_panel

    asking = LlmExtractor(
        models,
        evidence_characters=settings.build.evidence_characters,
        selected=settings.build.max_claims,
        crop=crop_panel,
    )
    extractors = (asking,) if extractor == "llm" else (RulesExtractor(), asking)
    return PaperClaims(extractors, settings, model=models.name, laps=laps, assets=assets, host=host)


def _by_rules(
    settings: Config, laps: Laps | None, assets: tuple[OfferedAsset, ...], host: "HostBench | None"
) -> TaskFamily:
    from reproducegym.extraction.rules import RulesExtractor
    from reproducegym.families.paper_claims import PaperClaims

    return PaperClaims((RulesExtractor(),), settings, laps=laps, assets=assets, host=host)


def agent(name: str, settings: Config) -> Agent:
    """The agent by its name on the command line.

    Raises:
        MisuseError: there is no such agent, or it cannot be used as it is set up.
        ModelUnavailableError: it asks models, and no key is set.
        NotFoundError: the script does not exist.
    """
    from reproducegym.cli.agent_choice import agent as set_up

    return set_up(name, settings)


def with_egress(agent: Agent, settings: Config, store: PaperStore, order: "Order") -> Agent:
    """The agent with the way out that the operator lists or the task asks for; as it is where nobody does.

    Raises:
        MisuseError: what is listed is not `host:port`.
    """
    if not settings.egress.allow and not order.spec.egress:
        return agent
    from reproducegym.adapters import egress

    named = egress.hosts_of(store.read_paper(), store.parse_record())
    allowance = egress.allowance_of(settings.egress, order.spec.egress, named)
    closed = ", ".join(map(str, allowance.unreachable()))
    if closed:
        say(f"egress: {closed} stays closed: the paper of {order.entry.claim_id} names that site or may stand there")
    return egress.with_egress(agent, allowance)


def backends() -> tuple[Sandbox, ...]:
    """Every sandbox backend, whether it works here or not."""
    from reproducegym.sandbox.docker import DockerSandbox
    from reproducegym.sandbox.namespaces import NamespacesSandbox

    return DockerSandbox(), NamespacesSandbox()


def executor(choice: ExecutorChoice, parallel: int, settings: Config, address: str | None) -> Executor:
    """Where pieces of work run, `parallel` at once.

    Raises:
        MisuseError: Ray is not installed, or an address was given for work that runs here.
    """
    from reproducegym.adapters.executors.local import LocalExecutor

    if choice is ExecutorChoice.LOCAL:
        if address is not None:
            raise MisuseError("--ray-address is for --executor ray")
        return LocalExecutor(parallel)
    from reproducegym.adapters.executors.on_ray import RayExecutor, on_loopback_alone

    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is told to anybody
    if address is None or on_loopback_alone(address):
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # a Ray of our own listens on loopback alone
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # its warning of a later version
    return RayExecutor(parallel, settings.ray, address)


def judge(sandbox: SandboxChoice, settings: Config, node: Sandbox | None = None) -> "Judge":
    """Sandbox, executor and randomness for runs; says in one line which sandbox is used: `node`, where there is one.

    Raises:
        SandboxUnavailableError: none works here; the message says what to install.
    """
    from reproducegym.adapters.executors.local import LocalExecutor
    from reproducegym.pipeline.judging.rerun import STAGED, Judge
    from reproducegym.sandbox.choose import choose

    if node is None:
        backend, line = choose(sandbox.value, settings.sandbox.image, settings.run.longest_attempt_s)
    else:
        backend, line = _on_node(node, settings.sandbox.image)
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


def _on_node(node: Sandbox, image: str) -> tuple[Sandbox, str]:
    available = node.availability()
    if not available.works:
        raise SandboxUnavailableError(available.detail)
    return node, f"{available.detail}, image {image} ({node.image_id(image)[:19]})"
