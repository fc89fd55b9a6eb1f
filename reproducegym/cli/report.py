"""`reproducegym report`: what attempts tell about each task's reward, as a page and as JSON; and quarantine."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, get_args

import typer

from reproducegym import __version__
from reproducegym.cli.options import AsJson, PaperDirectory, Runs
from reproducegym.cli.voice import answer, counted, say, warn
from reproducegym.dataset import load_manifest
from reproducegym.errors import MisuseError, NotFoundError, SchemaError
from reproducegym.pipeline.files import write_file
from reproducegym.pipeline.store import PaperStore
from reproducegym.pipeline.store.batches import Batches
from reproducegym.reporting.page import page
from reproducegym.reporting.statistics import Bounds, task_statistics
from reproducegym.schema.listed import ListedTask
from reproducegym.schema.quarantine import Quarantine, Quarantined
from reproducegym.schema.run import Result
from reproducegym.schema.statistics import Group, GroupAgents, RewardStatistics, TaskStatistics

__all__ = ["report"]

_SHOWN = 20


def _agents(kind: str) -> object:
    return typer.Option(
        f"--{kind}", help=f"Agents that are {kind}: a pattern of what --agent said.", show_default=False
    )


def report(
    paper: PaperDirectory = None,
    runs: Runs = Path("runs"),
    reference: Annotated[list[str] | None, _agents("reference")] = None,
    lazy: Annotated[list[str] | None, _agents("lazy")] = None,
    cheat: Annotated[list[str] | None, _agents("cheat")] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a page of HTML here.", readable=False, show_default=False)
    ] = None,
    spread: Annotated[
        float,
        typer.Option(
            "--spread", min=0, max=1, help="Most that verifications of one submission may differ by, on average."
        ),
    ] = Bounds().spread,
    quarantine: Annotated[
        bool, typer.Option("--quarantine", help="Put what is unfit into quarantine, and let out what is not.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Statistics of all stored attempts: mean, spread, what tells reference from lazy and cheat, what cheats are paid.

    Example: reproducegym report --runs runs --reference '*/solution/*' --cheat '*/cheats/*' --html report.html
    """
    tasks = load_manifest(runs if paper is None else paper, quarantined=True)
    if tasks.runs is None:
        raise MisuseError("a report is made of a directory of papers; name it with --runs, or a paper with --paper")
    agents = _Agents(tasks.runs)
    kinds = _Kinds({"reference": reference or [], "lazy": lazy or [], "cheat": cheat or []})
    bounds = Bounds(spread=spread)
    found: list[TaskStatistics] = []
    damaged: list[str] = []
    for task in tasks:
        results = _results(PaperStore(tasks.runs, task.paper_id), task, damaged)
        found.append(
            task_statistics(task, [(one, kinds.of(agents.name(one, batch))) for one, batch in results], bounds)
        )
    if quarantine:
        found = _put_away(found, tasks.runs)
    told = RewardStatistics(schema_version=1, agents=kinds.agents(), tasks=tuple(found), damaged=tuple(damaged))
    if html is not None:
        write_file(html, page(told, bounds, __version__).encode())
    if as_json:
        answer(told.model_dump(mode="json"))
    _say(told, html)
    for line in kinds.unmet():
        warn(line)


class _Kinds:
    """Sorts agents by the patterns that were given for each kind, and remembers whom it has met."""

    def __init__(self, patterns: Mapping[Group, Sequence[str]]) -> None:
        self._patterns, self._met = patterns, dict[str, Group]()

    def of(self, agent: str) -> Group:
        """The kind of an agent.

        Raises:
            MisuseError: patterns of two kinds fit.
        """
        if agent not in self._met:
            fitting = [kind for kind, given in self._patterns.items() if any(fnmatchcase(agent, one) for one in given)]
            if len(fitting) > 1:
                raise MisuseError(
                    f"agent {agent} is named as {fitting[0]} and as {fitting[1]}; make the patterns narrower"
                )
            self._met[agent] = fitting[0] if fitting else "other"
        return self._met[agent]

    def agents(self) -> tuple[GroupAgents, ...]:
        """Who counted as what."""
        found = {kind: tuple(sorted(one for one, met in self._met.items() if met == kind)) for kind in get_args(Group)}
        return tuple(GroupAgents(group=kind, agents=agents) for kind, agents in found.items() if agents)

    def unmet(self) -> tuple[str, ...]:
        """A line for each pattern that fits nobody: what it was to count is missing from the statistics."""
        there = ", ".join(sorted(self._met)[:_SHOWN]) or "none, for there are no attempts"
        return tuple(
            f"--{kind} {one}: no agent is named so; there are: {there}"
            for kind, given in self._patterns.items()
            for one in given
            if not any(fnmatchcase(agent, one) for agent in self._met)
        )


class _Agents:
    """Agents by the words with which they were ordered: a script's own name is not enough to tell it."""

    def __init__(self, runs: Path) -> None:
        self._batches, self._known = Batches(runs), dict[str, str]()

    def name(self, result: Result, batch: str | None) -> str:
        """The order's words, or the agent's own name where the order is gone."""
        if batch is None:
            return result.agent.agent
        if batch not in self._known:
            try:
                self._known[batch] = self._batches.read(batch).agent
            except (NotFoundError, SchemaError):
                self._known[batch] = result.agent.agent
        return self._known[batch]


def _results(store: PaperStore, task: ListedTask, damaged: list[str]) -> list[tuple[Result, str | None]]:
    """Every attempt at a task that can be read, with the batch that ordered it; `damaged` hears of the others."""
    batches = {
        line.attempt: line.batch_id
        for line in store.attempt_lines()
        if (line.claim_id, line.spec_hash) == (task.claim_id, task.spec_hash)
    }
    found: list[tuple[Result, str | None]] = []
    for number in store.attempts(task.claim_id, task.spec_hash):
        try:
            result = store.read_result(task.claim_id, task.spec_hash, number)
            found.append((result, batches.get(number)))
        except SchemaError as error:
            damaged.append(str(error))
    return found


def _put_away(found: Sequence[TaskStatistics], runs: Path) -> list[TaskStatistics]:
    """Write each paper's quarantine as the statistics have it; a task without attempts stays where it is."""
    settled = [
        one.model_copy(update={"quarantine": one.unfit if one.attempts else one.quarantine or one.unfit})
        for one in found
    ]
    for paper in sorted({one.paper_id for one in settled}):
        kept_out = tuple(
            Quarantined(claim_id=one.claim_id, spec_hash=one.spec_hash, reason=one.quarantine)
            for one in settled
            if one.paper_id == paper and one.quarantine is not None
        )
        PaperStore(runs, paper).write_quarantine(Quarantine(schema_version=1, tasks=kept_out))
    return settled


def _say(told: RewardStatistics, html: Path | None) -> None:
    attempts = sum(one.attempts for one in told.tasks)
    say(f"{counted(len(told.tasks), 'task')}, {counted(attempts, 'attempt')}")
    for line in told.damaged:
        warn(line)
    unfit = [one for one in told.tasks if one.unfit is not None or one.quarantine is not None]
    for one in unfit[:_SHOWN]:
        state = "in quarantine" if one.quarantine is not None else "unfit"
        warn(f"{state}: {one.task_id}: {one.quarantine or one.unfit}")
    if len(unfit) > _SHOWN:
        warn(f"and {len(unfit) - _SHOWN} more")
    if html is not None:
        say(f"the page is {html}")
