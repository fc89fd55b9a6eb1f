"""`reproducegym trace`: what an agent and its models said, for reading and for training."""

import json
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, assert_never

import typer

from agent_trace.export import Outcome, atif, raw_lines, rl_lines, sft_lines, summarised
from agent_trace.export.atif import NothingCompletedError
from agent_trace.merge import merged
from agent_trace.reading import TornTail, Trace, read_trace
from agent_trace.trajectory import Branch, Trajectory, Turn
from agent_trace.tree import Object
from reproducegym import __version__
from reproducegym.cli.options import AsJson
from reproducegym.cli.voice import answer, counted, say, warn
from reproducegym.errors import MisuseError, NotFoundError, ReproduceGymError
from reproducegym.pipeline.files import read_file, write_file
from reproducegym.schema.reading import read_json
from reproducegym.schema.run import Result

__all__ = ["app"]

app = typer.Typer(help="Read the records of a run, and write them in other formats.", no_args_is_help=True)
_WIDTH = 100
_TRACE = "trace"

Records = Annotated[
    Path,
    typer.Argument(
        help="A directory of records-*.jsonl, or an attempt that has one.",
        readable=False,
        show_default=False,
        metavar="DIR",
    ),
]


class Format(StrEnum):
    """What `export` writes."""

    RAW = "raw"
    SFT = "sft"
    RL = "rl"
    ATIF = "atif"
    SUMMARY = "summary"


@app.command("show")
def show(directory: Records, as_json: AsJson = False) -> None:
    """What was said, branch by branch, and what it took.

    Example: reproducegym trace show examples/traces/two-steps
    """
    trace = _read(directory)
    trajectory = merged(trace)
    summary = summarised(trace.records)
    if as_json:
        branches = [_branch(one) for one in trajectory.branches]
        answer({"summary": summary.model_dump(mode="json"), "branches": list(branches)})
    for branch in trajectory.branches:
        of = "" if branch.parent is None else f" of {branch.parent}, from turn {branch.shared + 1}"
        say(f"{branch.id}  {branch.kind}{of}")
        for number, turn in enumerate(branch.own, branch.shared + 1):
            say(f"  {number:3}  {_told(trajectory, turn)}")
    dollars = "an unknown price" if summary.cost_usd is None else f"{summary.cost_usd:f} dollars"
    tokens = f"{summary.usage.prompt} tokens in ({summary.usage.cached} cached), {summary.usage.completion} out"
    say(
        f"{counted(summary.requests, 'request')}, {summary.failed} failed; {tokens}; {dollars}; {summary.seconds:.1f} s"
    )


@app.command("export")
def export(
    directory: Records,
    form: Annotated[Format, typer.Option("--format", help="What to write.", show_default=False)],
    out: Annotated[Path, typer.Option("--out", help="The file to write.", readable=False, show_default=False)],
    reward: Annotated[
        float | None, typer.Option(help="The run's reward, for training lines; an attempt knows its own.")
    ] = None,
    group: Annotated[str | None, typer.Option(help="The group whose runs are compared (advantage group).")] = None,
    task: Annotated[str | None, typer.Option(help="The task's name, also known to an attempt.")] = None,
    as_json: AsJson = False,
) -> None:
    """Records as JSON lines (raw), training lines (sft, rl), an ATIF trajectory that Harbor reads, or a summary.

    Example: reproducegym trace export examples/traces/two-steps --format sft --out runs/sft.jsonl --reward 1.0
    """
    if reward is not None and not 0 <= reward <= 1:
        raise MisuseError(f"--reward {reward:g}: a reward is a number from 0 to 1")
    trace = _read(directory)
    lines = _write(trace, form, out, _outcome(directory, reward, group, task))
    if as_json:
        answer({"out": str(out), "lines": lines})
    say(f"{counted(lines, 'line')} in {out}" if form not in (Format.ATIF, Format.SUMMARY) else f"written to {out}")


def _write(trace: Trace, form: Format, out: Path, outcome: Outcome) -> int:
    """Write the file; gives how many lines it has."""
    match form:
        case Format.RAW:
            return _lines(out, raw_lines(trace))
        case Format.SFT:
            return _lines(out, sft_lines(merged(trace), outcome))
        case Format.RL:
            return _lines(out, rl_lines(merged(trace), outcome))
        case Format.SUMMARY:
            write_file(out, (summarised(trace.records).model_dump_json(indent=2) + "\n").encode())
        case Format.ATIF:
            try:
                document = atif(merged(trace), "reproducegym", __version__, outcome)
            except NothingCompletedError as error:
                raise ReproduceGymError(f"{trace.directory}: {error}; there is no trajectory to write") from error
            for path, picture in document.files.items():
                write_file(out.parent / path, picture)
            write_file(out, (json.dumps(document.trajectory, indent=2, ensure_ascii=False) + "\n").encode())
        case _:
            assert_never(form)
    return 1


def _lines(out: Path, lines: Iterable[Object]) -> int:
    written = [json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in lines]
    write_file(out, "".join(written).encode("utf-8", "replace"))
    return len(written)


def _outcome(directory: Path, reward: float | None, group: str | None, task: str | None) -> Outcome:
    """What is said of the run: what was named, else what the attempt's result says."""
    place = directory / "result.json"
    said = read_file(place)
    if said is None:
        if directory.name.isdigit() and (directory / _TRACE).is_dir():
            warn(f"{place} is missing: the lines know of this attempt only what --reward, --group and --task say")
        return Outcome(reward, group, task)
    advice = f"put the file back, or export {directory / _TRACE} with --reward, --group and --task"
    result = read_json(Result, said, str(place), advice=advice)
    return Outcome(
        result.reward if reward is None else reward,
        result.task_id if group is None else group,
        result.task_id if task is None else task,
    )


def _read(directory: Path) -> Trace:
    if (directory / _TRACE).is_dir():
        directory = directory / _TRACE
    try:
        trace = read_trace(directory)
    except OSError as error:
        raise NotFoundError(f"no records at {directory}: name a directory that holds records-*.jsonl") from error
    for fault in trace.faults:
        where = f"{fault.path}:{fault.line}"
        warn(f"{where}: cut off in the middle" if isinstance(fault, TornTail) else f"{where}: no record: {fault.why}")
    return trace


def _branch(branch: Branch) -> Object:
    told: Object = {"id": branch.id, "kind": branch.kind, "parent": branch.parent, "shared": branch.shared}
    return {**told, "turns": len(branch.turns), "call_id": branch.call_id, "records": list(branch.records)}


def _told(trajectory: Trajectory, turn: Turn) -> str:
    message = turn.message
    calls = "; ".join(f"{call.name}({call.arguments})" for call in message.calls)
    results = "; ".join(str(part.text) for one in message.results for part in one.parts if hasattr(part, "text"))
    words = " ".join(f"{message.text} {calls} {results}".split())
    line = f"{message.role:9}  {words if len(words) <= _WIDTH else words[: _WIDTH - 1] + '…'}"
    if not turn.records:
        return line
    record = trajectory.records[turn.records[0]]
    took = (
        f"{record.timing.total_s:.1f} s"
        if record.usage is None
        else f"{record.usage.completion} tokens, {record.timing.total_s:.1f} s"
    )
    return f"{line}  [{took}{'' if record.succeeded else ', ' + record.end}]"
