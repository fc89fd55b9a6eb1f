"""The bundled sample paper, parsed and built once, and the commands as a user calls them."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAPER_ID = "optimism-small-budgets"
SAMPLE = ROOT / "examples" / "papers" / PAPER_ID
SOLUTION = SAMPLE / "solution" / "solve.sh"


def call(
    *argv: str | Path, cwd: Path = ROOT, env: Mapping[str, str] | None = None, timeout: float = 300, **options
) -> subprocess.CompletedProcess[str]:
    """A script at the top (`run.py …`) or the program (`reproducegym …`) in a process of its own."""
    return subprocess.run(
        command_line(*argv),
        cwd=cwd,
        env={**os.environ, "COLUMNS": "200", **(env or {})},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        **options,
    )


def command_line(*argv: str | Path) -> list[str]:
    first, *rest = map(str, argv)
    program = ["-m", "reproducegym"] if first == "reproducegym" else [str(ROOT / first)]
    return [sys.executable, *program, *rest]


def build_sample(out: Path) -> Path:
    """Parse and build the sample paper below `out`; its directory."""
    for argv in (
        ("parse_paper.py", "--pdf", SAMPLE / "paper.pdf", "--out", out),
        ("build_claim_tasks.py", "--paper", out / PAPER_ID),
    ):
        done = call(*argv)
        assert done.returncode == 0, done.stderr
    return out / PAPER_ID


def manifest(paper: Path) -> dict:
    return json.loads((paper / "task_manifest.json").read_text())


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that a failed command says; anything else on stderr, and all of stdout, must be absent."""
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("error: ")]
    assert len(errors) == 1, done.stderr
    assert lines[-1] == errors[0]
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    return errors[0].removeprefix("error: ")
