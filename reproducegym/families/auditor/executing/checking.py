"""Hidden checks: they look at what runs left, in a sandbox that submitted code never enters."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from reproducegym.errors import InfrastructureError, SandboxUnavailableError
from reproducegym.families.auditor.executing.court import TRIES, Court
from reproducegym.families.auditor.executing.libraries import INTERPRETER, PACKAGES
from reproducegym.pipeline.judging.rerun import let_stop_pass
from reproducegym.planting.project import BaseProject
from reproducegym.ports import SandboxBox
from reproducegym.schema.base import Frozen

__all__ = ["Checked", "checked"]

LEAST_SPREAD = 0.1
"""How far, of what the clean project's weights differ between two seeds, those after a fix must differ at least."""
_JUDGE = "/runner/judge.py"
_MOUNTS = {_JUDGE: Path(__file__).resolve().parent / "inside" / "judge.py"}
_ENVIRONMENT = {"PYTHONPATH": PACKAGES, "PYTHONDONTWRITEBYTECODE": "1"}
_OUTPUT_BYTES = 65_536

Outputs = Mapping[str, bytes]


class Checked(Frozen):
    """Whether anything was found wrong, and what."""

    verdict: Literal["passed", "seed_ignored", "check_failed", "infra"]
    detail: str = ""


def checked(
    court: Court, project: BaseProject, given: tuple[Outputs, Outputs], clean: tuple[Outputs, Outputs]
) -> Checked:
    """Run a project's hidden checks on what runs by two seeds left, and compare with the clean project's two.

    They run beside the clean project's own files, so that no submitted code is in their process or their sandbox; what
    it left is data there.
    """
    reason = ""
    for _ in range(TRIES):
        try:
            with court.box(project, _MOUNTS) as box:
                return _judged(court, project, box, given, clean)
        except (InfrastructureError, SandboxUnavailableError) as error:
            let_stop_pass(error)
            reason = str(error)
    return Checked(verdict="infra", detail=f"the engine failed {TRIES} times: {reason}")


class _Said(Frozen):
    """The line of judge.py."""

    wanted: float | None
    found: float | None
    failed: str | None


def _judged(
    court: Court, project: BaseProject, box: SandboxBox, given: tuple[Outputs, Outputs], clean: tuple[Outputs, Outputs]
) -> Checked:
    box.put({f"project/{name}": text.encode() for name, text in project.files.items()})
    box.put({f"checks/{name}": text.encode() for name, text in project.checks.items()})
    for place, runs in (("clean", clean), ("given", given)):
        box.put({f"{place}/{n}/{name}": content for n, one in enumerate(runs) for name, content in one.items()})
    ended = box.exec(
        [INTERPRETER, _JUDGE, project.outputs.weights],
        env=_ENVIRONMENT,
        timeout_s=2 * court.seconds(project),
        output_bytes=_OUTPUT_BYTES,
    )
    try:
        said = _Said.from_json(ended.output)
    except ValidationError:
        last = ended.output.decode("utf-8", "replace").strip().splitlines()[-1:] or [f"exit code {ended.exit_code}"]
        return Checked(verdict="check_failed", detail=f"the outputs cannot be looked at: {last[0][:200]}")
    if said.wanted is not None and (said.found is None or said.found < LEAST_SPREAD * said.wanted):
        line = f"another seed moves weights by {said.found}, in the clean project by {said.wanted}"
        return Checked(verdict="seed_ignored", detail=line)
    if said.failed is not None:
        return Checked(verdict="check_failed", detail=f"a hidden check failed: {said.failed}")
    return Checked(verdict="passed")
