"""One run of a project in a fresh sandbox: how it ended and what came out; nothing of it outlives the run."""

import json
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from reproducegym.errors import InfrastructureError, SandboxUnavailableError
from reproducegym.families.auditor.executing.circumstances import Circumstances
from reproducegym.families.auditor.executing.court import TRIES, Court, Left, Ran
from reproducegym.families.auditor.executing.libraries import INTERPRETER, PACKAGES
from reproducegym.families.auditor.executing.outputs import (
    OUTPUT_LIMITS,
    UnreadableOutputError,
    metrics_of,
    weights_digest,
)
from reproducegym.pipeline.judging.rerun import let_stop_pass
from reproducegym.pipeline.judging.transfer import RefusedFileError
from reproducegym.planting.project import BaseProject
from reproducegym.ports import ExecOutcome, SandboxBox
from reproducegym.schema.base import Frozen
from reproducegym.schema.run import RunOutcome

__all__ = ["run_once"]

_INSIDE = Path(__file__).resolve().parent / "inside"
_BEGIN = "/runner/begin.py"
_PERTURBED = "/perturbed"
_MOUNTS = {
    _BEGIN: _INSIDE / "begin.py",
    f"{_PERTURBED}/sitecustomize.py": _INSIDE / "sitecustomize.py",
}
_GRACE_S = 5.0
_OUTPUT_BYTES = 1 << 20


class _Told(Frozen):
    """The last line of begin.py."""

    exit_code: int
    output: str
    python: str
    state: str


def run_once(
    court: Court, project: BaseProject, files: Mapping[str, str], under: Circumstances, seed: int | None = None
) -> Left:
    """Run files of a project by its command, with another seed if one is given; where the engine fails, twice more."""
    reason = ""
    for _ in range(TRIES):
        try:
            return _run(court, project, files, under, seed)
        except (InfrastructureError, SandboxUnavailableError) as error:
            let_stop_pass(error)
            reason = str(error)
    return Left(Ran(outcome="infra", detail=f"the engine failed {TRIES} times: {reason}", seconds=0.0))


def _run(court: Court, project: BaseProject, files: Mapping[str, str], under: Circumstances, seed: int | None) -> Left:
    suffix = () if seed is None else tuple(part.replace("{seed}", str(seed)) for part in project.seed_option)
    names = sorted(files, reverse=under.downwards)
    order = {
        "place": under.place,
        "files": names,
        "written_at": 1_000_000_000.0 + under.later_s,
        "command": [INTERPRETER, *project.entry[1:], *suffix],
        "processor": under.processor,
        "processes": under.processes,
        "environment": under.environment(f"{_PERTURBED}:{PACKAGES}"),
    }
    with court.box(project, _MOUNTS) as box:
        box.put({f"given/{name}": files[name].encode() for name in names})
        box.put({"order.json": json.dumps(order).encode()})
        seconds = court.seconds(project)
        ended = box.exec([INTERPRETER, "-I", "-S", _BEGIN], timeout_s=seconds + _GRACE_S, output_bytes=_OUTPUT_BYTES)
        box.stop_processes()
        outcome, detail, told = _outcome(ended, seconds, court.memory_mib)
        if outcome != "ok" or told is None:
            return Left(Ran(outcome=outcome, detail=detail, seconds=ended.seconds))
        return _taken(box, project, f"/workspace/{under.place}", told, ended.seconds)


def _outcome(ended: ExecOutcome, seconds: float, memory_mib: int) -> tuple[RunOutcome, str, _Told | None]:
    """How a run ended, in a word and a line.

    Raises:
        InfrastructureError: nothing of the project had begun to run.
    """
    said = ended.output.decode("utf-8", "replace")
    if not said.startswith("begun\n"):
        if ended.timed_out:
            raise InfrastructureError(f"no run began within {seconds:.0f} s")
        raise InfrastructureError(f"no run could begin ({INTERPRETER} inside the sandbox): {said.strip()[-300:]}")
    if ended.out_of_memory:
        return "out_of_memory", f"more than {memory_mib} MiB were needed", None
    if ended.timed_out:
        return "timeout", f"not done after {seconds:.0f} s", None
    try:
        told = _Told.from_json(said.removeprefix("begun\n"))
    except ValidationError:
        return "nonzero_exit", "the run ended what watched over it", None
    if told.exit_code != 0:
        last = told.output.strip().splitlines()[-1:] or [""]
        return "nonzero_exit", f"exit code {told.exit_code}: {last[0][:300]}", None
    return "ok", "", told


def _state(told: str) -> dict[str, str]:
    """What the process told, if it is a mapping of text to text; it may be forged, and is never trusted alone."""
    try:
        found = json.loads(told or "{}")
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {str(key)[:200]: value[:300] for key, value in found.items() if isinstance(value, str)}


def _taken(box: SandboxBox, project: BaseProject, place: str, told: _Told, seconds: float) -> Left:
    """The two outputs of a run that ended well, copied out by the strict reader, and what they hold."""
    files: dict[str, bytes] = {}
    for name in (project.outputs.weights, project.outputs.metrics):
        try:
            files[name] = next(iter(box.get(f"{place}/{name}", OUTPUT_LIMITS).values()))
        except RefusedFileError as error:
            if error.reason == "absent":
                return Left(Ran(outcome="no_output", detail=f"no {name} after the run", seconds=seconds))
            return Left(Ran(outcome="refused", detail=str(error), seconds=seconds))
    try:
        weights = weights_digest(project.outputs.weights, files[project.outputs.weights])
        metrics = metrics_of(project.outputs.metrics, files[project.outputs.metrics])
    except UnreadableOutputError as error:
        return Left(Ran(outcome="refused", detail=str(error), seconds=seconds))
    ran = Ran(
        outcome="ok",
        detail="",
        seconds=seconds,
        weights=weights,
        metrics=metrics.digest,
        numbers=metrics.numbers,
        python=told.python,
        state=_state(told.state),
    )
    return Left(ran, files)
