"""`reproducegym dataset`: built tasks as a data set that trainers load."""

from collections import Counter
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue

from reproducegym import __version__
from reproducegym.cli.options import AsJson
from reproducegym.cli.voice import answer, counted, say, warn
from reproducegym.dataset import load_manifest
from reproducegym.errors import MisuseError
from reproducegym.schema.listed import ListedTask

__all__ = ["app"]

app = typer.Typer(help="Tasks as a data set: show, choose, split and write them.", no_args_is_help=True)

Source = Annotated[
    Path,
    typer.Argument(
        help="A paper's directory, one of many papers, a task_manifest.json, or a data set.",
        readable=False,
        show_default=False,
    ),
]


class FormChoice(StrEnum):
    """What rows are written as."""

    PARQUET = "parquet"
    JSONL = "jsonl"


def _words(flag: str, what: str) -> object:
    return typer.Option(flag, help=f"Only tasks of this {what}; may be repeated.", show_default=False)


Levels = Annotated[list[str] | None, _words("--evidence-level", "evidence level")]
Families = Annotated[list[str] | None, _words("--family", "family")]
Costs = Annotated[list[str] | None, _words("--cost", "cost: S, M, L, XL")]
Difficulties = Annotated[list[str] | None, _words("--difficulty", "difficulty")]
Papers = Annotated[list[str] | None, _words("--only-paper", "paper, by its id")]
Licences = Annotated[list[str] | None, _words("--licence", "licence of the paper")]
Gpu = Annotated[bool | None, typer.Option("--gpu/--no-gpu", help="Only tasks that need a GPU, or none.")]
Resistant = Annotated[
    bool | None,
    typer.Option("--memory-resistant/--not-memory-resistant", help="Only tasks that remembered numbers do not solve."),
]
Quarantined = Annotated[bool, typer.Option("--quarantined", help="Take tasks in quarantine, too.")]


@app.command("show")
def show(
    source: Source,
    evidence_level: Levels = None,
    family: Families = None,
    cost: Costs = None,
    difficulty: Difficulties = None,
    only_paper: Papers = None,
    licence: Licences = None,
    gpu: Gpu = None,
    memory_resistant: Resistant = None,
    quarantined: Quarantined = False,
    as_json: AsJson = False,
) -> None:
    """How many tasks there are of each kind, and which are in quarantine.

    Example: reproducegym dataset show runs --cost S --memory-resistant
    """
    tasks = load_manifest(source, quarantined=quarantined).filter(
        evidence_level=evidence_level,
        family=family,
        cost=cost,
        difficulty=difficulty,
        paper=only_paper,
        licence=licence,
        requires_gpu=gpu,
        memory_resistant=memory_resistant,
    )
    counts = {what: dict(Counter(map(of, tasks)).most_common()) for what, of in _SHOWN.items()}
    if as_json:
        kept_out: dict[str, JsonValue] = {task.task_id: task.quarantine for task in tasks.quarantined}
        told: dict[str, JsonValue] = {what: dict(found) for what, found in counts.items()}
        answer({"tasks": len(tasks), "papers": list(tasks.papers), "counts": told, "quarantined": kept_out})
    say(f"{counted(len(tasks), 'task')} of {counted(len(tasks.papers), 'paper')}")
    for what, found in counts.items():
        say(f"{what}: " + (", ".join(f"{word} {number}" for word, number in found.items()) or "none"))
    for task in tasks.quarantined:
        warn(f"in quarantine: {task.task_id}: {task.quarantine}")


@app.command("write")
def write(
    source: Source,
    out: Annotated[
        Path, typer.Option("--out", help="The new data set's directory.", readable=False, show_default=False)
    ],
    split: Annotated[
        list[str] | None,
        typer.Option("--split", help="NAME=FRACTION of papers, as train=0.9; may be repeated.", show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Draws which paper falls into which split.")] = 0,
    form: Annotated[FormChoice, typer.Option("--format", help="What rows are written as.")] = FormChoice.PARQUET,
    name: Annotated[str, typer.Option("--name", help="What the card calls it.")] = "ReproduceGym tasks",
    prompts: Annotated[bool, typer.Option("--prompts/--no-prompts", help="Write what agents are told, too.")] = True,
    evidence_level: Levels = None,
    family: Families = None,
    cost: Costs = None,
    difficulty: Difficulties = None,
    only_paper: Papers = None,
    licence: Licences = None,
    gpu: Gpu = None,
    memory_resistant: Resistant = None,
    quarantined: Quarantined = False,
    as_json: AsJson = False,
) -> None:
    """Write tasks as Parquet or JSONL with a card, as Hugging Face `datasets` loads them.

    Example: reproducegym dataset write runs --out tasks --split train=0.9 --split test=0.1
    """
    from reproducegym.dataset.writing import write_dataset

    fractions = _fractions(split or ["train=1"])
    tasks = load_manifest(source, quarantined=quarantined, prompts=prompts).filter(
        evidence_level=evidence_level,
        family=family,
        cost=cost,
        difficulty=difficulty,
        paper=only_paper,
        licence=licence,
        requires_gpu=gpu,
        memory_resistant=memory_resistant,
    )
    parts = tasks.split(fractions, seed=seed)
    if prompts and tasks.runs is not None:
        parts = {part: found.with_prompts() for part, found in parts.items()}
    write_dataset(out, parts, form.value, name, __version__)
    if as_json:
        answer({"out": str(out), "tasks": {part: len(found) for part, found in parts.items()}})
    for part, found in parts.items():
        say(f"{part}: {counted(len(found), 'task')} of {counted(len(found.papers), 'paper')}")
        if not found:
            warn(f"{part} is empty and was not written: no paper falls into it; fractions are of papers")
    say(f"the data set is in {out}; its card is {out / 'README.md'}")


_SHOWN: dict[str, Callable[[ListedTask], str]] = {
    "evidence level": lambda task: task.evidence_level,
    "family": lambda task: task.family,
    "cost": lambda task: task.cost,
    "difficulty": lambda task: task.difficulty,
    "memory resistant": lambda task: "yes" if task.memory_resistant else "no",
    "licence": lambda task: task.licence,
}


def _fractions(given: list[str]) -> dict[str, float]:
    """Splits as the command line names them.

    Raises:
        MisuseError: one is no NAME=FRACTION, or a name stands twice.
    """
    found: dict[str, float] = {}
    for text in given:
        part, _, fraction = text.partition("=")
        try:
            number = float(fraction)
        except ValueError as error:
            raise MisuseError(f"--split {text}: give a name and a fraction, as train=0.9") from error
        if part in found:
            raise MisuseError(f"--split {text}: {part} was given already")
        found[part] = number
    return found
