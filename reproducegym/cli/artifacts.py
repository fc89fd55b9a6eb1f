"""`reproducegym artifacts`: papers and attempts go to an fsspec URL and come back, on this machine or another."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated

import typer

from reproducegym.adapters.artifacts.moving import (
    Moved,
    papers_of,
    pull_batches,
    pull_paper,
    push_batches,
    push_paper,
)
from reproducegym.adapters.artifacts.warehouse import Warehouse
from reproducegym.cli.options import AsJson, Runs
from reproducegym.cli.voice import answer, counted, say, warn
from reproducegym.errors import NotFoundError
from reproducegym.pipeline.store import PaperStore, papers

__all__ = ["app"]

app = typer.Typer(help="Keep papers and attempts at a URL: file://, s3:// and what fsspec knows.", no_args_is_help=True)

Place = Annotated[str, typer.Argument(help="file:///path, s3://bucket/prefix, …", show_default=False)]
Papers = Annotated[
    list[str] | None, typer.Option("--paper-id", help="Only this paper; may be repeated.", show_default=False)
]


@app.command("push")
def push(url: Place, runs: Runs = Path("runs"), paper_id: Papers = None, as_json: AsJson = False) -> None:
    """Send built papers, attempts and batches; what stands there already is not sent again.

    Example: reproducegym artifacts push file:///tmp/warehouse
    """
    warehouse = Warehouse(url)
    wanted = _chosen(papers(runs), paper_id, f"below {runs}")
    first = Moved() if paper_id else push_batches(runs, warehouse)
    done = _each(wanted, lambda one: push_paper(PaperStore(runs, one), warehouse), first)
    _told(done, f"sent to {warehouse.url}", as_json=as_json)
    if url.startswith("memory://"):
        warn("memory:// ends with this command, and what was sent is gone with it; name a place that lasts")


@app.command("pull")
def pull(url: Place, runs: Runs = Path("runs"), paper_id: Papers = None, as_json: AsJson = False) -> None:
    """Get built papers, attempts and batches; nothing that stands here is changed.

    Example: reproducegym artifacts pull file:///tmp/warehouse --runs elsewhere
    """
    warehouse = Warehouse(url)
    wanted = _chosen(papers_of(warehouse), paper_id, f"at {warehouse.url}")
    first = Moved() if paper_id else pull_batches(runs, warehouse)
    done = _each(wanted, lambda one: pull_paper(one, runs, warehouse), first)
    _told(done, f"got from {warehouse.url}", as_json=as_json)


@app.command("list")
def listed(url: Place, as_json: AsJson = False) -> None:
    """Say which papers stand there, and how many attempts at each.

    Example: reproducegym artifacts list file:///tmp/warehouse
    """
    warehouse = Warehouse(url)
    names = warehouse.names()
    there = {one: sum(name.startswith(f"{one}/04-run/") for name in names) for one in papers_of(warehouse)}
    for paper, attempts in there.items():
        say(f"{paper}: {counted(attempts, 'attempt')}")
    say(f"{counted(len(there), 'paper')} at {warehouse.url}")
    if as_json:
        answer({"url": warehouse.url, "papers": dict(there)})


def _chosen(there: tuple[str, ...], wanted: list[str] | None, where: str) -> tuple[str, ...]:
    """The papers that are meant.

    Raises:
        NotFoundError: one is not there, or none is.
    """
    for one in wanted or ():
        if one not in there:
            raise NotFoundError(f"no paper {one!r} {where}; there are: {', '.join(there) or 'none'}")
    if not there:
        raise NotFoundError(f"no paper {where}")
    return tuple(wanted or there)


def _each(wanted: Iterable[str], move: Callable[[str], Moved], done: Moved) -> Moved:
    for one in wanted:
        moved = move(one)
        say(f"{one}: {counted(moved.moved, 'unit')}, {moved.size:,} bytes; {moved.standing} stood there already")
        done += moved
    return done


def _told(done: Moved, what: str, *, as_json: bool) -> None:
    say(f"{counted(done.moved, 'unit')} {what}, {done.size:,} bytes; {done.standing} stood there already")
    if as_json:
        answer({"moved": done.moved, "standing": done.standing, "bytes": done.size})
