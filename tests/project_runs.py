"""Runs base projects as strangers would: a fresh copy each time, in another place, files in another order."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from ml_audit.audit import findings
from ml_audit.repository import Repository
from ml_audit.rules.rule import Finding
from reproducegym.planting.project import BaseProject

__all__ = ["NOT_PLANTED", "Ran", "audited", "check", "python_for", "ran"]

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
LIMIT = 60
"""Seconds after which a run counts as stuck."""

NOT_PLANTED = frozenset(
    {"license-missing", "ci-missing", "tests-missing", "commands-missing", "hardware-unstated", "results-missing"}
    | {"dockerfile-missing", "checkpoints-unlinked", "one-seed-only", "constants-in-code", "dataset-by-library"}
    | {"memory-not-pinned", "item-in-training-loop"}
)
"""Rules about manners of a repository, which no operator breaks: small projects may lack what they ask for."""


@dataclass(frozen=True)
class Ran:
    """What one run left: the bytes of weights and metrics, and the processor seconds that it took."""

    weights: bytes
    metrics: bytes
    seconds: float


def python_for(project: BaseProject) -> str | None:
    """The Python that has what the project needs: for torch the one that REPRODUCEGYM_TORCH_PYTHON names."""
    return os.environ.get("REPRODUCEGYM_TORCH_PYTHON") if "torch" in project.requires else sys.executable


@contextmanager
def copied(project: BaseProject, number: int) -> Iterator[Path]:
    """A copy whose files were made in another order, below a directory with another name.

    In memory where that is possible, since there a listing shows the order in which files were made.
    """
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as made:
        root = Path(made) / f"copy_{'x' * (number % 100)}"
        paths = list(project.files)
        Random(number).shuffle(paths)
        for path in paths:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(project.files[path].encode())
        yield root


def surroundings(root: Path, number: int) -> dict[str, str]:
    hashes = str(Random(number).randrange(2**32))
    told = {"PATH": os.defpath, "HOME": str(root.parent), "PYTHONHASHSEED": hashes, "PYTHONDONTWRITEBYTECODE": "1"}
    return told | dict.fromkeys(THREADS, "1")


def started(python: str, arguments: tuple[str, ...], root: Path, number: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [python, *arguments],
        cwd=root,
        env=surroundings(root, number),
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT,
    )


def ran(project: BaseProject, number: int, seed: int | None = None, *, checked: bool = False) -> Ran:
    """One run, with the project's own seed or another; `checked` runs the hidden checks on what it left."""
    python = python_for(project)
    assert python is not None
    suffix = () if seed is None else tuple(word.replace("{seed}", str(seed)) for word in project.seed_option)
    with copied(project, number) as root:
        before = os.times()
        done = started(python, (*project.entry[1:], *suffix), root, number)
        after = os.times()
        assert done.returncode == 0, f"{project.name}: {done.stderr[-2000:]}"
        if checked:
            for name, text in project.checks.items():
                problem = check(python, name, text, root)
                assert problem is None, f"{project.name}, {name}, seed {seed}: {problem}"
        seconds = after.children_user + after.children_system - before.children_user - before.children_system
        outputs = project.outputs
        return Ran((root / outputs.weights).read_bytes(), (root / outputs.metrics).read_bytes(), seconds)


def check(python: str, name: str, text: str, root: Path) -> str | None:
    """What a hidden check says against the results in a directory, or None."""
    script = root.parent / Path(name).name
    script.write_text(text, encoding="utf-8")
    done = started(python, (str(script),), root, 0)
    script.unlink()
    return None if done.returncode == 0 else done.stderr[-2000:]


def audited(project: BaseProject) -> tuple[Finding, ...]:
    """What the rules find in a project that a planted defect could be mistaken for."""
    repository = Repository(project.name, {path: text.encode() for path, text in project.files.items()})
    return tuple(one for one in findings(repository) if one.rule not in NOT_PLANTED)
