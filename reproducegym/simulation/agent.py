"""An agent that reads a made paper and leaves its experiment; the same files work in a real sandbox."""

import json
import re
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path

from reproducegym.ports import AgentTask, CopyLimits, Files, SandboxBox
from reproducegym.schema.run import AgentRecord
from reproducegym.simulation import bandit

__all__ = ["SCRIPT", "SimulatedAgent", "program", "submission"]

SCRIPT = b"""\
#!/bin/bash
exec python3 - <<'END'
import json, os
from pathlib import Path
from bandit import measured

def text(path):
    return Path(path).read_text()

table = measured(
    os.environ,
    json.loads(text("study.json")),
    text("input_files/outputs.json"),
    text(os.environ["REPRODUCEGYM_CONDITIONS"]),
    text(os.environ["REPRODUCEGYM_KNOBS"]),
)
Path(os.environ["REPRODUCEGYM_OUT"], "metrics.csv").write_text(table)
END
"""
_SOURCE = Path(bandit.__file__).read_bytes()
_READ = CopyLimits(max_files=100, max_bytes=1 << 24, max_file_bytes=1 << 24)
_ARMS = re.compile(r"is a bandit with (\d+) arms")
_STEPS = re.compile(r"Each run lasts (\d+) steps")
_EPSILON = re.compile(r"with probability ([\d.]+), it draws")
_EVERY = 4
"""Of so many attempts one is lazy: it explores always, so that both strategies are one."""


class SimulatedAgent:
    """Three of four of its attempts are honest work, the fourth is lazy; it counts them in its process."""

    name = "simulated"
    door: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.mounts: Mapping[str, Path] = {}
        self._attempts = count(1)

    def run(self, task: AgentTask, box: SandboxBox) -> AgentRecord:
        """Read the paper, write the program."""
        lazy = next(self._attempts) % _EVERY == 0
        paper = box.get("/workspace", _READ)["input_files/paper.md"].decode()
        box.put(submission(paper, lazy=lazy), executable=("reproduce.sh",))
        return AgentRecord(agent=self.name, outcome="finished", exit_code=0, detail="lazy" if lazy else "honest")


def submission(paper: str, *, lazy: bool = False) -> Files:
    """The files that reproduce a made paper, by its text as agents see it.

    Raises:
        ValueError: it is no made paper.
    """
    found = [pattern.search(paper) for pattern in (_ARMS, _STEPS, _EPSILON)]
    arms, steps, epsilon = (float(one[1]) if one else None for one in found)
    if arms is None or steps is None or epsilon is None:
        raise ValueError("this paper was not made by the simulation")
    study = {"arms": arms, "steps": steps, "epsilon": 1.0 if lazy else epsilon}
    return {"reproduce.sh": SCRIPT, "bandit.py": _SOURCE, "study.json": json.dumps(study).encode()}


def program(environ: Mapping[str, str], read: Callable[[str], bytes]) -> Files:
    """What `reproduce.sh` does, in this process.

    Raises:
        ValueError: the submission's program is another one, or it was asked for what it cannot do.
    """
    if read("/submission/bandit.py") != _SOURCE:
        raise ValueError("bandit.py is not the program that is simulated")
    table = bandit.measured(
        environ,
        json.loads(read("/submission/study.json")),
        read("/submission/input_files/outputs.json").decode(),
        read(environ["REPRODUCEGYM_CONDITIONS"]).decode(),
        read(environ["REPRODUCEGYM_KNOBS"]).decode(),
    )
    return {f"{environ['REPRODUCEGYM_OUT']}/metrics.csv": table.encode()}
