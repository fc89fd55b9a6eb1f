"""The doors of the house: one Protocol for each thing that touches the world or can be exchanged."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from socket import socket
from typing import Literal, Protocol, TypeVar

from reproducegym.schema.base import Frozen
from reproducegym.schema.chart import Chart
from reproducegym.schema.claim import Candidate, Rejected
from reproducegym.schema.contract import Contract
from reproducegym.schema.paper import Document, PageWords, Parsed, Source
from reproducegym.schema.run import AgentRecord, AgentUsage, EgressUsage
from reproducegym.schema.spec import ClaimSpec
from reproducegym.schema.usage import Step

__all__ = [
    "Agent",
    "AgentTask",
    "Availability",
    "Bill",
    "CopyLimits",
    "Door",
    "ExecOutcome",
    "Executor",
    "Extractor",
    "Files",
    "Llm",
    "Parser",
    "Proposal",
    "Question",
    "ReadPaper",
    "ReplyT",
    "Sandbox",
    "SandboxBox",
    "SandboxSpec",
    "Standing",
    "TaskFamily",
    "Unanswered",
]

Files = Mapping[str, bytes]
"""Relative POSIX path → content."""

T = TypeVar("T")
R = TypeVar("R")
ReplyT = TypeVar("ReplyT", bound=Frozen)


class Parser(Protocol):
    """Reads one kind of source."""

    name: str

    def parse(self, source: Source, paper_id: str) -> Parsed:
        """Read a paper.

        Raises:
            UnreadablePaperError: it cannot be read; the message says why and what to do.
        """
        ...


@dataclass(frozen=True)
class ReadPaper:
    """A parsed paper as later stages read it back from `00-parse/`; `figures` holds the image files by name."""

    document: Document
    words: tuple[PageWords, ...]
    figures: Files = field(default_factory=dict)
    charts: tuple[Chart, ...] = ()


class Extractor(Protocol):
    """Proposes claims; what it proposes is trusted only after grounding.

    `prompts` holds the sha256 of each prompt that it asks with, by file name; none without a model.
    """

    name: str
    prompts: Mapping[str, str]

    def extract(self, paper: ReadPaper) -> tuple[Candidate, ...]:
        """All claims found, quantified or not, most important first; deterministic for the rules extractor."""
        ...

    def records(self) -> Mapping[str, Frozen]:
        """What it keeps of the last paper for people, as files of `01-extract/`."""
        ...


@dataclass(frozen=True)
class Question:
    """One call of a model, whole: nothing else of the paper or of earlier calls reaches it.

    `step` chooses the model in `[llm]` of the configuration and is the key of usage. `prompt` names the prompt file
    (`llm/extract`), `version` its version. `images` are PNG files.
    """

    step: Step
    prompt: str
    version: str
    system: str
    user: str
    images: tuple[bytes, ...] = ()


@dataclass(frozen=True)
class Unanswered:
    """No reply that can be used, as a value.

    `budget`: a cap would be passed, nothing was sent; `too_long`: the question does not fit the model; `refused`: the
    model declined; `cut_short`: the reply ended at its length limit; `no_fit`: it did not fit its schema, nor did a
    second one that was shown the error.
    """

    reason: Literal["budget", "too_long", "refused", "cut_short", "no_fit"]
    detail: str


class Llm(Protocol):
    """A language model behind structured replies; what it says is trusted no more than any other proposal.

    `name` says which models answer, as the manifest records it.
    """

    name: str

    def ask(self, question: Question, reply: type[ReplyT]) -> ReplyT | Unanswered:
        """One reply that fits its model; the same question again is answered from the cache.

        Raises:
            ModelUnavailableError: the endpoint is out of reach, refuses us, or fails again and again.
        """
        ...

    def ask_all(self, questions: Sequence[Question], reply: type[ReplyT]) -> tuple[ReplyT | Unanswered, ...]:
        """The same for many, several at once up to the configured limit; replies in the order of the questions."""
        ...


@dataclass(frozen=True)
class Availability:
    """Whether something works on this machine, and in one line why not and what would make it work."""

    works: bool
    detail: str


@dataclass(frozen=True)
class Door:
    """The host's end of the one way out of a sandbox: listening sockets, by name.

    Inside, `/door/NAME` is the other end. Every local user may knock, so whoever serves a socket asks for a token and
    decides what passes; the sandbox itself has no network. `relay` starts a command for which a port of loopback leads
    to a socket: the line is `(*relay, name, port, "--", *command)`.
    """

    sockets: Mapping[str, socket]
    relay: tuple[str, ...]


@dataclass(frozen=True)
class SandboxSpec:
    """What a sandbox is made of. Sizes in MiB.

    `run_id` labels everything the backend creates. `env` is the whole environment besides PATH, HOME and LANG.
    `read_only` maps absolute paths inside to host directories and files, mounted read-only; one may stand inside
    another where that has a file of its name.
    `door` names the sockets of the sandbox's door; a sandbox without any reaches nothing, as every run of the judge.
    """

    run_id: str
    image: str
    env: Mapping[str, str]
    read_only: Mapping[str, Path]
    memory_mib: int
    cpus: float
    pids: int
    workspace_mib: int
    file_mib: int
    door: tuple[str, ...] = ()


@dataclass(frozen=True)
class ExecOutcome:
    """How one command ended; `output` is stdout and stderr interleaved, cut at the limit (`truncated`)."""

    exit_code: int | None
    timed_out: bool
    out_of_memory: bool
    output: bytes
    truncated: bool
    seconds: float


@dataclass(frozen=True)
class CopyLimits:
    """Bounds on what is copied out; with `one_file` the path must be a plain file, and no directory."""

    max_files: int
    max_bytes: int
    max_file_bytes: int
    one_file: bool = False


class SandboxBox(Protocol):
    """One living sandbox: an own root, no network, an unprivileged uid, one writable directory `/workspace`.

    `door` is there exactly when the spec names sockets for it.
    """

    door: Door | None

    def put(self, files: Files, *, executable: Iterable[str] = ()) -> None:
        """Write plain files below /workspace (0644, or 0755 where listed), owned by the sandbox's user."""
        ...

    def exec(
        self,
        argv: list[str],
        *,
        cwd: str = "/workspace",
        env: Mapping[str, str] | None = None,
        timeout_s: float,
        output_bytes: int,
        on_output: Callable[[bytes], None] | None = None,
    ) -> ExecOutcome:
        """Run one command to its end or its time-out; a time-out kills everything that it started.

        Raises:
            InfrastructureError: the engine failed.
        """
        ...

    def stop_processes(self) -> None:
        """Kill everything inside; after it nothing of the sandbox runs, and its files can still be got."""
        ...

    def get(self, path: str, limits: CopyLimits) -> Files:
        """Plain files below an absolute path inside, copied out by a strict reader.

        Raises:
            RefusedFileError: a link, device, bad name, or a limit was met (`reproducegym.pipeline.judging.transfer`).
            InfrastructureError: the engine failed.
        """
        ...


@dataclass(frozen=True)
class Standing:
    """A thing of a sandbox that stands on this machine or engine: a container, a volume, a directory.

    `dead` says that its owner surely runs no more, `expired` that its time to live is over. Either makes it removable.
    """

    kind: str
    name: str
    run_id: str
    owner: str
    dead: bool
    expired: bool


class Sandbox(Protocol):
    """A backend that makes sandboxes."""

    name: str

    def availability(self) -> Availability:
        """Whether it works here, tried and not guessed."""
        ...

    def image_id(self, image: str) -> str:
        """The digest by which agent and re-run use the same image.

        Raises:
            SandboxUnavailableError: there is no such image; the message says how to get it.
        """
        ...

    def create(self, spec: SandboxSpec) -> AbstractContextManager[SandboxBox]:
        """Make a sandbox; leaving the context destroys it, also on Ctrl-C and errors."""
        ...

    def standing(self) -> tuple[Standing, ...]:
        """Everything of any sandbox of this backend that stands now, whosoever it is."""
        ...

    def reap(self) -> int:
        """Remove what dead owners left behind, and what has outlived its time; returns how many things."""
        ...


@dataclass
class Bill:
    """What an agent has spent on its models, and its way out has carried; also where it fails and leaves no record.

    None where it asked no model, or had no way out.
    """

    usage: AgentUsage | None = None
    model: str | None = None
    egress: EgressUsage | None = None


@dataclass(frozen=True)
class AgentTask:
    """What an agent is given: the instructions, and its wall-clock budget in seconds.

    `trace` is an empty private directory of the host. What is written there, by the agent or by what serves its door,
    is kept with the attempt; it has to be whole at every moment, for a driver that is killed leaves it as it stands.
    `poll_s` is how often, in seconds, a whole run in the background is worth a look. `bill` is where an agent that asks
    models writes what it spent, whatever its end.
    """

    instructions: str
    timeout_s: float
    output_bytes: int
    trace: Path
    poll_s: int = 60
    bill: Bill = field(default_factory=Bill)


class Agent(Protocol):
    """Works in a sandbox on a task and leaves a workspace. One agent may work in several sandboxes at once.

    `mounts` are host directories that it needs inside, read-only (`SandboxSpec.read_only`); `door` names the sockets
    that it serves (`SandboxSpec.door`).
    """

    name: str
    mounts: Mapping[str, Path]
    door: tuple[str, ...]

    def run(self, task: AgentTask, box: SandboxBox) -> AgentRecord:
        """Do the work; a bad rollout is a record, not an exception.

        Raises:
            InfrastructureError: the engine failed.
            ModelUnavailableError: its models refuse us.
        """
        ...


class Executor(Protocol):
    """Where pieces of work run."""

    name: str

    def map(self, work: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Apply work to all items, in order of items, with a bound on how many at once."""
        ...

    def as_done(self, work: Callable[[T], R], items: Iterable[T]) -> Generator[R, None, None]:
        """The same, with results as they come; an item is taken when there is room to begin with it at once."""
        ...


@dataclass(frozen=True)
class Proposal:
    """A claim and what became of it.

    `proposed_by` names the extractors that found it; `disagreement` says how another one reads the same sentence or
    cells, None where nobody does.
    """

    candidate: Candidate
    claim_uid: str
    outcome: ClaimSpec | Rejected
    proposed_by: tuple[str, ...]
    disagreement: str | None = None


class TaskFamily(Protocol):
    """Where tasks come from. Families differ in where truth comes from, never in how a reward is computed.

    `extractor_name` says what proposes the claims, `model` which language model it asks, None for none, and `prompts`
    with which prompts (sha256 by file name), `host_model` the sha256 of an operator's model of the paper, None for
    none; all are part of what built a task.
    """

    name: str
    extractor_name: str
    model: str | None
    prompts: Mapping[str, str]
    host_model: str | None

    def propose(self, source: ReadPaper) -> Iterator[Proposal]:
        """Every candidate of a source, compiled or refused."""
        ...

    def records(self) -> Mapping[str, Frozen]:
        """What is kept of the last source for people, as files of `01-extract/`."""
        ...

    def brief(self, spec: ClaimSpec, source: ReadPaper) -> Files:
        """Everything that the agent may see, as files below `input_files/`."""
        ...

    def contract(self, spec: ClaimSpec) -> Contract:
        """How a submission is scored."""
        ...


Backend = Literal["docker", "namespaces"]
