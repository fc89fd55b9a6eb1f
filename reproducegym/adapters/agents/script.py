"""The agent that is a fixed script: for reference solutions and for attacks."""

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from reproducegym.errors import MisuseError, NotFoundError, StorageError
from reproducegym.ports import AgentTask, ExecOutcome, SandboxBox
from reproducegym.schema.run import AgentRecord

__all__ = ["ScriptAgent", "script_agent"]

_INSIDE = "/agent"
_TAIL_BYTES = 500


class ScriptAgent:
    """Runs `bash /agent/<script>` in /workspace, with the script's directory mounted read-only at /agent.

    The script finds the task in `input_files/`; its output is nobody's evidence.
    """

    door: tuple[str, ...] = ()

    def __init__(self, script: Path) -> None:
        self._script = script
        self.name = f"script:{script.name}"
        self.mounts: Mapping[str, Path] = {_INSIDE: script.parent}

    def run(self, task: AgentTask, box: SandboxBox) -> AgentRecord:
        """Run the script to its end or to the end of the budget."""
        ended = box.exec(
            ["/bin/bash", f"{_INSIDE}/{self._script.name}"],
            timeout_s=task.timeout_s,
            output_bytes=task.output_bytes,
        )
        if ended.timed_out:
            record = self._record("timeout", None, f"not done after {task.timeout_s:g} s", ended)
            return record.model_copy(update={"stopped_by": "wall_clock"})
        if ended.out_of_memory:
            return self._record("nonzero_exit", ended.exit_code, "out of memory", ended)
        if ended.exit_code != 0:
            return self._record("nonzero_exit", ended.exit_code, f"ended with exit code {ended.exit_code}", ended)
        return AgentRecord(agent=self.name, outcome="finished", exit_code=0, detail="")

    def _record(
        self, outcome: Literal["timeout", "nonzero_exit"], exit_code: int | None, why: str, ended: ExecOutcome
    ) -> AgentRecord:
        """The record of a bad end, with the last words of the script."""
        words = ended.output[-_TAIL_BYTES:].decode("utf-8", "replace").strip()
        detail = f"{why}; last output: {words}" if words else why
        return AgentRecord(agent=self.name, outcome=outcome, exit_code=exit_code, detail=detail)


def script_agent(path: Path) -> ScriptAgent:
    """The agent that runs the script at `path`.

    Raises:
        NotFoundError: there is no such file.
        MisuseError: its directory holds something that cannot be mounted.
        StorageError: something there cannot be read.
    """
    script = path.resolve()
    try:
        if not script.is_file():
            raise NotFoundError(f"{path} is no file; a script agent needs a bash script")
        for beside in _below(script.parent):
            _refuse_unmountable(beside)
    except OSError as error:
        raise StorageError(_unreadable(error.filename or path)) from error
    return ScriptAgent(script)


def _below(directory: Path) -> Iterator[Path]:
    for path in sorted(directory.iterdir()):
        yield path
        if path.is_dir() and not path.is_symlink():
            yield from _below(path)


def _refuse_unmountable(path: Path) -> None:
    mode = path.lstat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)):
        raise MisuseError(
            f"{path} is a pipe, socket or device: the whole directory of a script agent is mounted; "
            "put the script and its files in a directory of their own"
        )
    if not stat.S_ISLNK(mode) and not os.access(path, os.R_OK):
        raise StorageError(_unreadable(path))


def _unreadable(path: object) -> str:
    return f"{path} may not be read, and the whole directory of a script agent is mounted; change its permissions"
