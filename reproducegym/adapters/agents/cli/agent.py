"""A command-line agent inside the sandbox: its models are at a port of loopback, which leads through the door to us."""

import contextlib
import shlex
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from agent_trace.gateway import Run
from agent_trace.redact import Redactor
from reproducegym.adapters.agents.cli.output import failure_in, last_words
from reproducegym.adapters.agents.instructions import cli_prompt
from reproducegym.adapters.agents.metered import Metered, Models, answering, metered
from reproducegym.errors import InfrastructureError
from reproducegym.ports import AgentTask, Door, ExecOutcome, SandboxBox
from reproducegym.schema.cli_agent import CliAgent, filled
from reproducegym.schema.run import AgentRecord

__all__ = ["CommandLineAgent"]

OUTPUT = "output.log"
"""What it printed, in the trace, without secrets."""

_SOCKET, _PORT = "models", "8790"
_INSIDE, _HOME = "/opt/agent", "/workspace/.agent-home"
_CLEAN = Path(__file__).with_name("inside") / "clean.py"
_CLEAN_S = 60.0
_RESUMES = 2
_KEPT_BYTES = 8 * 2**20
_CLEANED_BYTES = 4096
_GRACE_S = 10.0
_LOOK_S = 0.5


class CommandLineAgent:
    """Runs a declared command in /workspace, with its packages mounted read-only and a token as its only key."""

    door: tuple[str, ...] = (_SOCKET,)

    def __init__(self, name: str, declaration: CliAgent, packages: Path, models: Models) -> None:
        self.name = f"{name}@{declaration.version}"
        own = {place: Path(directory) for place, directory in declaration.mounts.items()}
        self.mounts: Mapping[str, Path] = {_INSIDE: packages, **own}
        self._declaration, self._models = declaration, models

    def run(self, task: AgentTask, box: SandboxBox) -> AgentRecord:
        """Run it to its end or to that of a budget; where its connection to the models broke, let it resume.

        Raises:
            InfrastructureError: the engine failed, or the models' endpoint did.
        """
        if box.door is None:
            raise InfrastructureError("a sandbox was made without the door that its agent needs")
        with metered(self._models, task, self.name) as meter, _log(task.trace, meter.run.redactor) as log:
            meter.gateway.listen(box.door.sockets[_SOCKET])
            words = self._words(task, meter)
            ended = self._once(box, box.door, meter, words, self._declaration.argv, log)
            for _ in range(_RESUMES):
                if not self._resumes(ended, meter):
                    break
                ended = self._once(box, box.door, meter, words, self._declaration.resume or (), log)
            _clean(box, meter.run.token)
            return self._record(ended, meter, task.trace)

    def _words(self, task: AgentTask, meter: Metered) -> Mapping[str, str]:
        root = f"http://127.0.0.1:{_PORT}"
        return {
            "agent": _INSIDE,
            "base_url": f"{root}/v1",
            "home": _HOME,
            "model": self._models.model,
            "prompt": cli_prompt(task, self._models.settings.agent),
            "root_url": root,
            "token": meter.run.token,
        }

    def _once(
        self,
        box: SandboxBox,
        door: Door,
        meter: Metered,
        words: Mapping[str, str],
        argv: tuple[str, ...],
        log: Callable[[bytes], None],
    ) -> ExecOutcome:
        env = {name: filled(text, words) for name, text in self._declaration.env.items()}
        files = {name: filled(text, words) for name, text in self._declaration.files.items()}
        command = [filled(text, words) for text in argv]
        line = [*door.relay, _SOCKET, _PORT, "--", "/bin/bash", "-c", _begun(files), "agent", *command]
        with _stopped_when_over(box, meter):
            return box.exec(
                line,
                env={"HOME": _HOME, "TMPDIR": "/tmp", **env},  # noqa: S108 - inside the sandbox
                timeout_s=max(1.0, meter.left_s),
                output_bytes=_KEPT_BYTES,
                on_output=log,
            )

    def _resumes(self, ended: ExecOutcome, meter: Metered) -> bool:
        """Whether it gave up because its models could not be reached, and may go on where it was."""
        gave_up = ended.exit_code != 0 or failure_in(_text(ended), self._declaration.output) is not None
        may = self._declaration.resume is not None and not ended.timed_out and meter.over() is None
        return gave_up and may and meter.run.endpoint_failing

    def _record(self, ended: ExecOutcome, meter: Metered, trace: Path) -> AgentRecord:
        """How it ended, by its exit code, by what it says itself, and by what the gateway saw."""
        said = meter.run.redactor.text(_text(ended))
        rules = self._declaration.output
        failure = failure_in(said, rules)
        record = AgentRecord(
            agent=self.name,
            outcome="finished",
            exit_code=ended.exit_code,
            detail=last_words(said, rules),
            usage=meter.usage(),
            model=self._models.model,
        )
        over = meter.over()
        if ended.timed_out or over == "wall_clock":
            detail = meter.told("wall_clock")
            return record.model_copy(update={"outcome": "timeout", "detail": detail, "stopped_by": "wall_clock"})
        if over is not None and meter.run.counts["over_budget"]:
            return record.model_copy(update={"outcome": "budget", "detail": meter.told(over), "stopped_by": over})
        if ended.exit_code == 0 and failure is None:
            return record
        words = failure or record.detail
        if not meter.run.spent.completions or self._without_models(meter, trace):
            raise InfrastructureError(f"{self.name} gave up without its models ({_last(meter.run)}): {words}")
        why = "out of memory" if ended.out_of_memory else f"ended with exit code {ended.exit_code}"
        return record.model_copy(update={"outcome": "nonzero_exit", "detail": f"{why}; {words}"})

    def _without_models(self, meter: Metered, trace: Path) -> bool:
        """Whether it gave up since its models fail: by what it was told last, and by what we are told now."""
        return meter.run.endpoint_failing and not answering(meter, self._declaration.api, self._models.model, trace)


def _last(run: Run) -> str:
    """What its models said last."""
    if run.last_status is not None:
        return f"the last answer had status {run.last_status}"
    return "they were out of reach" if run.counts["forwarded"] else "nothing was asked"


def _clean(box: SandboxBox, token: str) -> None:
    """Leave nothing of the agent's own in the workspace, nor the run's token in any file there."""
    argv = ["python3", "-I", "-S", "-c", _CLEAN.read_text("utf-8"), _HOME]
    box.exec(argv, env={"GONE": token}, timeout_s=_CLEAN_S, output_bytes=_CLEANED_BYTES)


def _text(ended: ExecOutcome) -> str:
    return ended.output.decode("utf-8", "replace")


def _begun(files: Mapping[str, str]) -> str:
    """The script that writes the agent's files and becomes the command that follows it."""
    lines = ['set -e; mkdir -p "$HOME"']
    for name, text in files.items():
        place = f'"$HOME"/{shlex.quote(name)}'
        lines.append(f'mkdir -p "$(dirname {place})"; printf %s {shlex.quote(text)} > {place}')
    return "; ".join([*lines, 'exec "$@"'])


@contextlib.contextmanager
def _log(trace: Path, redactor: Redactor) -> Iterator[Callable[[bytes], None]]:
    """Takes output as it comes; what is written never holds a secret, not even one that came in two pieces."""
    stream = redactor.stream()
    with (trace / OUTPUT).open("ab", buffering=0) as file:

        def write(piece: bytes) -> None:
            file.write(stream.feed(piece))

        try:
            yield write
        finally:
            file.write(stream.end())


@contextlib.contextmanager
def _stopped_when_over(box: SandboxBox, meter: Metered) -> Iterator[None]:
    """Once a completion was refused for the budget, everything inside is stopped after a moment."""
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(_LOOK_S):
            if meter.run.counts["over_budget"]:
                if not ended.wait(_GRACE_S):
                    box.stop_processes()
                return

    watcher = threading.Thread(target=watch, name="budget")
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
