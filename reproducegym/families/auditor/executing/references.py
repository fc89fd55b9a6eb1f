"""What is measured once and compared with often: a clean project's runs, what a defect does to a process's state."""

import threading
from typing import Literal

from reproducegym.families.auditor.executing.court import Court
from reproducegym.families.auditor.executing.double import Double, double_run
from reproducegym.families.auditor.executing.state import changed_keys
from reproducegym.planting.edit import applied
from reproducegym.planting.operator import Planted
from reproducegym.planting.plant import Damaged
from reproducegym.planting.project import BaseProject
from reproducegym.schema.base import digest

__all__ = ["EngineFailedError", "References"]


class EngineFailedError(Exception):
    """No grade can be given: the engine failed, or a clean project of ours does not run as it should."""

    def __init__(self, kind: Literal["infra", "verifier"], message: str) -> None:
        self.kind: Literal["infra", "verifier"] = kind
        super().__init__(message)


class References:
    """Keeps references for as long as the process lives; one may be shared by threads."""

    def __init__(self) -> None:
        self._doubles: dict[str, Double] = {}
        self._lock = threading.Lock()

    def clean(self, court: Court, project: BaseProject) -> Double:
        """The runs of the clean project.

        Raises:
            EngineFailedError: they failed, or are not equal.
        """
        double = self._double(court, project, dict(project.files), other_seed=True)
        ran = double.first.ran
        if not double.equal or not double.seed_matters or project.metric not in ran.numbers:
            failed = double.failed
            why = (
                "its runs differ, lack its metric, or do not heed the seed"
                if failed is None
                else f"{failed.outcome}: {failed.detail}"
            )
            raise EngineFailedError("verifier", f"the clean project {project.name} cannot be a reference: {why}")
        return double

    def state_keys(self, court: Court, damaged: Damaged, planted: Planted) -> tuple[str, ...]:
        """What this defect alone changes in the state of a process.

        Raises:
            EngineFailedError: a run failed that should not.
        """
        others = [edit for one in damaged.planted if one is not planted for edit in one.fix]
        alone = self._double(court, damaged.project, applied(damaged.files, others), other_seed=False)
        return changed_keys(self.clean(court, damaged.project).state, alone.state)

    def _double(self, court: Court, project: BaseProject, files: dict[str, str], *, other_seed: bool) -> Double:
        told = "\n".join(f"{name} {digest(text.encode())}" for name, text in sorted(files.items()))
        key = f"{court.sandbox.name} {project.name} {other_seed} {digest(told.encode())}"
        with self._lock:
            found = self._doubles.get(key)
        if found is None:
            found = double_run(court, project, files, other_seed=other_seed)
            if found.engine_failed:
                raise EngineFailedError("infra", found.engine_failed)
            with self._lock:
                self._doubles[key] = found
        return found
