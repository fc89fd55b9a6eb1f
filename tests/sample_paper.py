"""The bundled sample paper, parsed and built once, and the commands as a user calls them."""

import json
import multiprocessing
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAPER_ID = "optimism-small-budgets"
SAMPLE = ROOT / "examples" / "papers" / PAPER_ID
SOLUTION = SAMPLE / "solution" / "solve.sh"
CHEAP_CLAIM = "c007_w_o_optimistic_start_optimal_pulls"
"""The claim whose verification is shortest: ten runs, of which the first task's would be twenty-nine."""
PROBED_CLAIM = "c003_ucb1_return"
"""Of the claims that have all four probes, the one whose verification is shortest."""


_WARM = multiprocessing.get_context("forkserver")
_WARM.set_forkserver_preload(
    [
        *(f"reproducegym.cli.{name}" for name in ("commands", "parse", "build", "run", "verify", "regrade", "redteam")),
        *("reproducegym.parsing", "reproducegym.pipeline.build", "reproducegym.families.paper_claims"),
        *("reproducegym.extraction.rules", "reproducegym.sandbox.namespaces", "jsonschema"),
    ]
)


def call(
    *argv: str | Path, cwd: Path = ROOT, env: Mapping[str, str] | None = None, timeout: float = 300
) -> subprocess.CompletedProcess[str]:
    """A script at the top (`run.py …`) or the program (`reproducegym …`) in a process of its own.

    The process is forked from one that has loaded the program already: to load it takes a second of each call.
    """
    line = command_line(*argv)
    told = {**os.environ, "COLUMNS": "200", **(env or {})}
    with tempfile.TemporaryDirectory(prefix="call-") as kept:
        out, said = Path(kept, "stdout"), Path(kept, "stderr")
        process = _WARM.Process(target=_as_program, args=(line, cwd, told, out, said))
        process.start()
        process.join(timeout)
        if process.is_alive():
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(line, timeout)
        return subprocess.CompletedProcess(line, process.exitcode or 0, out.read_text(), said.read_text())


def _as_program(line: list[str], cwd: Path, env: dict[str, str], out: Path, said: Path) -> None:
    """Becomes what the command line says; without input, and with its output in two files."""
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    for number, place in enumerate((os.devnull, out, said)):
        opened = os.open(place, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115 - as at start
    place = line[1]
    if place == "-m":
        sys.argv = line[2:]
        runpy.run_module(line[2], run_name="__main__", alter_sys=True)
    else:
        sys.argv = line[1:]
        runpy.run_path(place, run_name="__main__")


def call_anew(
    *argv: str | Path, cwd: Path = ROOT, env: Mapping[str, str] | None = None, timeout: float = 300, **options
) -> subprocess.CompletedProcess[str]:
    """The same as a user starts it: a new interpreter, which loads the program first."""
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
        done = call_anew(*argv)
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
