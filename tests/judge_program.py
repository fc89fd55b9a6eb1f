"""Calls the one-file judge many times in one isolated interpreter: starting one for each call would take the time."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_CALLS = """
import contextlib, io, json, runpy, sys
check = runpy.run_path(sys.argv[1], run_name="check")
for contract, metrics in json.loads(sys.stdin.read()):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        ended = check["main"](["--report", "--contract", contract, "--metrics", metrics])
    print(json.dumps([ended, said.getvalue()]))
"""


def answers_of_program(check: Path, files: Sequence[tuple[str, str]]) -> list[str]:
    """What `check.py --report` prints for each (contract, metrics); every call must end well."""
    argv = [sys.executable, "-I", "-S", "-c", _CALLS, str(check)]
    done = subprocess.run(argv, input=json.dumps(files), capture_output=True, text=True, check=True, env={})
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.stderr == ""
    assert [ended for ended, _ in answers] == [0] * len(files)
    return [said for _, said in answers]
