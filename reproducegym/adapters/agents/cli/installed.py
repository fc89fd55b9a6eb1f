"""Gets a command-line agent's packages from their registries, pinned, below a cache directory of the host."""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from reproducegym.errors import MisuseError, ReproduceGymError, SourceUnreachableError, StorageError
from reproducegym.schema.base import short_digest
from reproducegym.schema.cli_agent import AgentPackage, CliAgent, filled

__all__ = ["install", "place_of"]

_TRIES = 3
_WITHIN_S = 900.0


def place_of(cache: Path, name: str, agent: CliAgent) -> Path:
    """Where an agent stands, or would; another pin is another place."""
    pins = [short_digest(package)[:8] for package in agent.packages]
    return cache / "agents" / "-".join([name, agent.version, *pins])


def install(cache: Path, name: str, agent: CliAgent) -> Path:
    """Its packages, whole; nothing is done where they stand already.

    Raises:
        MisuseError: npm or pip is missing.
        SourceUnreachableError: a registry does not give them.
        ReproduceGymError: a package is not the one that is pinned.
        StorageError: the cache cannot be written.
    """
    place = place_of(cache, name, agent)
    if place.is_dir():
        return place
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.parent, prefix=".tmp-") as fresh:
            made = Path(fresh) / "whole"
            made.mkdir()
            for package in agent.packages:
                _add(package, made)
            for line in agent.setup:
                _call([filled(text, {"agent": str(made)}) for text in line], f"the setup of {name}")
            if not place.is_dir():
                made.rename(place)
    except OSError as error:
        if not place.is_dir():
            raise StorageError(
                f"{place} cannot be written: {error.strerror or error}; REPRODUCEGYM_CACHE names another place"
            ) from error
    return place


def _add(package: AgentPackage, place: Path) -> None:
    wanted = f"{package.name}{'@' if package.registry == 'npm' else '=='}{package.version}"
    if package.registry == "pypi":
        _call(
            [sys.executable, "-m", "pip", "install", "-q", "--only-binary", ":all:", "--target", str(place), wanted],
            wanted,
        )
        return
    if shutil.which("npm") is None:
        raise MisuseError(f"{wanted} comes from npm, which is not installed here; install Node.js with npm")
    quiet = ["--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
    _call(["npm", "install", "--prefix", str(place), *quiet, wanted], wanted)
    lock = json.loads((place / "node_modules" / ".package-lock.json").read_bytes())
    found = lock["packages"][f"node_modules/{package.name}"].get("integrity")
    if package.integrity is not None and found != package.integrity:
        raise ReproduceGymError(f"{wanted} is not the package that is pinned: {found}, wanted {package.integrity}")


def _call(argv: list[str], what: str) -> None:
    said = ""
    for _ in range(_TRIES):
        try:
            done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=_WITHIN_S)
        except subprocess.TimeoutExpired:
            said = f"not done after {_WITHIN_S:g} s"
            continue
        if done.returncode == 0:
            return
        said = _gist(done.stderr or done.stdout)
    raise SourceUnreachableError(f"{what} could not be installed: {said}")


def _gist(said: str) -> str:
    """What npm or pip names as the error, without stacks and advice; all of it where neither does."""
    lines = [line.strip() for line in said.splitlines()]
    named = [line.removeprefix("npm error").strip() for line in lines if line.startswith("npm error")]
    named = named or [line for line in lines if line.startswith("ERROR:")] or lines
    told = [line for line in named if line and not line.startswith("at ")]
    return " ".join(" ".join(told).split())[:300]
