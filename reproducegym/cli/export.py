"""`reproducegym export`: built tasks in the formats of other systems."""

from collections import Counter
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue

from reproducegym.adapters.exporters.clawgym import LEVEL, export_clawgym
from reproducegym.adapters.exporters.kept import Carried, Exported
from reproducegym.cli import wiring
from reproducegym.cli.options import AsJson, ConfigFile, PaperDirectory, Runs
from reproducegym.cli.voice import answer, counted, say
from reproducegym.errors import MisuseError, NotFoundError
from reproducegym.pipeline.store import PaperStore, open_paper, papers

__all__ = ["app", "built_papers"]

app = typer.Typer(help="Write built tasks in the format of another system.", no_args_is_help=True)


Out = Annotated[Path, typer.Option("--out", help="The new dataset's directory.", readable=False, show_default=False)]
Image = Annotated[
    str | None,
    typer.Option(
        "--image",
        help="What agents and re-runs start from, if not the base image that docker/build-base.sh makes.",
        show_default=False,
    ),
]
Solution = Annotated[
    Path | None,
    typer.Option(
        "--solution",
        help="A directory whose solve.sh leaves a reference solution of the paper in the current directory.",
        readable=False,
        show_default=False,
    ),
]


@app.callback()
def _formats() -> None:
    """Write built tasks in the format of another system."""


@app.command("clawgym")
def clawgym(
    out: Out,
    paper: PaperDirectory = None,
    runs: Runs = Path("runs"),
    as_json: AsJson = False,
) -> None:
    """A flat dataset as ClawGym's loader reads it; its rewards are of evidence level `artifact`.

    Example: reproducegym export clawgym --out datasets/clawgym
    """
    done = export_clawgym(built_papers(paper, runs), out)
    if as_json:
        told: dict[str, JsonValue] = {"out": str(out), "tasks": list(done.tasks), "left_out": list(done.left_out)}
        told |= {"evidence_level": LEVEL, "asked": dict(done.asked)}
        answer(told | {"quarantined": {one.task_id: one.why for one in done.quarantined}})
    say(f"{counted(len(done.tasks), 'task')} in {out}")
    for asked, count in sorted(Counter(done.asked.values()).items()):
        lower = "kept" if asked == LEVEL else f"LOWERED to {LEVEL}"
        say(f"evidence level {asked}, {lower} in {counted(count, 'task')}: a script is run beside the agent's files")
    for one in done.quarantined:
        say(f"left out {one.task_id}: it {one.why}")
    if done.left_out:
        say(f"left out, because a ClawGym dataset cannot carry the assets that they need: {', '.join(done.left_out)}")


@app.command("harbor")
def harbor(
    out: Out,
    paper: PaperDirectory = None,
    runs: Runs = Path("runs"),
    image: Image = None,
    solution: Solution = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Harbor tasks in separate mode, whose verifier's container re-runs the submission.

    Example: reproducegym export harbor --paper runs/optimism-small-budgets --out datasets/harbor
    """
    from reproducegym.adapters.exporters.harbor import export_harbor

    _of_one_paper(solution, paper)
    done = export_harbor(built_papers(paper, runs), out, wiring.config(config).sandbox, image, solution)
    _tell(out, done, as_json=as_json)


def _project(framework: str, about: str) -> None:
    """A command that exports a project for a framework, named as in `adapters.exporters.projects`."""

    @app.command(framework, help=f"{about}\n\nExample: reproducegym export {framework} --out datasets/{framework}")
    def project(
        out: Out,
        paper: PaperDirectory = None,
        runs: Runs = Path("runs"),
        image: Image = None,
        solution: Solution = None,
        config: ConfigFile = None,
        as_json: AsJson = False,
    ) -> None:
        from reproducegym.adapters.exporters.projects import FRAMEWORKS, export_project

        _of_one_paper(solution, paper)
        stores, sandbox = built_papers(paper, runs), wiring.config(config).sandbox
        done = export_project(FRAMEWORKS[framework], stores, out, sandbox, image, solution)
        _tell(out, done, as_json=as_json)


_project("verifiers", "A project with a taskset of verifiers (v1), whose reward our verifier makes on the host.")
_project("inspect", "A project with a Task of inspect-ai, whose scorer asks our verifier on the host.")


@app.command("openenv")
def openenv(out: Out, paper: PaperDirectory = None, runs: Runs = Path("runs"), as_json: AsJson = False) -> None:
    """A directory that OpenEnv validates and serves; the server verifies on its own host.

    Example: reproducegym export openenv --runs runs --out datasets/openenv
    """
    from reproducegym.adapters.exporters.openenv import export_openenv

    _tell(out, export_openenv(built_papers(paper, runs), out), as_json=as_json)


def _of_one_paper(solution: Path | None, paper: Path | None) -> None:
    if solution is not None and paper is None:
        raise MisuseError("--solution is of one paper: name it with --paper")


def built_papers(paper: Path | None, runs: Path) -> list[PaperStore]:
    """The papers that have tasks."""
    stores = [open_paper(paper)] if paper is not None else [PaperStore(runs, name) for name in papers(runs)]
    built = [store for store in stores if store.has_manifest()]
    if not built:
        raise NotFoundError(f"no built paper at {paper or runs}; run reproducegym build first")
    return built


def _tell(out: Path, done: Exported, *, as_json: bool) -> None:
    """Each task with the level that it keeps, once for all that keep theirs alike; and what was left out."""
    if as_json:
        answer(
            {"out": str(out), "tasks": [asdict(one) for one in done.tasks]}
            | {"left_out": [asdict(one) for one in done.left_out]}
        )
    say(f"{counted(len(done.tasks), 'task')} in {out}")
    for (asked, kept, why), alike in groupby(sorted(done.tasks, key=_level), key=_level):
        lower = "kept" if asked == kept else f"LOWERED to {kept}"
        say(f"evidence level {asked}, {lower} in {counted(len(list(alike)), 'task')}: {why}")
    for one in done.left_out:
        say(f"left out {one.task_id}: it {one.why}")


def _level(task: Carried) -> tuple[str, str, str]:
    return task.asked, task.kept, task.why
