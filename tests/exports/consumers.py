"""Applications that read our exports, each in a venv of its own; where one is missing, a skip that names it."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

import pytest

__all__ = ["CONSUMERS", "called", "consumer", "docker_config"]

ROOT = Path(__file__).resolve().parents[2]
CONSUMERS = Path(os.environ.get("REPRODUCEGYM_CONSUMERS", Path(sys.prefix, "consumers")))


def consumer(name: str) -> Path:
    """The `bin` of a consumer's venv; where CI promised it, its absence fails."""
    place = CONSUMERS / name / "bin"
    if not (CONSUMERS / name / "installed.lock").is_file():
        _absent(name, f"{name} is not installed: make {CONSUMERS / name}")
    return place


def docker_config(name: str) -> dict[str, str]:
    """The environment in which `docker compose` answers."""
    for told in ({}, {"DOCKER_CONFIG": str(CONSUMERS / "docker")}):
        asked = ["docker", "compose", "version"]
        if subprocess.run(asked, env={**os.environ, **told}, capture_output=True, check=False).returncode == 0:
            return told
    return _absent(name, "docker compose is missing: bash requirements/consumers/install-compose.sh")


def called(*argv: str | Path, env: Mapping[str, str] | None = None, cwd: Path | None = None) -> str:
    """What a command of a consumer prints; it has to end well."""
    done = subprocess.run(
        list(map(str, argv)),
        env={**os.environ, "COLUMNS": "200", **(env or {})},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def _absent(name: str, reason: str) -> NoReturn:
    if name in os.environ.get("REPRODUCEGYM_REQUIRE_CONSUMERS", "").split(","):
        pytest.fail(f"REPRODUCEGYM_REQUIRE_CONSUMERS names {name}, yet {reason}")
    pytest.skip(reason)
