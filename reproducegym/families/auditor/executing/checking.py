"""Hidden checks: they look at what runs left, in a sandbox that submitted code never enters."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from reproducegym.errors import InfrastructureError, SandboxUnavailableError
from reproducegym.families.auditor.executing.court import TRIES, Court
from reproducegym.families.auditor.executing.libraries import INTERPRETER, PACKAGES
from reproducegym.pipeline.judging.rerun import let_stop_pass
from reproducegym.planting.project import BaseProject
from reproducegym.ports import ExecOutcome, SandboxBox
from reproducegym.schema.base import Frozen

__all__ = ["Checked", "checked"]

LEAST_SPREAD = 0.1
"""How far, of what the clean project's weights differ between two seeds, those after a fix must differ at least."""
_SPREAD = "/runner/spread.py"
_MOUNTS = {_SPREAD: Path(__file__).resolve().parent / "inside" / "spread.py"}
_ENVIRONMENT = {"PYTHONPATH": PACKAGES, "PYTHONDONTWRITEBYTECODE": "1"}

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
            with court.sandbox.create(court.spec(project, _MOUNTS)) as box:
                return _spread(court, project, box, given, clean) or _check(court, project, box, given)
        except (InfrastructureError, SandboxUnavailableError) as error:
            let_stop_pass(error)
            reason = str(error)
    return Checked(verdict="infra", detail=f"the engine failed {TRIES} times: {reason}")


def _spread(
    court: Court, project: BaseProject, box: SandboxBox, given: tuple[Outputs, Outputs], clean: tuple[Outputs, Outputs]
) -> Checked | None:
    """A seed that is taken for show moves weights by next to nothing; None where it moves them enough."""
    name = project.outputs.weights
    suffix = Path(name).suffix
    places = {f"spread/{n}{suffix}": one[name] for n, one in enumerate((*clean, *given))}
    box.put(places)
    said = _said(court, project, box, [INTERPRETER, _SPREAD, *(f"/workspace/{place}" for place in places)])
    if said.exit_code != 0:
        return Checked(verdict="check_failed", detail=f"{name} cannot be compared: {_last(said.output)}")
    wanted, found = (float(one) for one in said.output.split())
    if math.isnan(wanted) or found >= LEAST_SPREAD * wanted:
        return None
    return Checked(
        verdict="seed_ignored",
        detail=f"another seed moves weights by {found:.3g}, in the clean project by {wanted:.3g}",
    )


def _check(court: Court, project: BaseProject, box: SandboxBox, given: tuple[Outputs, Outputs]) -> Checked:
    box.put({f"project/{name}": text.encode() for name, text in project.files.items()})
    box.put({f"checks/{name}": text.encode() for name, text in project.checks.items()})
    for outputs in given:
        box.put({f"project/{name}": content for name, content in outputs.items()})
        for name in sorted(project.checks):
            said = _said(court, project, box, [INTERPRETER, f"/workspace/checks/{name}"], "/workspace/project")
            if said.exit_code != 0:
                return Checked(verdict="check_failed", detail=f"a hidden check failed: {_last(said.output)}")
    return Checked(verdict="passed")


def _said(court: Court, project: BaseProject, box: SandboxBox, argv: list[str], cwd: str = "/workspace") -> ExecOutcome:
    return box.exec(argv, cwd=cwd, env=_ENVIRONMENT, timeout_s=court.seconds(project), output_bytes=4096)


def _last(output: bytes) -> str:
    return (output.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no word"])[0][:200]
