"""`reproducegym demo`: the main job on the bundled sample paper, end to end, with its promises checked."""

import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

import typer
from pydantic import JsonValue
from rich.table import Table
from rich.text import Text

from reproducegym.adapters.agents import script_agent
from reproducegym.cli import wiring
from reproducegym.cli.options import AsJson, SandboxChoice, SandboxName
from reproducegym.cli.voice import answer, counted, say, stderr, warn
from reproducegym.errors import InfrastructureError, NotFoundError
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.pipeline.judging.verify import Order
from reproducegym.pipeline.parse import parse
from reproducegym.pipeline.run import read_order, run_attempt
from reproducegym.pipeline.store import PaperStore
from reproducegym.pipeline.store.running import owned
from reproducegym.ports import Agent
from reproducegym.resources import shipped
from reproducegym.schema.base import Frozen
from reproducegym.schema.claim import Provenance
from reproducegym.schema.spec import ClaimSpec, Target

__all__ = ["Row", "demo", "tried"]

_PAPER = ("examples", "papers", "optimism-small-budgets")
_SCRIPTS = MappingProxyType({"reference": "solution", "typed": "cheats/typed_numbers", "nothing": "cheats/nothing"})
_TASKS = 7
"""The claims that the sample paper states in so many words come first."""
_ENOUGH_S = 70.0
_FLOOR = 0.9
_LONGEST = timedelta(hours=2)


class Row(Frozen):
    """One task of the demo and what its three attempts earned."""

    claim_id: str
    title: str
    target: str
    reference: float | None
    typed_numbers: float | None
    nothing: float | None

    def kept(self) -> bool:
        """Whether the honest work is paid and the cheats are not."""
        return self.reference is not None and self.reference >= _FLOOR and self.typed_numbers == 0 == self.nothing


def demo(
    out: Annotated[Path, typer.Option("--out", help="Where papers are kept.", readable=False)] = Path("runs"),
    sandbox: SandboxName = SandboxChoice.AUTO,
    as_json: AsJson = False,
) -> int:
    """Parse the sample paper, build its tasks, run the reference solution and two cheats, and score them.

    Needs no key, no network and no GPU. Exit code 1 when a promise does not hold.

    Example: reproducegym demo --out runs
    """
    from reproducegym.parsing.sources import read_pdf
    from reproducegym.pipeline.build import build

    began = time.monotonic()
    sample = _sample()
    settings = wiring.config(None)
    judge = wiring.judge(sandbox, settings)
    source = read_pdf(sample / "paper.pdf")
    store = PaperStore(out, sample.name)
    document = parse(store, wiring.parser(source), source)
    size = f"{counted(len(document.pages), 'page')}, {counted(len(document.tables), 'table')}"
    say(f"parsed “{document.title}” ({size})")
    family = wiring.proposing("rules", settings, store).family()
    manifest = build(store, family, settings, claim_ids=(), max_claims=_TASKS, refresh=True, progress=say)
    workers = {name: script_agent(sample / place / "solve.sh") for name, place in _SCRIPTS.items()}
    rows: list[Row] = []
    for task in manifest.tasks:
        if rows and time.monotonic() - began > _ENOUGH_S:
            break
        rows.append(tried(store, read_order(store, task.claim_id, task.spec_hash), workers, judge))
    if as_json:
        shown: list[JsonValue] = [row.model_dump(mode="json") for row in rows]
        answer({"paper_dir": str(store.root), "sandbox": judge.sandbox.name, "tasks": shown})
    stderr.print(_drawn(rows))
    _say_where(store, rows, [task.claim_id for task in manifest.tasks[len(rows) :]])
    say(f"{sum(row.kept() for row in rows)} of {len(rows)} kept the promise, in {time.monotonic() - began:.0f} s")
    return _exit_code(rows)


def _say_where(store: PaperStore, rows: list[Row], left: list[str]) -> None:
    """What was not tried, where everything stands, and how to try more."""
    if left:
        say(f"{counted(len(left), 'more task')} built and not tried here, to be quick: {', '.join(left)}")
    say(f"look at {store.root / 'CLAIMS.md'} (claims and their quotes) and {store.root / '04-run'} (attempts)")
    for claim_id in (left or [row.claim_id for row in rows])[:1]:
        script = _sample() / _SCRIPTS["reference"] / "solve.sh"
        say(f"next: reproducegym run --paper {store.root} --claim-id {claim_id} --agent script:{script}")


def _sample() -> Path:
    """Directory of the sample paper.

    Raises:
        NotFoundError: this installation has no examples.
    """
    try:
        return shipped(*_PAPER)
    except FileNotFoundError as error:
        raise NotFoundError("the sample paper is part of the source checkout: clone it and run make demo") from error


def tried(store: PaperStore, order: Order, workers: Mapping[str, Agent], judge: Judge) -> Row:
    """One attempt by each worker, kept like any others; a second one of honest work whose seeds were unlucky."""
    rewards = {name: _attempted(store, order, name, worker, judge) for name, worker in workers.items()}
    paid = rewards["reference"]
    if paid is not None and paid < _FLOOR:
        say(f"{order.entry.claim_id}: the reference earned {paid:.2f}; 3 of 100 draws of seeds do that, so once more")
        rewards["reference"] = _attempted(store, order, "reference", workers["reference"], judge)
    return Row(
        claim_id=order.entry.claim_id,
        title=order.entry.title,
        target=_target(order.spec),
        reference=rewards["reference"],
        typed_numbers=rewards["typed"],
        nothing=rewards["nothing"],
    )


def _attempted(store: PaperStore, order: Order, name: str, worker: Agent, judge: Judge) -> float | None:
    with stderr.status(f"{order.entry.claim_id}: {name}"):
        begun = datetime.now(tz=UTC)
        result = run_attempt(store, order, worker, judge, owned(begun, begun + _LONGEST, None, None)).result
    if result.reward is None:
        warn(f"{order.entry.claim_id}, {name}: not scored ({result.failure_detail})")
    return result.reward


def _target(spec: ClaimSpec) -> str:
    """The first target with the page and quote that it rests on."""
    target = spec.targets[0]
    places = "; ".join(f"p. {place.page} “{place.quote}”" for place in _places(target))
    return f"{_value(target)} ({places})"


def _value(target: Target) -> str:
    """The target to four digits; a relative change in percent."""
    if target.derivation is not None and target.derivation.formula == "(a - b) / b":
        return f"{100 * target.value:.4g}%"
    return f"{target.value:.4g}{target.unit if target.unit in {'%', '×'} else f' {target.unit}'.rstrip()}"


def _places(target: Target) -> tuple[Provenance, ...]:
    if target.derivation is None:
        return target.provenance[:1]
    return tuple(term.provenance[0] for term in target.derivation.inputs)


def _drawn(rows: list[Row]) -> Table:
    table = Table(title="An honest reproduction is paid; typing the paper's numbers is not", title_justify="left")
    table.add_column("claim", overflow="fold")
    table.add_column("target (page, quote)", overflow="fold")
    for heading in ("reference", "typed", "nothing"):
        table.add_column(heading, justify="right")
    for row in rows:
        cells = [_reward(row.reference, good=row.reference is not None and row.reference >= _FLOOR)]
        cells += [_reward(reward, good=reward == 0) for reward in (row.typed_numbers, row.nothing)]
        table.add_row(Text(row.title), Text(row.target), *cells)
    return table


def _reward(reward: float | None, *, good: bool) -> Text:
    return Text("null" if reward is None else f"{reward:.2f}", style="green" if good else "bold red")


def _exit_code(rows: list[Row]) -> int:
    if not rows:
        warn("no task was accepted on the sample paper")
        return 1
    if any(None in (row.reference, row.typed_numbers, row.nothing) for row in rows):
        return InfrastructureError.exit_code
    broken = [row.claim_id for row in rows if not row.kept()]
    if broken:
        warn(f"a promise does not hold for {', '.join(broken)}")
        return 1
    return 0
