"""The command line: one program with a command for each stage, and the entry of the three scripts at the top."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NoReturn

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
from reproducegym.cli.voice import guarded
from reproducegym.sandbox.living import destroyed_on_signals

__all__ = ["app", "main", "script"]

app = typer.Typer(
    name="reproducegym",
    help="Turns machine-learning papers into claim-level RL tasks with verifiable rewards.",
    epilog="Example: reproducegym demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for _command in (parse, build, run, verify, regrade, redteam, doctor, demo, clean):
    app.command()(_command)
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


def main() -> NoReturn:
    """The installed program `reproducegym`."""
    _leave(app, "reproducegym")


def script(command: Callable[..., object]) -> NoReturn:
    """One command as a program of its own: `python run.py …` is `reproducegym run …`."""
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    alone.command()(command)
    _leave(alone, f"python {Path(sys.argv[0]).name}")


def _leave(program: typer.Typer, name: str) -> NoReturn:
    """Run the program on this process's arguments and end the process with its exit code; a signal leaves nothing."""
    command = typer.main.get_command(program)
    with destroyed_on_signals():
        code = guarded(lambda: command.main(sys.argv[1:], prog_name=name, standalone_mode=False))
    raise SystemExit(code)
