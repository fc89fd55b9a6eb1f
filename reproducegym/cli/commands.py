"""All commands of the program `reproducegym`; of a command that is named, only its own parts are loaded."""

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Annotated

import typer

from reproducegym import __version__

__all__ = ["start"]

_COMMANDS = (
    "parse",
    "build",
    "estimate",
    "run",
    "verify",
    "regrade",
    "redteam",
    "report",
    "serve-verifier",
    "serve-tasks",
    "doctor",
    "demo",
    "clean",
    "simulate",
)
_GROUPS = ("dataset", "export", "artifacts", "trace", "nodes", "agents", "auditor")


def start(command: str | None, arguments: Sequence[str], name: str) -> object:
    """Run the whole program, or one of its commands standing alone, under a name; gives what the command gives."""
    if command is not None:
        chosen = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        chosen.command()(_command(command))
    elif arguments and arguments[0] in (*_COMMANDS, *_GROUPS):
        chosen = _program(arguments[:1])
    else:
        chosen = _program(() if list(arguments) == ["--version"] else (*_COMMANDS, *_GROUPS))
    return typer.main.get_command(chosen).main(list(arguments), prog_name=name, standalone_mode=False)


def _program(names: Iterable[str]) -> typer.Typer:
    """The program with these of its commands."""
    app = typer.Typer(
        name="reproducegym",
        help="Turns machine-learning papers into claim-level RL tasks with verifiable rewards.",
        epilog="Example: reproducegym demo",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    app.callback()(_options)
    for name in names:
        if name in _GROUPS:
            group: typer.Typer = import_module(f"reproducegym.cli.{name}").app
            app.add_typer(group, name=name)
        else:
            app.command(name)(_command(name))
    return app


def _command(name: str) -> Callable[..., object]:
    """The function of a command, which stands in the module of the same name."""
    module = name.replace("-", "_")
    found: Callable[..., object] = getattr(import_module(f"reproducegym.cli.{module}"), module)
    return found


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"reproducegym {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Turns machine-learning papers into claim-level RL tasks with verifiable rewards."""
