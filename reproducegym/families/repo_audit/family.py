"""The family of repository audits: damaged experiments in, findings out; a seed decides what is where."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from reproducegym.families.auditor.executed.drawing import damaged_of
from reproducegym.families.auditor.executing.effects import committed, key_of
from reproducegym.families.auditor.nouns import Level
from reproducegym.families.repo_audit.compiling import compile_audit
from reproducegym.families.repo_audit.rules_page import counted_rules, rules_page
from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.task import audit_brief
from reproducegym.pipeline.templates import template_digest
from reproducegym.planting.corpus import corpus
from reproducegym.planting.operator import Site
from reproducegym.planting.plant import Damaged, all_operators
from reproducegym.planting.project import BaseProject, base_projects
from reproducegym.ports import Files, Proposal, ReadPaper
from reproducegym.schema.base import Frozen, digest
from reproducegym.schema.claim import Candidate, MetricIdea, Protocol
from reproducegym.schema.contract import Contract
from reproducegym.schema.spec import ClaimSpec

__all__ = ["RepoAudits", "auditor_audits", "source_text"]

_TEMPLATE = "audit.md.j2"
_SEEDS_APART = 1_000_000
LEVELS: tuple[Level, ...] = ("easy", "medium", "hard")
_STATEMENT = (
    "An experiment's repository is said to give the same numbers to everybody who runs it. Find what keeps it from "
    "that: every defect of the listed kinds, and where it is."
)


def source_text(family: str, seed: int) -> str:
    """The card that stands in a paper's place: what the tasks are, in Markdown."""
    return (
        f"# Planted defects, family {family}, seed {seed}\n\n"
        "Experiments that were written for this purpose are damaged in known places. The tasks ask for these places.\n"
    )


def auditor_audits(n: int, seed: int) -> "RepoAudits":
    """Episodes of the auditor environment as audits, levels in turn; fixes are not asked for."""
    episodes = (
        damaged_of(LEVELS[number % len(LEVELS)], seed * _SEEDS_APART + number, "train", allows=_has_effect)
        for number in range(n)
    )
    return RepoAudits(n, seed, name="auditor", episodes=episodes)


class RepoAudits:
    """Damaged repositories of the synthetic corpus: each is a task whose truth is what was planted, and where.

    The source tells no more than its name: the seed decides everything, and more tasks of one seed begin as fewer do.
    """

    extractor_name = "planted"
    model: str | None = None
    host_model: str | None = None

    def __init__(
        self, n: int, seed: int, *, name: str = "repo_audit", episodes: Iterable[Damaged] | None = None
    ) -> None:
        """Take how many tasks, and the seed; `episodes` are damaged projects of another choice than the corpus."""
        self.name = name
        self._episodes = tuple(corpus(n, seed, _has_effect) if episodes is None else islice(episodes, n))
        self._rules = counted_rules(all_operators())
        self.prompts: Mapping[str, str] = {_TEMPLATE: template_digest(_TEMPLATE), "projects": _projects_digest()}

    def propose(self, source: ReadPaper) -> Iterator[Proposal]:
        """Every repository; none is refused before it is built."""
        paper_id = source.document.paper_id
        for number, damaged in enumerate(self._episodes, 1):
            uid = f"clm_{digest(f'{paper_id} {number}'.encode())[:16]}"
            spec = compile_audit(damaged, self._rules, self.name, paper_id, number, uid, _STATEMENT)
            yield Proposal(_candidate(spec), uid, spec, (self.extractor_name,))

    def records(self) -> Mapping[str, Frozen]:
        """Nothing: what was planted stands in each spec."""
        return {}

    def brief(self, spec: ClaimSpec, source: ReadPaper) -> Files:
        """The damaged repository, the rules that count, and the task's words."""
        damaged = self._episodes[int(spec.claim_id[1:].partition("_")[0]) - 1]
        return audit_brief(spec, damaged.files, rules_page(self._rules))

    def contract(self, spec: ClaimSpec) -> Contract:
        """How findings are scored."""
        return contract_of(spec)


def _has_effect(project: BaseProject, site: Site) -> bool:
    """Whether a site was not measured to change nothing, or to break the project."""
    measured = committed().instances.get(key_of(project, site.id, site.edits))
    return measured is None or measured.used


def _projects_digest() -> str:
    """sha256 over the base projects, whose files are no part of the program."""
    return digest("".join(f"{digest(one.to_json().encode())} {one.name}\n" for one in base_projects()).encode())


def _candidate(spec: ClaimSpec) -> Candidate:
    """What the report of claims shows of an audit."""
    return Candidate(
        statement=spec.statement,
        agent_statement=spec.agent_statement,
        title=spec.title,
        claim_type=spec.claim_type,
        pattern="unquantified",
        anchors=(),
        metric=MetricIdea(name="score", unit="", kind="score", direction="higher_is_better"),
        points=(),
        conditions=(),
        protocol=Protocol(method=None, dataset=None, evaluation=None, numbers=()),
        budget_knob=None,
        requires_training=False,
        requires_gpu=False,
        cost="S",
        importance=0,
        doubts=(),
    )
