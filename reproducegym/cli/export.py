"""`reproducegym export`: built tasks in the formats of other systems."""

from pathlib import Path
from typing import Annotated

import typer

from reproducegym.adapters.exporters.clawgym import export_clawgym
from reproducegym.cli.options import AsJson, PaperDirectory, Runs
from reproducegym.cli.voice import answer, counted, say
from reproducegym.errors import NotFoundError
from reproducegym.pipeline.store import PaperStore, open_paper, papers

__all__ = ["app"]

app = typer.Typer(help="Write built tasks in the format of another system.", no_args_is_help=True)


@app.callback()
def _formats() -> None:
    """Write built tasks in the format of another system."""


@app.command("clawgym")
def clawgym(
    out: Annotated[
        Path, typer.Option("--out", help="The new dataset's directory.", readable=False, show_default=False)
    ],
    paper: PaperDirectory = None,
    runs: Runs = Path("runs"),
    as_json: AsJson = False,
) -> None:
    """A flat dataset as ClawGym's loader reads it; its rewards are of evidence level `artifact`.

    Example: reproducegym export clawgym --out datasets/clawgym
    """
    stores = [open_paper(paper)] if paper is not None else [PaperStore(runs, name) for name in papers(runs)]
    built = [store for store in stores if store.has_manifest()]
    if not built:
        raise NotFoundError(f"no built paper at {paper or runs}; run reproducegym build first")
    done = export_clawgym(built, out)
    if as_json:
        answer({"out": str(out), "tasks": list(done.tasks), "left_out": list(done.left_out)})
    say(f"{counted(len(done.tasks), 'task')} in {out}")
    if done.left_out:
        say(f"left out, because a ClawGym dataset cannot carry the assets that they need: {', '.join(done.left_out)}")
