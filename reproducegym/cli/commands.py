"""All commands of the program `reproducegym`."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated

import typer

from reproducegym import __version__
from reproducegym.cli import export
from reproducegym.cli.build import build
from reproducegym.cli.clean import clean
from reproducegym.cli.demo import demo
from reproducegym.cli.doctor import doctor
from reproducegym.cli.parse import parse
from reproducegym.cli.redteam import redteam
from reproducegym.cli.regrade import regrade
from reproducegym.cli.run import run
from reproducegym.cli.verify import verify

__all__ = ["app", "start"]

app = typer.Typer(
    name="reproducegym",
    help="Turns machine-learning papers into claim-level RL tasks with verifiable rewards.",
    epilog="Example: reproducegym demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
_COMMANDS: Mapping[str, Callable[..., object]] = MappingProxyType(
    {
        "parse": parse,
        "build": build,
        "run": run,
        "verify": verify,
        "regrade": regrade,
        "redteam": redteam,
        "doctor": doctor,
        "demo": demo,
        "clean": clean,
    }
)
for _name, _command in _COMMANDS.items():
    app.command(_name)(_command)
app.add_typer(export.app, name="export")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"reproducegym {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Turns machine-learning papers into claim-level RL tasks with verifiable rewards."""


def start(command: str | None, arguments: Sequence[str], name: str) -> object:
    """Run the whole program, or one of its commands standing alone, under a name; gives what the command gives."""
    chosen = app
    if command is not None:
        chosen = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        chosen.command()(_COMMANDS[command])
    return typer.main.get_command(chosen).main(list(arguments), prog_name=name, standalone_mode=False)
