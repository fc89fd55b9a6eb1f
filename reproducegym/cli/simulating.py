"""Work of a simulation that travels to other processes: papers are made and built, slots are filled in memory."""

import secrets
from dataclasses import dataclass
from pathlib import Path

from reproducegym.adapters.executors.local import LocalExecutor
from reproducegym.cli import wiring
from reproducegym.cli.bench import SlotWork
from reproducegym.cli.building import BuildOrder
from reproducegym.cli.options import SandboxChoice
from reproducegym.errors import NotFoundError, ReproduceGymError, SchemaError
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.pipeline.parse import parse, source_digest
from reproducegym.pipeline.store import PaperStore
from reproducegym.ports import Agent
from reproducegym.schema.batch import BatchTask
from reproducegym.schema.config import Config
from reproducegym.schema.paper import Source
from reproducegym.simulation.agent import SCRIPT, SimulatedAgent, program
from reproducegym.simulation.box import SimulatedSandbox
from reproducegym.simulation.corpus import paper_id, paper_text, study

__all__ = ["MadePaper", "PaperWork", "SimulatedWork"]


@dataclass(frozen=True)
class MadePaper:
    """A paper of the corpus after its build: its tasks, or why there are none; `stood` says it was built before."""

    paper_id: str
    stood: bool
    tasks: tuple[BatchTask, ...]
    failure: ReproduceGymError | None


@dataclass(frozen=True)
class PaperWork:
    """Makes papers by their numbers, parses and builds them; what stands already is left as it is."""

    out: Path
    seed: int
    config: Path | None

    def __call__(self, number: int) -> MadePaper:
        """Make one paper; a failure is a value, so that the others go on."""
        store = PaperStore(self.out, paper_id(number))
        stood = False
        try:
            stood = store.has_manifest()
            text = paper_text(study(number, self.seed)).encode()
            source = Source(kind="markdown", origin=f"{store.paper_id}.md", content=text)
            if not _is_parsed(store, source):
                parse(store, wiring.parser(source), source, licence="CC0-1.0")
            _ordered(self.config).build(store.root, lambda _line: None)
            tasks = store.manifest().tasks
        except ReproduceGymError as error:
            return MadePaper(store.paper_id, stood, (), error)
        named = (BatchTask(paper_id=store.paper_id, claim_id=task.claim_id, spec_hash=task.spec_hash) for task in tasks)
        return MadePaper(store.paper_id, stood, tuple(named), None)


def _is_parsed(store: PaperStore, source: Source) -> bool:
    """Whether this very source was parsed whole, and no more is to be mended by parsing it again."""
    try:
        return store.has_whole_parse() and store.parse_record().sha256 == source_digest(source)
    except (NotFoundError, SchemaError):
        return False


def _ordered(config: Path | None) -> BuildOrder:
    return BuildOrder(
        extractor="rules",
        max_claims=None,
        named=(),
        exposure=None,
        assets=(),
        host_model=None,
        sandbox=SandboxChoice.AUTO,
        refresh=False,
        config=config,
    )


@dataclass(frozen=True)
class SimulatedWork(SlotWork):
    """Fills slots as any work does, with an agent and a sandbox of this process.

    `faults` is the share of sandboxes whose engine fails; retries do not wait.
    """

    faults: float = 0.0

    @property
    def again(self) -> str:
        """The command is its own."""
        return "the same command goes on"

    def workers(self, settings: Config) -> tuple[Agent, Judge]:
        """The simulated ones."""
        judge = Judge(
            sandbox=SimulatedSandbox(SCRIPT, program, self.faults),
            image="simulated",
            limits=settings.sandbox,
            executor=LocalExecutor(1),
            randbelow=secrets.randbelow,
            run_id=self.batch.batch_id,
        )
        return SimulatedAgent(), judge

    def settings(self) -> Config:
        """The configuration, without the waits between retries."""
        found = super().settings()
        return found.model_copy(update={"run": found.run.model_copy(update={"retry_wait_s": 0.0})})
