"""Hidden checks: they look at what runs left, in a sandbox that submitted code never enters."""

from collections.abc import Mapping

from reproducegym.errors import InfrastructureError, SandboxUnavailableError
from reproducegym.families.auditor.executing.court import TRIES, Court
from reproducegym.families.auditor.executing.libraries import INTERPRETER, PACKAGES
from reproducegym.pipeline.judging.rerun import let_stop_pass
from reproducegym.planting.project import BaseProject
from reproducegym.schema.base import Frozen

__all__ = ["Checked", "checked"]


class Checked(Frozen):
    """Whether hidden checks found nothing wrong; None: the engine failed."""

    passed: bool | None
    detail: str


def checked(court: Court, project: BaseProject, outputs: list[Mapping[str, bytes]]) -> Checked:
    """Run a project's hidden checks on the outputs of runs that are over.

    They run beside the clean project's own files, so that no submitted code is in their process or their sandbox; what
    it left is data there.
    """
    reason = ""
    for _ in range(TRIES):
        try:
            return _check(court, project, outputs)
        except (InfrastructureError, SandboxUnavailableError) as error:
            let_stop_pass(error)
            reason = str(error)
    return Checked(passed=None, detail=f"the engine failed {TRIES} times: {reason}")


def _check(court: Court, project: BaseProject, outputs: list[Mapping[str, bytes]]) -> Checked:
    environment = {"PYTHONPATH": PACKAGES, "PYTHONDONTWRITEBYTECODE": "1"}
    with court.sandbox.create(court.spec(project)) as box:
        box.put({f"project/{name}": text.encode() for name, text in project.files.items()})
        box.put({f"checks/{name}": text.encode() for name, text in project.checks.items()})
        for files in outputs:
            box.put({f"project/{name}": content for name, content in files.items()})
            for name in sorted(project.checks):
                ended = box.exec(
                    [INTERPRETER, f"/workspace/checks/{name}"],
                    cwd="/workspace/project",
                    env=environment,
                    timeout_s=court.seconds(project),
                    output_bytes=4096,
                )
                if ended.exit_code != 0:
                    said = ended.output.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no word"]
                    return Checked(passed=False, detail=f"a hidden check failed: {said[0][:200]}")
    return Checked(passed=True, detail="")
