"""What a user names, a directory or a repository on GitHub, as a source; and the flags of the latter."""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ml_audit.local import LocalDirectory
from ml_audit.repository import Source

if TYPE_CHECKING:
    from ml_audit.github import GitHubRepository

__all__ = ["add_options", "github_source", "source_named"]


def add_options(parser: argparse.ArgumentParser) -> None:
    """The flags that speak of repositories on GitHub."""
    remote = parser.add_argument_group("repositories on GitHub")
    remote.add_argument("--api-url", metavar="URL", help="of an Enterprise server: https://github.example/api/v3")
    remote.add_argument("--token-env", metavar="NAME", help="the variable that holds the token (GITHUB_TOKEN)")
    remote.add_argument("--wait", type=_seconds, default=0.0, metavar="SECONDS", help="wait this long for a limit (0)")
    remote.add_argument("--cache", type=Path, metavar="DIR", help="where answers are kept (~/.cache/ml-audit)")


def source_named(named: str, told: argparse.Namespace, environ: Mapping[str, str]) -> Source:
    """A directory, where one is there or meant; else a repository on GitHub.

    Raises:
        SourceError: it is neither, or the flags do not fit it.
    """
    path = Path(named)
    meant = path.exists() or (path.parent.name and path.parent.is_dir())
    if "://" not in named and meant:
        return LocalDirectory(path)
    return github_source(named, told, environ) or LocalDirectory(path)


def github_source(named: str, told: argparse.Namespace, environ: Mapping[str, str]) -> "GitHubRepository | None":
    """A repository on GitHub by the flags of `add_options`; None where the name is none of one.

    Raises:
        SourceError: the flags, or the token of the environment, do not fit it.
    """
    from ml_audit import github

    address = github.address_in(named)
    if address is None:
        return None
    token = github.token_in(environ, Path.cwd(), told.token_env)
    github.api_base(told.api_url, address, secret=token is not None)
    home = environ.get("XDG_CACHE_HOME") or (environ.get("HOME") and str(Path(environ["HOME"]) / ".cache"))
    root = told.cache or (Path(home) / "ml-audit" if home else None)
    patience = github.Patience(longest_wait_s=told.wait, say=_say)
    return github.GitHubRepository(address, told.api_url, token, github.Cache(root), patience)


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 86_400:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds up to a day")
    return value
