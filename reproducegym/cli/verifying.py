"""What the reward service verifies with: tasks of the papers on this machine, and the judge."""

import io
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path
from threading import Lock

from reproducegym.adapters.reward_service.ledger import Job
from reproducegym.adapters.reward_service.refusals import RefusedRequestError
from reproducegym.adapters.reward_service.wire import Details, Scored
from reproducegym.dataset import TaskSet
from reproducegym.pipeline.assets.tree import check_assets
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.pipeline.judging.transfer import read_archive
from reproducegym.pipeline.judging.verify import Order, verify
from reproducegym.pipeline.run import read_order
from reproducegym.pipeline.store import PaperStore
from reproducegym.ports import CopyLimits

__all__ = ["Scoring", "ServedTasks"]

_HELD = 64
"""Tasks that stay in memory, checked and read."""


class ServedTasks:
    """The tasks of manifests, by id."""

    def __init__(self, tasks: TaskSet) -> None:
        """Take them as they are listed now."""
        self._versions = {task.task_id: task for task in tasks}
        self._quarantined = {task.task_id: task.quarantine for task in tasks.quarantined}

    def find(self, task_id: str, spec_hash: str | None) -> tuple[str, str]:
        """Task id and version of a task.

        Raises:
            RefusedRequestError: there is none of that id and version, or it is in quarantine.
        """
        if task_id in self._quarantined:
            raise RefusedRequestError(409, "quarantined", f"{task_id} is in quarantine: {self._quarantined[task_id]}")
        found = self._versions.get(task_id)
        if found is None or spec_hash not in (None, found.spec_hash):
            there = "" if found is None else f" in this version; it has {found.spec_hash}"
            raise RefusedRequestError(404, "unknown_task", f"no task {task_id[:200]!r} is served{there}")
        return task_id, found.spec_hash

    def listed(self) -> list[dict[str, str]]:
        """What clients may ask for."""
        return [
            {"task_id": one.task_id, "spec_hash": one.spec_hash, "evidence_level": one.evidence_level}
            for one in self._versions.values()
        ]

    def place(self, task_id: str) -> tuple[str, str, str]:
        """Paper, claim and version of a task that was found."""
        found = self._versions[task_id]
        return found.paper_id, found.claim_id, found.spec_hash


class Scoring:
    """Verifies submissions; may be called in many threads."""

    def __init__(
        self, tasks: ServedTasks, runs: Path, judge: Judge, places: dict[str, Path], limits: CopyLimits
    ) -> None:
        """`places` are assets that the operator named; others are where the paper's build found them."""
        self._tasks, self._runs, self._judge, self._places, self._limits = tasks, runs, judge, places, limits
        self._orders: OrderedDict[str, tuple[Order, dict[str, Path]]] = OrderedDict()
        self._lock = Lock()

    def __call__(self, job: Job, submission: bytes) -> Scored:
        """Verify one submission.

        Raises:
            ReproduceGymError: the task or an asset is not what it should be: nobody's reward.
        """
        order, places = self._order(job.task_id)
        files = read_archive(io.BytesIO(submission), self._limits, root="")
        judged = verify(files, order, replace(self._judge, assets=places))
        report = judged.report
        return Scored(
            reward=None if report is None else report.reward,
            failure_kind=judged.failure_kind,
            evidence_level=judged.level,
            details=Details(
                failure_detail=judged.failure_detail,
                evidence_detail=judged.level_detail,
                problems=() if report is None else report.problems,
                probes=() if report is None else tuple(probe.probe for probe in report.probes if not probe.held),
            ),
        )

    def _order(self, task_id: str) -> tuple[Order, dict[str, Path]]:
        """A task with its assets, read and checked when it is first asked for."""
        with self._lock:
            held = self._orders.get(task_id)
            if held is None:
                paper, claim, version = self._tasks.place(task_id)
                store = PaperStore(self._runs, paper)
                order = read_order(store, claim, version)
                kept = store.asset_places().places if order.spec.assets else {}
                places = {name: Path(place) for name, place in kept.items()} | self._places
                check_assets(order.spec.assets, places)
                held = order, {asset.name: places[asset.name] for asset in order.spec.assets}
                self._orders[task_id] = held
                if len(self._orders) > _HELD:
                    self._orders.popitem(last=False)
            self._orders.move_to_end(task_id)
            return held
