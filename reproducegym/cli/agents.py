"""`reproducegym agents`: which agents there are, and the command that installs one from its registry."""

from typing import Annotated

import typer

from reproducegym.adapters.agents.cli.installed import install, place_of
from reproducegym.cli.agent_choice import cache_directory, declarations
from reproducegym.cli.options import AsJson
from reproducegym.cli.voice import answer, say
from reproducegym.errors import NotFoundError

__all__ = ["app"]

app = typer.Typer(
    help="Command-line agents of config/agents.yaml: which there are, and how to get them.", no_args_is_help=True
)


@app.command("list")
def list_agents(as_json: AsJson = False) -> None:
    """Every declared agent, whether it is installed, and how far it was tried.

    Example: reproducegym agents list
    """
    cache = cache_directory()
    rows: dict[str, dict[str, str | bool]] = {}
    for name, agent in declarations().agents.items():
        there = place_of(cache, name, agent).is_dir()
        rows[name] = {"version": agent.version, "installed": there, "tried": agent.tried}
        said = "installed" if there else f"get it with: reproducegym agents install {name}"
        say(f"{name} {agent.version} ({agent.tried}): {said}")
    if as_json:
        answer({"agents": {name: dict(row) for name, row in rows.items()}})


@app.command("install")
def install_agents(
    names: Annotated[list[str], typer.Argument(help="Which of them.", metavar="NAME...", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Get agents from npm or PyPI in the pinned versions, into the cache of this machine.

    Example: reproducegym agents install opencode
    """
    known = declarations().agents
    unknown = [name for name in names if name not in known]
    if unknown:
        raise NotFoundError(f'no agent "{unknown[0]}" is declared; there are: {", ".join(known)}')
    places = {name: str(install(cache_directory(), name, known[name])) for name in names}
    for name, place in places.items():
        say(f"{name} {known[name].version} is in {place}")
    if as_json:
        answer({"installed": {**places}})
