"""Our verifier in this very process, for servers that already hold a judge."""

import threading
from collections.abc import Mapping

from reproducegym.adapters.trainers.verifying import Scored, UnscoredError, unknown_task
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.pipeline.judging.verify import Order, verify
from reproducegym.ports import Files

__all__ = ["InProcessVerifier"]


class InProcessVerifier:
    """Verifies with a judge, `parallel` submissions at once; `orders` are the tasks by id."""

    def __init__(self, orders: Mapping[str, Order], judge: Judge, *, parallel: int) -> None:
        self._orders, self._judge = dict(orders), judge
        self._room = threading.BoundedSemaphore(parallel)

    def verify(self, task_id: str, files: Files) -> Scored:
        """The reward of one fresh verification."""
        self.check_task(task_id)
        with self._room:
            judged = verify(files, self._orders[task_id], self._judge)
        if judged.report is None:
            raise UnscoredError(f"{task_id} was not scored ({judged.failure_kind}); send it again")
        return Scored(judged.report.reward, judged.level, judged.failure_detail)

    def check_task(self, task_id: str) -> None:
        """Nothing, where the task is one of the orders."""
        if task_id not in self._orders:
            raise unknown_task(task_id, self._orders, "here")
